import Testing
import Varve
import VarveCore

@testable import VarveTool

@Suite struct WatchedClassesTests {
  @Test func laterClassNotMatchingPredicateIsSkipped() throws {
    try PupStore.with([Pup.self]) { store in
      let core = store.realm.context.store
      var watched = try WatchedClasses(names: [], predicate: "age > 3", in: core.schema)
      #expect(watched.classes.map(\.schema.name) == ["Pup"])
      try store.realm.write { store.realm.create(Toy.self, value: ["label": "ball"]) }
      let notes = try watched.update(to: core.schema)
      #expect(notes.count == 1 && notes[0].contains("Toy"))
      #expect(watched.classes.map(\.schema.name) == ["Pup"])
      // The class is reported once.
      #expect(try watched.update(to: core.schema).isEmpty)
    }
  }
}

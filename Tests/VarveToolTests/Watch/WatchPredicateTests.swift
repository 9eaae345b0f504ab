import Foundation
import Testing
import Varve

@testable import VarveTool

/// Predicates of `--where` about other objects and about collections.
@Suite struct WatchPredicateTests {
  @Test func predicateFollowsLinksAndCollections() throws {
    try PupStore.with { store in
      let realm = store.realm
      try realm.write { realm.create(Pup.self, value: ["name": "Ada", "age": 9]) }
      let tool = try store.watch(
        "--class", "Pup", "--where",
        "friend.age > 3 OR tags CONTAINS[c] 'X' OR notes['a'] = 1 OR SELF.@links.Pup.friend.@count > 1"
      )
      let ada = try #require(realm.object(ofType: Pup.self, forPrimaryKey: "Ada"))
      try realm.write {
        realm.create(Pup.self, value: ["name": "Rex", "age": 1])
        realm.create(Pup.self, value: ["name": "Fifi", "age": 2]).tags.append("x")
      }
      let first = tool.lines(2)
      #expect(first[1].contains("inserted") && first[1].contains("\"Fifi\""), "\(first)")
      let rex = try #require(realm.object(ofType: Pup.self, forPrimaryKey: "Rex"))
      let steps: [(String, () -> Void)] = [
        ("enters", { rex.friend = ada }), ("modified", { rex.notes["a"] = 1 }),
        ("modified", { rex.friend = nil }), ("leaves", { rex.notes["a"] = nil }),
      ]
      for (word, step) in steps {
        try realm.write { step() }
        let lines = tool.lines(2)
        #expect(lines[1].contains("Pup  \(word)"), "\(lines)")
      }
      try tool.stop()
    }
  }
}

import Foundation
import Testing
import Varve

/// Two properties, each stored under the declared name of the other.
@Model final class Swapped: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var first: String
  @Persisted var second: String

  override class func propertiesMapping() -> [String: String] {
    ["first": "second", "second": "first"]
  }
}

/// The commands use the names of the file, as the article Migrations says.
@Suite struct AliasOutputTests {
  @Test func commandsReadAndWriteStoredNames() throws {
    try PupStore.with([Swapped.self], durability: .full) { store in
      try store.realm.write {
        for id in 1...3 {
          store.realm.create(
            Swapped.self, value: ["id": id, "first": "f\(id)", "second": "s\(id)"])
        }
      }
      func output(_ arguments: String...) throws -> String {
        let output = try ToolProgram.run(arguments)
        #expect(output.status == 0, "\(output.errors)")
        return output.text
      }
      let path = store.path
      #expect(
        try output("query", path, "Swapped", "second = 'f2'", "--json")
          == #"{"id":2,"second":"f2","first":"s2"}"# + "\n")
      #expect(
        try output("query", path, "Swapped", "--sort", "first DESC", "--columns", "id")
          .split(separator: "\n").dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
          == ["3", "2", "1"])
      #expect(try output("get", path, "Swapped", "1", "second").contains("f1"))
      #expect(try output("export", path).contains(#""values":{"second":"f1","first":"s1"}"#))
      _ = try output("edit", "set", path, "Swapped", "second=changed", "--key", "1", "--write")
      try store.realm.refresh()
      let changed = store.realm.object(ofType: Swapped.self, forPrimaryKey: 1)
      #expect(changed?.first == "changed" && changed?.second == "s1")
    }
  }
}

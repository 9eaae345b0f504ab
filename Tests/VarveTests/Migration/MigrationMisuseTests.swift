import Foundation
import Testing
import Varve
import VarveJSONLines

/// Invalid operations in a migration. Opening throws an error with class, property and value, and
/// the file is unchanged.
@Suite struct MigrationMisuseTests {
  private struct Misuse: Sendable {
    let name: String
    let code: Realm.Error.Code
    let className: String?
    let propertyName: String?
    let value: String?
    let use: @Sendable (Realm.Migration) throws -> Void

    init(
      _ name: String, _ code: Realm.Error.Code, _ className: String? = nil,
      _ propertyName: String? = nil, _ value: String? = nil,
      _ use: @escaping @Sendable (Realm.Migration) throws -> Void
    ) {
      self.name = name
      self.code = code
      self.className = className
      self.propertyName = propertyName
      self.value = value
      self.use = use
    }

    /// A misuse of the object with id 0.
    static func changing(
      _ name: String, _ code: Realm.Error.Code, _ property: String?, _ value: String?,
      _ use: @escaping @Sendable (_ old: DynamicObject, _ new: DynamicObject) throws -> Void
    ) -> Misuse {
      Misuse(name, code, "Person", property, value) { migration in
        try migration.enumerateObjects(ofType: "Person") { old, new in
          guard let old, let new, old["id"] as? Int == 0 else { return }
          try use(old, new)
        }
      }
    }
  }

  private let misuses: [Misuse] = [
    Misuse("create a class", .unknownClass, "Cat") { $0.create("Cat") },
    Misuse("create another type", .typeMismatch, "Person", "name", "7 of type Int") {
      $0.create("Person", value: ["id": 8, "name": 7])
    },
    Misuse("create null", .missingValue, "Person", "years", "nil") {
      $0.create("Person", value: ["id": 8, "years": NSNull()])
    },
    Misuse("create a key again", .duplicatePrimaryKey, "Person", "id", "1") {
      $0.create("Person", value: ["id": 1])
    },
    Misuse("create a bad key", .invalidKey, "Person", "notes", "\"a.b\"") {
      $0.create("Person", value: ["id": 8, "notes": ["a.b": "x"]])
    },
    Misuse("create in a deep value", .typeMismatch, "Address", "street", "7 of type Int") {
      $0.create("Person", value: ["id": 8, "home": ["street": 7]])
    },
    Misuse("create an embedded object", .invalidInput, "Address") {
      $0.create("Address", value: ["street": "x"])
    },
    .changing("set another type", .typeMismatch, "name", "7 of type Int") { $1["name"] = 7 },
    .changing("set null", .missingValue, "years", "nil") { $1["years"] = nil },
    .changing("set a property", .unknownProperty, "age", "7") { $1["age"] = 7 },
    .changing("read a property", .unknownProperty, "years", nil) { old, _ in _ = old["years"] },
    .changing("set by a name", .typeMismatch, "name", "7 of type Int") {
      try $1.setValue(7, forKey: "name")
    },
    .changing("set a list", .typeMismatch, "numbers", "x of type String") {
      $1["numbers"] = ["x"]
    },
    .changing("set the old object", .frozen, "name", nil) { old, _ in old["name"] = "x" },
    .changing("set a bad key", .invalidKey, "notes", "\"$a\"") {
      try $1.dynamicMap("notes", of: String.self)["$a"] = "x"
    },
    .changing("out of bounds", .indexOutOfBounds, "numbers", "index 9, count 0") {
      try $1.dynamicList("numbers", of: Int.self).remove(at: 9)
    },
    .changing("list of another type", .typeMismatch, "numbers", "List<Int>") {
      _ = try $1.dynamicList("numbers")
    },
    Misuse("delete twice", .invalidatedObject, "Person") { migration in
      migration.enumerateObjects(ofType: "Person") { _, new in
        guard let new else { return }
        migration.delete(new)
        migration.delete(new)
      }
    },
    Misuse("delete the old object", .frozen, "Person") { migration in
      migration.enumerateObjects(ofType: "Person") { old, _ in old.map { migration.delete($0) } }
    },
  ]

  @Test func misuseThrowsAndLeavesFileUnchanged() throws {
    try withMigratedFile { store in
      let old = try store.open(Before.Person.self, version: 0)
      try old.write {
        for id in 0..<3 {
          old.create(
            Before.Person.self, value: ["id": id, "name": "N\(id)", "home": ["street": "S"]])
        }
      }
      let content = try content(store)
      for misuse in misuses {
        let error = thrownError {
          try store.open(After.Person.self, version: 1) { migration, _ in
            migration.create("Person", value: ["id": 77])
            try misuse.use(migration)
            migration.create("Person", value: ["id": 78])
          }
        }
        let found = "\(misuse.name): \(error.map(String.init(describing:)) ?? "no error")"
        #expect(error?.code == misuse.code, "\(found)")
        let identity = (error?.className, error?.propertyName, error?.value)
        #expect(identity == (misuse.className, misuse.propertyName, misuse.value), "\(found)")
        let left = try self.content(store)
        #expect(left == content, "\(misuse.name)")
        #expect(try store.schemaVersion() == 0)
      }
      let new = try store.open(After.Person.self, version: 1)
      #expect(new.objects(After.Person.self).map(\.name) == ["N0", "N1", "N2"])
    }
  }

  private func content(_ store: TemporaryRealm) throws -> String {
    try Realm.close(store.configuration)
    defer { _ = try? Realm.close(store.configuration) }
    let url = store.directory.appending(path: "content.jsonl")
    try store.open().exportJSONLines(to: url)
    return try String(contentsOf: url, encoding: .utf8)
  }
}

private enum Before {
  @Model final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var home: Address?
  }
  @Model final class Address: EmbeddedObject { @Persisted var street: String }
}

private enum After {
  @Model final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var years: Int
    @Persisted var home: Address?
    @Persisted var numbers: List<Int>
    @Persisted var notes: Map<String, String>
  }
  @Model final class Address: EmbeddedObject { @Persisted var street: String }
}

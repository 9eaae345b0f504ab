import Foundation
import Testing
import Varve
import VarveCore
import VarveLocks

@Suite struct MigrationBlockTests {
  @Test func lowerSchemaVersionThrows() throws {
    try withMigratedFile { store in
      _ = try store.open(Shop1.Person.self, version: 3)
      let error = thrownError { try store.open(Shop1.Person.self, version: 2) }
      #expect(error?.code == .schemaVersionTooLow)
      #expect(error?.value == "3")
      #expect(
        error?.details == ["The file has the schema version 3, and the configuration 2."])
      #expect(error?.path == store.path)
      expectError(.schemaVersionTooLow) { try store.open(version: 0) }
      _ = try store.open(Shop1.Person.self, version: 3)
      #expect(try store.schemaVersion() == 3)
    }
  }

  @Test func changedSchemaInSameVersionListsDifferences() throws {
    try withMigratedFile { store in
      try store.fillShop()
      let error = thrownError {
        try store.open(Shop2.Person.self, version: 0) { _, _ in Issue.record("was called") }
      }
      #expect(error?.code == .schemaMismatch)
      #expect(
        error?.details.sorted() == [
          "Property 'Person.counts' has been changed from 'Map<String, Int>' to 'Map<String, Int?>'.",
          "Property 'Person.nickname' has been changed from 'String?' to 'String'.",
          "Property 'Person.photo' has been changed from 'Data' to 'String'.",
          "Property 'Person.weight' has been changed from 'Double' to 'Double?'.",
          "Property 'Person.words' has been changed from 'List<String>' to 'List<String?>'.",
        ])
      #expect(try store.schemaVersion() == 0)
    }
  }

  @Test func additionsNeedNoVersionOrBlock() throws {
    try withMigratedFile { store in
      var realm = try store.open(Release1.Gadget.self, version: 2)
      try realm.write { realm.create(Release1.Gadget.self, value: ["id": 1, "name": "G"]) }
      realm = try store.open(Release2.Gadget.self, version: 2)
      #expect(realm.objects(Release2.Gadget.self).map(\.color) == ["grey"])
      #expect(try store.schemaVersion() == 2)
    }
  }

  @Test func newFileGetsVersionWithoutRunningBlock() throws {
    try withMigratedFile { store in
      _ = try store.open(Shop1.Person.self, version: 7) { _, _ in Issue.record("was called") }
      #expect(try store.schemaVersion() == 7)
    }
    try withMigratedFile { store in
      _ = try store.open(version: 2) { _, _ in Issue.record("was called") }
      #expect(try store.schemaVersion() == 2)
    }
  }

  @Test func fileWithoutClassesIsMigrated() throws {
    try withMigratedFile { store in
      _ = try store.open(version: 0)
      let calls = Lock<[UInt64]>([])
      let realm = try store.open(Shop1.Person.self, version: 1) { migration, old in
        calls.withLock { $0.append(old) }
        migration.enumerateObjects(ofType: "Person") { _, _ in Issue.record("there is none") }
        migration.create("Person", value: ["id": 1, "age": 30])
      }
      #expect(calls.withLock { $0 } == [0])
      #expect(realm.objects(Shop1.Person.self).map(\.age) == [30])
      _ = try store.open(version: 3) { _, old in calls.withLock { $0.append(old) } }
      #expect(calls.withLock { $0 } == [0, 1])
    }
  }

  @Test func blockRunsOncePerVersion() throws {
    try withMigratedFile { store in
      try store.fillShop()
      let calls = Lock<[UInt64]>([])
      for version: UInt64 in [2, 2, 5] {
        _ = try store.open(Shop2.Person.self, Shop2.Place.self, version: version) { _, old in
          calls.withLock { $0.append(old) }
        }
      }
      #expect(calls.withLock { $0 } == [0, 2])
    }
  }

  @Test func propertiesAreAddedAndRemovedWithoutBlock() throws {
    try withMigratedFile { store in
      try store.fillShop()
      let realm = try store.open(Shop2.Person.self, Shop2.Place.self, version: 1)
      let people = realm.objects(Shop2.Person.self)
      #expect(people.map(\.fullName) == ["", "", ""])
      #expect(people.map(\.years) == [0, 0, 0])
      #expect(people.map(\.level) == [4, 4, 4])
      #expect(Set(people.map(\.token)).count == 3)
      #expect(people.map { $0.home?.name } == ["Bern", "Oslo", "Bern"])
      #expect(people.map { $0.friends.map(\.id) } == [[0, 1, 2], [0, 1, 2], [0, 1, 2]])
      let names = realm.schema["Person"]?.properties.map(\.name) ?? []
      #expect(!names.contains("firstName") && !names.contains("visited") && !names.contains("age"))
      // Properties of a class that the configuration does not list remain.
      #expect(try realm.dynamicObjects("Note").count == 1)
    }
  }

  @Test func errorInBlockRollsBack() throws {
    try withMigratedFile { store in
      try store.fillShop()
      expectCancelled {
        try store.open(Shop2.Person.self, Shop2.Place.self, version: 1) { migration, _ in
          migration.renameProperty(onType: "Person", from: "age", to: "years")
          migration.create("Person", value: ["id": 9])
          migration.deleteData(forType: "Note")
          throw Cancelled()
        }
      }
      #expect(try store.schemaVersion() == 0)
      let realm = try store.open(Shop1.Person.self, Shop1.Note.self, version: 0)
      #expect(realm.objects(Shop1.Person.self).map(\.age) == [20, 21, 22])
      #expect(realm.objects(Shop1.Note.self).count == 1)
    }
  }

  @Test(arguments: [
    ("class", Realm.Error.Code.unknownClass), ("from", .unknownProperty), ("to", .unknownProperty),
    ("kept", .invalidInput), ("old", .invalidInput), ("type", .typeMismatch),
    ("create", .unknownClass), ("value", .typeMismatch), ("set", .unknownProperty),
    ("enumerate", .unknownClass), ("late", .invalidInput), ("taken", .invalidInput),
    ("linked", .invalidInput), ("foreign", .unknownClass),
  ])
  func misuseFailsTheMigration(what: String, code: Realm.Error.Code) throws {
    try withMigratedFile { store in
      try store.fillShop()
      expectError(code) {
        let types: [Object.Type] = [what == "linked" ? Release1.Gadget.self : Shop2.Person.self]
        try Realm.close(store.configuration)
        let configuration = store.configuration(types, 1) { migration, _ in
          func rename(_ type: String, _ from: String, _ to: String) {
            migration.renameProperty(onType: type, from: from, to: to)
          }
          switch what {
          case "class": rename("Cat", "age", "years")
          case "from": rename("Person", "height", "years")
          case "to": rename("Person", "age", "height")
          case "kept": rename("Person", "best", "fullName")
          case "old": rename("Person", "age", "id")
          case "type": rename("Person", "age", "fullName")
          case "create": migration.create("Cat")
          case "value": migration.create("Person", value: ["id": 8, "years": "4"])
          case "set":
            migration.enumerateObjects(ofType: "Person") { $1?["age"] = 4 }
          case "enumerate": migration.enumerateObjects(ofType: "Cat") { _, _ in }
          case "late":
            migration.enumerateObjects(ofType: "Person") { _, _ in }
            migration.renameClass(from: "Note", to: "Memo")
          case "taken": migration.renameClass(from: "Note", to: "Place")
          case "foreign": migration.renameClass(from: "Cat", to: "Dog")
          default:
            // `Person` is not listed in the configuration and links to `Place`.
            migration.deleteData(forType: "Place")
          }
          // The block continues, and its changes are rolled back.
          migration.create("Person", value: ["id": 77])
        }
        _ = try Realm(configuration: configuration)
      }
      try store.check()
      #expect(try store.schemaVersion() == 0)
      let realm = try store.open(Shop1.Person.self, version: 0)
      #expect(realm.objects(Shop1.Person.self).map(\.id) == [0, 1, 2])
    }
  }

  @Test func oldAndNewSchemasAreListed() throws {
    try withMigratedFile { store in
      try store.fillShop()
      _ = try store.open(Shop2.Person.self, Shop2.Place.self, version: 1) { migration, _ in
        #expect(migration.oldSchema["Person"]?["age"]?.type == .int)
        #expect(migration.oldSchema["Person"]?["years"] == nil)
        #expect(migration.newSchema["Person"]?["age"] == nil)
        #expect(migration.newSchema["Person"]?["photo"]?.type == .string)
        #expect(migration.newSchema["Note"] != nil)
        migration.deleteData(forType: "Note")
        #expect(migration.newSchema["Note"] == nil)
        #expect(migration.oldSchema["Note"] != nil)
      }
    }
  }

  @Test func readOnlyFileIsNotMigrated() throws {
    try withMigratedFile { store in
      try store.fillShop()
      try Realm.close(store.configuration)
      var configuration = store.configuration([Shop1.Person.self], 1)
      configuration.readOnly = true
      expectError(.readOnly) { try Realm(configuration: configuration) }
      configuration.schemaVersion = 0
      #expect(try Realm(configuration: configuration).objects(Shop1.Person.self).count == 3)
      try Realm.close(configuration)
    }
  }

  @Test func fileIsMigratedAfterThisProcessClosesIt() throws {
    try withMigratedFile { store in
      try store.fillShop()
      let old = try Realm(configuration: store.configuration([Shop1.Person.self], 0))
      let person = try #require(old.objects(Shop1.Person.self).first)
      let frozen = person.freeze()
      let later = store.configuration([Shop2.Person.self, Shop2.Place.self], 1) { m, _ in
        m.enumerateObjects(ofType: "Person") { $1?["fullName"] = $0?["firstName"] }
      }
      expectError(.alreadyOpen) { try Realm(configuration: later) }
      expectError(.alreadyOpen) { try Realm.performMigration(for: later) }
      try Realm.close(later)
      let new = try Realm(configuration: later)
      #expect(new.objects(Shop2.Person.self).first?.fullName == "F0")
      expectError(.closed) { try old.refresh() }
      expectError(.closed) { try old.write { person.age = 1 } }
      #expect(frozen.firstName == "F0" && person.firstName == "F0")
      try store.check()
    }
  }
}

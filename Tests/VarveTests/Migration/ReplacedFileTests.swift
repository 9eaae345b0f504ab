import Foundation
import Testing
import Varve
import VarveCore
import VarveTestSupport

@Suite struct ReplacedFileTests {
  private func replacing(
    _ store: TemporaryRealm, _ types: [ObjectBase.Type], _ version: UInt64
  ) -> Realm.Configuration {
    var configuration = store.configuration(types, version) { _, _ in
      Issue.record("a file that is replaced is not migrated")
    }
    configuration.deleteRealmIfMigrationNeeded = true
    return configuration
  }

  @Test(arguments: [0, 1] as [UInt64])
  func fileThatNeedsMigrationIsReplaced(version: UInt64) throws {
    try withMigratedFile { store in
      try store.fillShop()
      try Realm.close(store.configuration)
      let configuration = replacing(store, [Shop2.Person.self], version)
      let realm = try Realm(configuration: configuration)
      #expect(realm.isEmpty)
      #expect(realm.schema["Note"] == nil)
      #expect(try store.schemaVersion() == version)
      try realm.write { realm.create(Shop2.Person.self, value: ["id": 1]) }
      try store.check()
    }
  }

  @Test func fileWithNewerVersionIsReplaced() throws {
    try withMigratedFile { store in
      _ = try store.open(Shop1.Note.self, version: 5)
      try Realm.close(store.configuration)
      _ = try Realm(configuration: replacing(store, [Shop1.Note.self], 4))
      #expect(try store.schemaVersion() == 4)
    }
  }

  @Test func fileThatNeedsNoMigrationIsKept() throws {
    try withMigratedFile { store in
      try store.fillShop()
      try Realm.close(store.configuration)
      let realm = try Realm(configuration: replacing(store, [Shop1.Person.self], 0))
      #expect(realm.objects(Shop1.Person.self).count == 3)
      try Realm.close(store.configuration)
      var added = replacing(store, [Release1.Gadget.self], 1)
      added.migrationBlock = nil
      #expect(try Realm(configuration: added).dynamicObjects("Person").count == 3)
    }
  }

  @Test func fileOpenInAnotherProcessIsKept() throws {
    try withMigratedFile { store in
      try store.fillShop()
      try Realm.close(store.configuration)
      let other = TestProcess(["migrationHold", store.path])
      #expect(other.line() == "holds 3")
      let configuration = replacing(store, [Shop2.Person.self], 0)
      expectError(.schemaMismatch) { try Realm(configuration: configuration) }
      other.go()
      #expect(other.line() == "still 3")
      other.wait()
      #expect(try Realm(configuration: configuration).isEmpty)
    }
  }

  @Test func fileOpenInThisProcessIsKept() throws {
    try withMigratedFile { store in
      try store.fillShop()
      let realm = try store.open()
      let configuration = replacing(store, [Shop2.Person.self], 0)
      expectError(.schemaMismatch) { try Realm(configuration: configuration) }
      #expect(try realm.dynamicObjects("Person").count == 3)
      // The file is closed but a frozen realm still reads it.
      try Realm.close(store.configuration)
      let frozen = realm.freeze()
      expectError(.schemaMismatch) { try Realm(configuration: configuration) }
      #expect(try frozen.dynamicObjects("Person").count == 3)
    }
  }

  @Test func readingSchemaVersionLeavesNoTrace() throws {
    try withMigratedFile { store in
      let url = store.directory.appending(path: "test.varve")
      expectError(.invalidDatabase) { try schemaVersionAtURL(url) }
      #expect(try FileManager.default.contentsOfDirectory(atPath: store.directory.path) == [])
      _ = try store.open(Shop1.Note.self, version: 12)
      #expect(try schemaVersionAtURL(url) == 12)
      try Realm.close(store.configuration)
      for name in ["test.varve-lock", "test.varve-signal"] {
        try FileManager.default.removeItem(at: store.directory.appending(path: name))
      }
      let before = try Data(contentsOf: url)
      #expect(try schemaVersionAtURL(url) == 12)
      #expect(try Data(contentsOf: url) == before)
      let names = try FileManager.default.contentsOfDirectory(atPath: store.directory.path)
      #expect(names == ["test.varve"])
      try Data("no store".utf8).write(to: store.directory.appending(path: "text"))
      expectError(.invalidDatabase) {
        try schemaVersionAtURL(store.directory.appending(path: "text"))
      }
    }
  }

  @Test func performMigrationMigratesWithoutRealm() throws {
    try withMigratedFile { store in
      try store.fillShop()
      try Realm.close(store.configuration)
      let configuration = store.configuration([Shop2.Person.self, Shop2.Place.self], 3) { m, _ in
        m.renameProperty(onType: "Person", from: "age", to: "years")
      }
      try Realm.performMigration(for: configuration)
      #expect(try store.schemaVersion() == 3)
      // The file is closed again, so another process can replace it.
      let other = TestProcess(["migrationReplace", store.path])
      #expect(other.line() == "replaced")
      other.wait()
    }
  }
}

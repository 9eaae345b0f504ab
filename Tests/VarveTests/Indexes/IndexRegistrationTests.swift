import Foundation
import Testing
import Varve
import VarveCore
import VarveJSONLines

private enum First {
  @Model final class Ledge: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var place = 0
    @Persisted var note: String?
  }
}

private enum Second {
  @Model(unique: [["name", "place"]]) final class Ledge: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var place = 0
    @Persisted(fullText: true) var note: String?
  }
}

private enum Third {
  @Model(indexes: [["label", "id"]]) final class Ledge: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var label = ""
    @Persisted var place = 0
    @Persisted var note: String?
  }
}

private enum Misdeclared {
  @Model(indexes: [["links"], ["name", "name"]]) final class Bracket: Object {
    @Persisted var name = ""
    @Persisted var links: List<Bracket>
    @Persisted(fullText: true) var number = 0
  }
}

/// Class indexes that are added to and removed from the model.
@Suite struct IndexRegistrationTests {
  private func withLedges(
    names: [String], _ body: (TemporaryRealm) throws -> Void
  ) throws {
    try withMigratedFile { store in
      let realm = try Realm(configuration: store.configuration([First.Ledge.self], 0))
      try realm.write {
        for (id, name) in names.enumerated() {
          realm.create(
            First.Ledge.self, value: ["id": id, "name": name, "note": "a note, a \(name)"])
        }
      }
      try body(store)
    }
  }

  @Test func newIndexContainsExistingObjects() throws {
    try withLedges(names: ["a", "b", "c"]) { store in
      #expect(try store.report().indexEntryCount == 0)
      let realm = try store.open(Second.Ledge.self, version: 0)
      // For each object one name, and two or three words.
      #expect(try store.report().indexEntryCount == 3 + 2 + 3 + 3)
      expectError(.duplicateValue) {
        try realm.write { _ = realm.create(Second.Ledge.self, value: ["id": 9, "name": "a"]) }
      }
      try realm.write { realm.delete(realm.objects(Second.Ledge.self)) }
      #expect(try store.report().indexEntryCount == 0)
    }
  }

  @Test func uniqueIndexOverDuplicatesIsRejected() throws {
    try withLedges(names: ["a", "b", "a"]) { store in
      let error = thrownError {
        _ = try store.open(Second.Ledge.self, version: 0)
      }
      #expect(error?.code == .duplicateValue)
      #expect(error?.className == "Ledge")
      #expect(error?.propertyName == "name, place")
      #expect(error?.value == "\"a\", 0")
      _ = try store.open(First.Ledge.self, version: 0)
      #expect(try store.report().indexEntryCount == 0)
    }
  }

  @Test func removedIndexStaysUntilMigration() throws {
    try withLedges(names: ["a", "b"]) { store in
      _ = try store.open(Second.Ledge.self, version: 0)
      let realm = try store.open(First.Ledge.self, version: 0)
      expectError(.duplicateValue) {
        try realm.write { realm.objects(First.Ledge.self).last?.name = "a" }
      }
      let migrated = try store.open(First.Ledge.self, version: 1)
      #expect(try store.report().indexEntryCount == 0)
      try migrated.write { migrated.objects(First.Ledge.self).last?.name = "a" }
    }
  }

  @Test func migrationRebuildsIndexes() throws {
    try withLedges(names: ["a", "b"]) { store in
      _ = try store.open(Second.Ledge.self, version: 1)
      let realm = try store.open(Third.Ledge.self, version: 2) { migration, _ in
        migration.renameProperty(onType: "Ledge", from: "name", to: "label")
      }
      #expect(realm.objects(Third.Ledge.self).map(\.label) == ["a", "b"])
      #expect(realm.objects(Third.Ledge.self).first?.objectSchema.indexes.count == 1)
      #expect(try store.report().indexEntryCount == 2)
    }
  }

  @Test func exportAndImportKeepTheIndexes() throws {
    try withLedges(names: ["a", "b"]) { store in
      let realm = try store.open(Second.Ledge.self, version: 0)
      let file = store.directory.appending(path: "export.jsonl")
      try realm.exportJSONLines(to: file)
      try withMigratedFile { copy in
        let imported = try Realm(configuration: copy.configuration)
        try imported.importJSONLines(from: file)
        #expect(try copy.report().indexEntryCount == store.report().indexEntryCount)
        try copy.check()
      }
    }
  }

  @Test func invalidIndexIsRejected() throws {
    try withTemporaryRealm { realm, _ in
      let error = thrownError { try realm.register(Misdeclared.Bracket.self) }
      #expect(error?.code == .invalidSchema)
      #expect(
        error?.details == [
          "Class 'Bracket': the full-text index (number) cannot have 'number' of type Int.",
          "Class 'Bracket': the index (links) cannot have 'links' of type List<Bracket>.",
          "Class 'Bracket': the index (name, name) names a property twice.",
        ])
    }
  }
}

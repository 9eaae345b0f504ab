import Foundation
import Testing
import Varve

@Suite struct SchemaConflictTests {
  private static let differences = [
    "Property 'Gadget.id' is no longer the primary key.",
    "Property 'Gadget.name' has been made the primary key.",
    "Property 'Gadget.size' has been changed from 'Int' to 'String'.",
    "Property 'Gadget.color' has been changed from 'String' to 'String?'.",
    "Property 'Gadget.notes' has been changed from 'List<String>' to 'List<Int>'.",
    "Property 'Gadget.labels' has been changed from 'Map<String, Int>' to 'List<Int>'.",
    "Property 'Gadget.maker' has been changed from 'Maker?' to 'Gadget?'.",
    "Property 'Maker.name' has been changed from 'String' to 'Int'.",
    "Primary key 'Maker.number' has been added.",
    "Property 'Maker.name' is no longer the primary key.",
  ]

  private func withGadgets(_ body: (Realm, TemporaryRealm) throws -> Void) throws {
    try withTemporaryRealm { realm, store in
      try realm.write {
        let maker = realm.create(Release2.Maker.self, value: ["name": "ACME"])
        realm.create(Release2.Gadget.self, value: ["id": 1, "name": "G", "maker": maker])
      }
      try body(realm, store)
      // The rejected models left no trace in the file.
      #expect(realm.objects(Release2.Gadget.self).map(\.name) == ["G"])
      try store.check()
    }
  }

  private func check(_ error: Realm.Error?) {
    #expect(error?.code == .schemaMismatch)
    let details = error?.details ?? []
    #expect(details.sorted() == Self.differences.sorted())
  }

  @Test func registeringListsEveryDifference() throws {
    try withGadgets { realm, _ in
      check(thrownError { try realm.register(Mismatch.Gadget.self, Mismatch.Maker.self) })
    }
  }

  @Test func openingListsEveryDifference() throws {
    try withGadgets { realm, store in
      try store.close()
      var configuration = store.configuration
      configuration.objectTypes = [Mismatch.Gadget.self, Mismatch.Maker.self]
      check(thrownError { try Realm(configuration: configuration) })
      try Realm.close(store.configuration)
    }
  }

  @Test func openingReadOnlyListsEveryDifference() throws {
    try withGadgets { realm, store in
      try store.close()
      var configuration = store.configuration
      configuration.readOnly = true
      configuration.objectTypes = [Mismatch.Gadget.self, Mismatch.Maker.self]
      check(thrownError { try Realm(configuration: configuration) })
      configuration.objectTypes = nil
      try Realm.close(configuration)
    }
  }

  @Test func firstWriteListsEveryDifference() throws {
    try withGadgets { realm, _ in
      let version = realm.version
      let error = thrownError {
        try realm.write { realm.create(Mismatch.Gadget.self, value: ["id": 5, "name": "x"]) }
      }
      #expect(error?.code == .schemaMismatch)
      let details = error?.details ?? []
      // All differences of the class; it links to no other class.
      #expect(details.sorted() == Self.differences.prefix(7).sorted())
      #expect(realm.version == version)
    }
  }

  @Test func invalidDeclarationListsEveryError() throws {
    try withTemporaryRealm { realm, store in
      let error = thrownError { try realm.register(Unsound.Thing.self) }
      #expect(error?.code == .invalidSchema)
      let details = error?.details ?? []
      #expect(
        details.contains { $0.contains("'Thing.price'") && $0.contains("primary key") },
        "\(details)")
      #expect(details.contains { $0.contains("'Thing.tags'") && $0.contains("indexed") })
      #expect(details.contains { $0.contains("'Thing.owners'") && $0.contains("missing") })
      #expect(details.contains { $0.contains("'Thing.others'") && $0.contains("not link") })
      #expect(details.contains { $0.contains("'Thing.gaps'") && $0.contains("nil") })
      #expect(details.count == 5, "\(details)")
      #expect(realm.objects(Unsound.Thing.self).isEmpty)
      try store.check()
    }
  }

  @Test func duplicateClassNameThrows() throws {
    try withTemporaryRealm { realm, _ in
      let error = thrownError { try realm.register(Release1.Gadget.self, Release2.Gadget.self) }
      #expect(error?.code == .invalidSchema)
      #expect(error?.details.last == "Class name 'Gadget' is declared more than once.")
    }
  }
}

private enum Unsound {
  @Model final class Thing: Object {
    @Persisted var id: Int
    @Persisted(primaryKey: true) var price: Double
    @Persisted(indexed: true) var tags: List<String>
    @Persisted(originProperty: "missing") var owners: LinkingObjects<Thing>
    @Persisted(originProperty: "id") var others: LinkingObjects<Thing>
    @Persisted var gaps: List<Thing?>
  }
}

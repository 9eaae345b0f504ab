import Testing
import Varve
import VarveCore
import VarveStorage

private enum WithoutIndex {
  @Model final class Leaflet: Object {
    @Persisted var number = 0
    @Persisted var body = ""
  }
}

private enum WithIndex {
  @Model final class Leaflet: Object {
    @Persisted var number = 0
    @Persisted(fullText: true) var body = ""
  }
}

private enum Keyed {
  @Model final class Leaflet: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted(fullText: true) var body = ""
  }
}

private enum Renamed {
  @Model final class Leaflet: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted(fullText: true) var content = ""
  }
}

/// Full-text indexes in migrations.
@Suite struct FullTextMigrationTests {
  private static let count = 3000

  /// Objects whose numbers descend while their ids ascend.
  private func withLeaflets(_ body: (TemporaryRealm) throws -> Void) throws {
    try withMigratedFile { store in
      let realm = try Realm(configuration: store.configuration([WithoutIndex.Leaflet.self], 0))
      try realm.write {
        for index in 0..<Self.count {
          let number = Self.count - index
          realm.create(
            WithoutIndex.Leaflet.self,
            value: ["number": number, "body": "all r\(number % 7) \(number)"])
        }
      }
      try body(store)
    }
  }

  @Test func indexIsAddedToOldClass() throws {
    try withLeaflets { store in
      let realm = try store.open(WithIndex.Leaflet.self, version: 0)
      // Built without pending texts.
      #expect(try store.textBlocks("Leaflet").pendingCount == 0)
      let leaflets = realm.objects(WithIndex.Leaflet.self)
      #expect(leaflets.search("all", in: \.body).count == Self.count)
      #expect(leaflets.search("all 17", in: \.body).map(\.object.number) == [17])
      #expect(
        leaflets.search("r3", in: \.body).count == (1...Self.count).count { $0 % 7 == 3 })
      try realm.write { realm.delete(leaflets.where { $0.number > 100 }) }
      #expect(leaflets.search("all", in: \.body).count == 100)
      try store.check()
    }
  }

  @Test func indexFollowsNewObjectIDs() throws {
    try withLeaflets { store in
      let indexed = try store.open(WithIndex.Leaflet.self, version: 1)
      // Some texts are pending, some outdated.
      try indexed.write {
        for leaflet in indexed.objects(WithIndex.Leaflet.self).where({ $0.number < 50 }) {
          leaflet.body = "few \(leaflet.number)"
        }
      }
      let keyed = try store.open(Keyed.Leaflet.self, version: 2)
      let leaflets = keyed.objects(Keyed.Leaflet.self)
      #expect(leaflets.search("few", in: \.body).map(\.object.number).sorted() == Array(1..<50))
      #expect(leaflets.search("17", in: \.body).map(\.object.number) == [17])
      #expect(leaflets.search("all", in: \.body).count == Self.count - 49)
      let renamed = try store.open(Renamed.Leaflet.self, version: 3) { migration, _ in
        migration.renameProperty(onType: "Leaflet", from: "body", to: "content")
      }
      let contents = renamed.objects(Renamed.Leaflet.self)
      #expect(contents.search("2999", in: \.content).map(\.object.number) == [2999])
      let plain = try store.open(WithoutIndex.Leaflet.self, version: 4) { migration, _ in
        migration.renameProperty(onType: "Leaflet", from: "content", to: "body")
      }
      #expect(plain.objects(WithoutIndex.Leaflet.self).count == Self.count)
      #expect(try store.report().indexEntryCount == 0)
      #expect(try store.count(.indexes) == 0)
    }
  }

  @Test func removedClassLeavesNothing() throws {
    try withLeaflets { store in
      let realm = try store.open(WithIndex.Leaflet.self, version: 1)
      try realm.write { realm.objects(WithIndex.Leaflet.self).first?.body = "changed" }
      _ = try store.open(Essay.self, version: 2) { migration, _ in
        migration.deleteData(forType: "Leaflet")
      }
      #expect(try store.count(.indexes) == 0)
    }
  }
}

import Foundation
import Testing
import Varve
import VarveCore
import VarveStorage

/// Reads of objects whose defaults have not been stored yet, and what becomes of them.
@Suite struct MissingDefaultTests {
  private func add(_ ids: Range<Int>, _ realm: Realm) throws {
    try realm.write {
      for id in ids {
        realm.create(BeforeDefaults.Voucher.self, value: ["id": id, "name": "n\(id)"])
      }
    }
  }

  /// Runs a body with the version in which three objects lack their defaults, and two have all of
  /// them: `full`, and `early` with values below the marks.
  private func withMissing(
    _ body: (Realm, _ full: ObjectDefaults.Voucher, _ early: ObjectDefaults.Voucher) throws -> Void
  ) throws {
    try withTemporaryRealm { realm, _ in
      try realm.register(ObjectDefaults.Voucher.self)
      try realm.write {
        realm.create(ObjectDefaults.Voucher.self, value: ["id": 9])
        realm.create(
          ObjectDefaults.Voucher.self,
          value: ["id": 10, "created": Date.distantPast, "number": Int.min])
      }
      try add(0..<3, realm)
      // The background may have stored the defaults in a later version.
      let frozen = realm.freeze()
      let items = frozen.objects(ObjectDefaults.Voucher.self)
      try body(
        frozen, try #require(items.first { $0.id == 9 }), try #require(items.first { $0.id == 10 }))
    }
  }

  @Test func aggregatesSkipMissingDefaults() throws {
    try withMissing { realm, full, early in
      let items = realm.objects(ObjectDefaults.Voucher.self)
      #expect(items.count == 5)
      #expect(items.min(of: \.number) == .min && items.max(of: \.number) == full.number)
      #expect(items.sum(of: \.number) == full.number &+ .min)
      #expect(items.min(of: \.created) == .distantPast && items.max(of: \.created) == full.created)
      #expect(items.sum(of: \.weight) == full.weight + early.weight)
      #expect(items.sum(of: \.sum) == full.sum + early.sum)
      let recent = items.where { $0.id < 10 }
      #expect(recent.average(of: \.weight) == full.weight && recent.min(of: \.sum) == full.sum)
    }
  }

  @Test func conditionsAndOrdersTakeMissingDefaultsForNull() throws {
    try withMissing { realm, full, _ in
      let items = realm.objects(ObjectDefaults.Voucher.self)
      let year2002 = Date(timeIntervalSinceReferenceDate: 366 * 86_400)
      #expect(items.where { $0.created < year2002 }.map(\.id) == [10])
      #expect(items.where { $0.created >= year2002 }.map(\.id) == [9])
      #expect(items.where { $0.number < 1_000 || $0.number > full.number }.map(\.id) == [10])
      #expect(items.where { $0.number == full.number && $0.token == full.token }.map(\.id) == [9])
      #expect(items.filter("code BEGINSWITH 'varve' || weight < 1 || share < 1").isEmpty)
      #expect(items.where { $0.stamp == nil }.count == 3)
      #expect(items.sorted(by: \.created).map(\.id) == [0, 1, 2, 10, 9])
      #expect(items.sorted(by: \.created, ascending: false).map(\.id) == [9, 10, 0, 1, 2])
      #expect(items.sorted(by: \.number).map(\.id) == [0, 1, 2, 10, 9])
      #expect(items.sorted(by: \.number, ascending: false).map(\.id) == [9, 10, 0, 1, 2])
      #expect(items.sorted(by: \.code).first?.id == 0)
      // Reads make the defaults all the same.
      #expect(
        Set(items.map(\.token)).count == 5 && items.prefix(4).allSatisfy { $0.number > 1_000 })
    }
  }

  /// Older versions of the class, and one in which properties became optional.
  @Test func migrationStoresNoMark() throws {
    try withMigratedFile { store in
      let realm = try store.open(ObjectDefaults.Voucher.self, version: 0)
      try add(0..<3, realm)
      let migrated = try store.open(OptionalDefaults.Voucher.self, version: 1)
      for item in migrated.objects(OptionalDefaults.Voucher.self) {
        #expect(item.created.map { $0.timeIntervalSinceNow > -600 } ?? true)
        #expect(item.code.map { UUID(uuidString: $0) != nil } ?? true)
        #expect(item.number.map { $0 > 1_000 } ?? true)
      }
    }
  }

  @Test func newObjectWithKeyOfDeletedOneHasDefaultOfItsOwn() throws {
    try withTemporaryRealm { realm, store in
      try realm.register(ObjectDefaults.Voucher.self)
      let core = try store.configuration.store()
      var tokens: Set<UUID> = []
      for _ in 0..<3 {
        try add(5..<6, realm)
        let item = try #require(
          realm.object(ofType: ObjectDefaults.Voucher.self, forPrimaryKey: 5))
        tokens.insert(item.token)
        try core.storeMissingDefaults()
        try realm.refresh()
        tokens.insert(item.token)
        try realm.write { realm.delete(item) }
      }
      #expect(tokens.count == 3)
    }
  }

  @Test func readInWriteOfRefusedDefaultDoesNotFail() throws {
    try withTemporaryRealm { realm, store in
      try realm.register(TakenDefaults.Voucher.self)
      try realm.write {
        for rank in 0..<2 {
          realm.create(
            TakenDefaults.Voucher.self, value: ["id": 100 + rank, "name": "n4", "rank": rank])
        }
      }
      try add(4..<5, realm)
      let item = try #require(
        realm.object(ofType: TakenDefaults.Voucher.self, forPrimaryKey: 4))
      for _ in 0..<3 { try realm.write { _ = item.rank } }
      // The next default is free.
      try realm.write {
        realm.object(ofType: TakenDefaults.Voucher.self, forPrimaryKey: 100)?.rank = 7
        realm.object(ofType: TakenDefaults.Voucher.self, forPrimaryKey: 101)?.rank = 8
      }
      let core = try store.configuration.store()
      try core.storeMissingDefaults()
      try realm.refresh()
      #expect(
        realm.objects(TakenDefaults.Voucher.self).where { $0.id == 4 && $0.rank == item.rank }.count
          == 1)
      try store.check()
    }
  }
}

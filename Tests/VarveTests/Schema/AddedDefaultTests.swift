import Foundation
import Testing
import Varve
import VarveCore
import VarveLocks
import VarveStorage

/// Two releases of a program use one store. The newer one declares properties with defaults.
@Suite struct AddedDefaultTests {
  private func add(_ ids: Range<Int>, _ realm: Realm) throws {
    try realm.write {
      for id in ids {
        realm.create(BeforeDefaults.Voucher.self, value: ["id": id, "name": "n\(id)"])
      }
    }
  }

  /// Runs a body with objects of the older release, created before and after the newer one adds its
  /// properties.
  private func withBoth(
    _ newer: Object.Type, _ body: (Realm, TemporaryRealm) throws -> Void
  ) throws {
    try withTemporaryRealm { realm, store in
      try add(0..<3, realm)
      try realm.register(newer)
      try add(3..<6, realm)
      try body(realm, store)
      try store.check()
    }
    // The newer release creates the store.
    try withTemporaryRealm { realm, store in
      try realm.register(newer)
      try add(0..<6, realm)
      try body(realm, store)
      try store.check()
    }
  }

  private func expectConstants(_ item: ConstantDefaults.Voucher) {
    #expect(item.minutes == 300 && item.limit == 42 && item.price == 2.5)
    #expect(item.mode == .on && item.plainMode == .on && item.any == .int(4))
    #expect(item.data == Data([1]) && item.maybe == Data([2]) && item.ratio == 0.25)
    #expect(item.share == 0.125 && item.small == 3 && item.flag && item.label == "ab")
    #expect(item.text == "cd" && item.day == Date(timeIntervalSince1970: 86_400))
    #expect(item.heat.degrees == 21 && item.owner.uuid.15 == 16)
  }

  @Test func olderReleaseStoresConstantDefaults() throws {
    try withBoth(ConstantDefaults.Voucher.self) { realm, store in
      let items = realm.objects(ConstantDefaults.Voucher.self)
      #expect(items.count == 6)
      for item in items { expectConstants(item) }
      for item in realm.freeze().objects(ConstantDefaults.Voucher.self) { expectConstants(item) }
      try realm.write {
        for item in items { expectConstants(item) }
        for item in realm.objects(BeforeDefaults.Voucher.self) { item.name += "!" }
        for item in items { expectConstants(item) }
      }
      #expect(items.where { $0.minutes == 300 && $0.limit == 42 }.count == 6)
      #expect(
        items.where { $0.mode == .on && $0.label == "ab" }.count == 6)
      #expect(items.filter("any == 4").count == 6 && items.sum(of: \.minutes) == 1_800)
      #expect(try realm.dynamicObjects("Voucher").allSatisfy { ($0["limit"] as? Int) == 42 })
      try store.close()
      for item in try store.open().objects(ConstantDefaults.Voucher.self) { expectConstants(item) }
    }
  }

  @Test func constantsAreReadBeforeTheyAreStored() throws {
    try withTemporaryRealm { realm, store in
      try add(0..<3, realm)
      for item in realm.objects(ConstantDefaults.Voucher.self) { expectConstants(item) }
      #expect(realm.objects(ConstantDefaults.Voucher.self).where { $0.minutes == 300 }.count == 3)
      #expect(
        realm.objects(ConstantDefaults.Voucher.self).where { $0.limit == AddedDefault.limit }
          .sorted(by: \.name, ascending: false).map(\.id) == [2, 1, 0])
    }
  }

  @Test func defaultReadBeforePropertyIsAddedIsStored() throws {
    try withTemporaryRealm { realm, store in
      try add(0..<3, realm)
      let items = realm.objects(ObjectDefaults.Voucher.self)
      let made = items.map(\.made)
      expectDistinct(made)
      #expect(items.map(\.made) == made)
      try store.configuration.store().storeMissingDefaults()
      try realm.refresh()
      #expect(items.map(\.made) == made)
      try store.close()
      #expect(try store.open().objects(ObjectDefaults.Voucher.self).map(\.made) == made)
      try store.check()
    }
  }

  private func expectDistinct(_ made: [[String]]) {
    for column in 0..<(made.first?.count ?? 0) {
      #expect(Set(made.map { $0[column] }).count == made.count, "column \(column): \(made)")
    }
  }

  @Test func defaultOfEachObjectIsMadeOnceAndStored() throws {
    try withBoth(ObjectDefaults.Voucher.self) { realm, store in
      let items = realm.objects(ObjectDefaults.Voucher.self)
      let made = items.map(\.made)
      #expect(made.count == 6)
      expectDistinct(made)
      #expect(
        items.map(\.made) == made
          && realm.freeze().objects(ObjectDefaults.Voucher.self).map(\.made) == made)
      for (item, made) in zip(items, made) {
        #expect(item.madeByName == [made[0], made[3], made[4]])
        #expect(item.created.timeIntervalSinceNow > -600 && item.number > 1_000 && item.dice > 0)
      }
      try store.configuration.store().storeMissingDefaults()
      try realm.refresh()
      #expect(items.map(\.made) == made)
      for item in items {
        #expect(items.where { $0.token == item.token }.map(\.id) == [item.id])
        #expect(items.where { $0.number == item.number }.map(\.id) == [item.id])
        #expect(items.where { $0.code == item.code && $0.weight == item.weight }.count == 1)
      }
      #expect(items.sorted(by: \.number).map(\.number) == items.map(\.number).sorted())
      #expect(
        try realm.dynamicObjects("Voucher").map { "\($0["token"] as? UUID ?? UUID())" }
          == made.map { $0[0] })
      try store.close()
      #expect(try store.open().objects(ObjectDefaults.Voucher.self).map(\.made) == made)
    }
  }

  @Test func openingStoresMissingDefaults() throws {
    try withMigratedFile { store in
      _ = try store.open(ObjectDefaults.Voucher.self, version: 0)
      let older = try store.open(BeforeDefaults.Voucher.self, version: 0)
      try add(0..<100, older)
      let items = try store.open(ObjectDefaults.Voucher.self, version: 0)
        .objects(ObjectDefaults.Voucher.self)
      let tokens = items.map(\.token)
      #expect(Set(tokens).count == 100)
      for (id, token) in tokens.enumerated() {
        #expect(items.where { $0.token == token }.map(\.id) == [id])
      }
    }
  }

  @Test func readInsideWriteStoresDefault() throws {
    try withTemporaryRealm { realm, store in
      try realm.register(ObjectDefaults.Voucher.self)
      try realm.write {
        for id in 0..<4 { realm.create(BeforeDefaults.Voucher.self, value: ["id": id]) }
        let items = realm.objects(ObjectDefaults.Voucher.self)
        let made = items.map(\.made)
        expectDistinct(made)
        #expect(items.where { $0.token == items[2].token }.map(\.id) == [2])
        items[0].number += 1
        items[1].append([1, 2], to: \.bytes)
        #expect("\(items[0].number - 1)" == made[0][3] && items[1].bytes.count == 38)
      }
      let items = realm.objects(ObjectDefaults.Voucher.self)
      #expect(items[0].withBytes(\.bytes) { $0.byteCount } == 36)
      try store.check()
    }
  }

  @Test func valueSetByOlderOrNewerReleaseIsKept() throws {
    try withTemporaryRealm { realm, store in
      try add(0..<2, realm)
      try realm.register(ObjectDefaults.Voucher.self)
      let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
      try add(2..<4, realm)
      try realm.write {
        for item in realm.objects(ObjectDefaults.Voucher.self) {
          item.token = zero
          item.created = Date(timeIntervalSince1970: 0)
          item.stamp = nil
          item.any = .none
          item.number = 0
        }
        for item in realm.objects(BeforeDefaults.Voucher.self) { item.name = "changed" }
      }
      try store.configuration.store().storeMissingDefaults()
      try realm.refresh()
      for item in realm.objects(ObjectDefaults.Voucher.self) {
        #expect(item.token == zero && item.created == Date(timeIntervalSince1970: 0))
        #expect(item.stamp == nil && item.any == .none && item.number == 0)
        #expect(item.name == "changed")
      }
    }
  }

  /// The root record says that an opening need not look at the objects.
  @Test func fileNotesThatNoObjectLacksItsDefaults() throws {
    try withTemporaryRealm({ $0.objectTypes = [ObjectDefaults.Voucher.self] }) { realm, store in
      func isNoted() throws -> Bool {
        try store.configuration.store().newestSnapshot().root.hasAllDefaults
      }
      #expect(try isNoted())
      try realm.write { _ = realm.create(ObjectDefaults.Voucher.self, value: ["id": 7]) }
      #expect(try isNoted())
      let version = try #require(realm.version)
      try store.close()
      let reopened = try store.open()
      #expect(reopened.version == version)
      // The older release of the program stores marks.
      try add(0..<3, reopened)
      try store.configuration.store().storeMissingDefaults()
      #expect(try isNoted())
      try reopened.refresh()
      expectDistinct(reopened.objects(ObjectDefaults.Voucher.self).map(\.made))
      try store.close()
      let again = try store.open()
      #expect(try isNoted() && again.objects(ObjectDefaults.Voucher.self).count == 4)
      try store.check()
    }
  }

  @Test func uniqueDefaultIsMadeForEachObject() throws {
    try withTemporaryRealm { realm, store in
      try add(0..<3, realm)
      try realm.register(UniqueDefaults.Voucher.self)
      let core = try store.configuration.store()
      for id in 3..<6 {
        try add(id..<id + 1, realm)
        try core.storeMissingDefaults()
      }
      try realm.refresh()
      #expect(Set(realm.objects(UniqueDefaults.Voucher.self).map(\.code)).count == 6)
      // Two objects without a default would have equal values.
      expectError(.duplicateValue) { try add(6..<8, realm) }
      #expect(realm.objects(UniqueDefaults.Voucher.self).count == 6)
      try store.check()
    }
  }

  @Test func refusedDefaultStopsNoOtherObject() throws {
    try withTemporaryRealm { realm, store in
      try add(0..<1, realm)
      try realm.register(TakenDefaults.Voucher.self)
      let core = try store.configuration.store()
      try realm.write {
        for rank in 0..<2 {
          realm.create(
            TakenDefaults.Voucher.self, value: ["id": 100 + rank, "name": "n4", "rank": rank])
        }
      }
      // Both ranks of the name of object 4 are taken.
      try add(1..<8, realm)
      expectError(.duplicateValue) {
        try Realm.Error.translating { try core.storeMissingDefaults() }
      }
      #expect(try !core.newestSnapshot().root.hasAllDefaults)
      try realm.refresh()
      let ranks = realm.objects(TakenDefaults.Voucher.self).where { $0.rank == 0 || $0.rank == 1 }
      #expect(ranks.count == 9 && !ranks.contains { $0.id == 4 })
      try realm.write {
        realm.object(ofType: TakenDefaults.Voucher.self, forPrimaryKey: 4)?.rank = 2
      }
      try core.storeMissingDefaults()
      #expect(try core.newestSnapshot().root.hasAllDefaults)
      try store.check()
    }
  }

  @Test func defaultStoredAsZeroByEarlierVarveIsRestated() throws {
    try withTemporaryRealm { realm, store in
      try add(0..<2, realm)
      try realm.register(ZeroDefaults.Voucher.self)
      try add(2..<4, realm)
      try realm.register(RestatedDefaults.Voucher.self)
      let items = realm.objects(RestatedDefaults.Voucher.self)
      // Nobody can tell the zeros that were stored from those that nobody wrote.
      #expect(items.map(\.minutes) == [0, 0, 0, 0] && items.allSatisfy { $0.mode == nil })
      try add(4..<6, realm)
      #expect(items.map(\.minutes) == [0, 0, 0, 0, 300, 300])
      #expect(items[4].mode == .on && items[4].created.timeIntervalSinceNow > -600)
      #expect(items[4].created == items[4].created && items[0].created.timeIntervalSince1970 == 0)
      try store.check()
    }
  }

  @Test func collectionWithDefaultNeedsNewSchemaVersion() throws {
    try withMigratedFile { store in
      try add(0..<3, try store.open(BeforeDefaults.Voucher.self, version: 0))
      let error = thrownError {
        try store.open(ContentDefaults.Voucher.self, ContentDefaults.Place.self, version: 0)
      }
      #expect(error?.code == .schemaMismatch && error?.details.count == 4)
      #expect(error?.details.first?.contains("raise the schema version") ?? false)
      let items = try store.open(
        ContentDefaults.Voucher.self, ContentDefaults.Place.self, version: 1
      )
      .objects(ContentDefaults.Voucher.self)
      #expect(items.count == 3)
      for item in items {
        #expect(Array(item.tags) == ["new", "unread"] && item.sizes["s"] == 1)
        #expect(item.marks.contains(7) && item.place?.city == "Bern" && item.empty.isEmpty)
      }
    }
  }

  private func expectSwapped(_ items: Results<SwappedDefaults.Voucher>, _ count: Int) {
    #expect(items.count == count && Set(items.map(\.code)).count == count)
    for item in items {
      #expect(UUID(uuidString: item.code) != nil && Int(item.rank) ?? 0 > 1_000)
    }
  }

  @Test func defaultsOfAliasedPropertiesAreMade() throws {
    try withTemporaryRealm { realm, store in
      try add(0..<3, realm)
      try realm.register(SwappedDefaults.Voucher.self)
      try add(3..<6, realm)
      expectSwapped(realm.objects(SwappedDefaults.Voucher.self), 6)
      try store.configuration.store().storeMissingDefaults()
      try realm.refresh()
      expectSwapped(realm.objects(SwappedDefaults.Voucher.self), 6)
      try store.check()
    }
    try withMigratedFile { store in
      try add(0..<3, try store.open(BeforeDefaults.Voucher.self, version: 0))
      let realm = try store.open(SwappedDefaults.Voucher.self, version: 1) { migration, _ in
        migration.create("Voucher", value: ["id": 3])
      }
      expectSwapped(realm.objects(SwappedDefaults.Voucher.self), 4)
    }
  }

  @Test func defaultMayReadItsOwnStore() throws {
    try withTemporaryRealm { realm, store in
      ReadingDefaults.configuration.withLock { $0 = store.configuration }
      defer { ReadingDefaults.configuration.withLock { $0 = nil } }
      try add(0..<3, realm)
      try realm.register(ReadingDefaults.Voucher.self)
      try add(3..<6, realm)
      try realm.refresh()
      let items = realm.objects(ReadingDefaults.Voucher.self)
      #expect(items.count == 6 && items.allSatisfy { $0.rank > 1_000 })
      try store.configuration.store().storeMissingDefaults()
      try store.check()
    }
  }

  @Test func closingEndsTheRunThatStoresDefaults() throws {
    for _ in 0..<20 {
      try withTemporaryRealm { realm, store in
        try realm.register(ObjectDefaults.Voucher.self)
        try add(0..<200, realm)
        _ = realm.objects(ObjectDefaults.Voucher.self).first?.token
        try store.close()
        let items = try store.open().objects(ObjectDefaults.Voucher.self)
        expectDistinct(items.map(\.made))
        try store.check()
      }
    }
  }

  @Test func migrationMakesDefaults() throws {
    try withMigratedFile { store in
      try add(0..<3, try store.open(BeforeDefaults.Voucher.self, version: 0))
      let realm = try store.open(ObjectDefaults.Voucher.self, version: 1) { migration, _ in
        migration.create("Voucher", value: ["id": 3])
        migration.enumerateObjects(ofType: "Voucher") { _, new in new?["name"] = "migrated" }
      }
      let items = realm.objects(ObjectDefaults.Voucher.self)
      let made = items.map(\.made)
      #expect(made.count == 4)
      expectDistinct(made)
      for item in items {
        #expect(items.where { $0.token == item.token }.count == 1 && item.number > 1_000)
      }
      let again = try store.open(ObjectDefaults.Voucher.self, version: 1)
      #expect(again.objects(ObjectDefaults.Voucher.self).map(\.made) == made)
    }
  }
}

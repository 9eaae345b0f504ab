import Foundation
import Testing
import Varve
import VarveCore
import VarveLocks
import VarveStorage
import VarveTestSupport

/// The values that threads have read, by object.
private final class ReadTokens: Sendable {
  let tokens = Lock<[Int: Set<UUID>]>([:])
  let ended = Lock(0)

  func note(_ id: Int, _ token: UUID) {
    tokens.withLock { _ = $0[id, default: []].insert(token) }
  }
}

/// When and how the defaults are stored that objects of an older release lack.
@Suite struct DefaultFillingTests {
  private func add(_ ids: Range<Int>, _ realm: Realm) throws {
    try realm.write {
      for id in ids {
        realm.create(BeforeDefaults.Voucher.self, value: ["id": id, "name": "n\(id)"])
      }
    }
  }

  @Test func defaultsOfClassWithLinksAreStored() throws {
    try withTemporaryRealm { realm, store in
      try add(0..<3, realm)
      let items = realm.objects(LinkedDefaults.Voucher.self)
      let tokens = items.map(\.token)
      #expect(Set(tokens).count == 3)
      try store.configuration.store().storeMissingDefaults()
      try store.close()
      let stored = try store.open().objects(LinkedDefaults.Voucher.self)
      #expect(stored.map(\.token) == tokens)
      for (id, token) in tokens.enumerated() {
        #expect(stored.where { $0.token == token }.map(\.id) == [id])
      }
      try store.check()
    }
  }

  @Test(.timeLimit(.minutes(2))) func storeIsClosedWhileDefaultOpensAnother() throws {
    try withTemporaryRealm { _, other in
      try withTemporaryRealm { realm, store in
        try realm.register(OpeningDefaults.Voucher.self)
        OpeningDefaults.other.withLock { $0 = other.configuration }
        defer { OpeningDefaults.other.withLock { $0 = nil } }
        try add(0..<2_000, realm)
        let core = try store.configuration.store()
        let thread = Thread { try? core.storeMissingDefaults() }
        thread.start()
        let deadline = ContinuousClock.now + .seconds(60)
        while OpeningDefaults.opened.withLock({ $0 }) < 3, .now < deadline { usleep(100) }
        #expect(OpeningDefaults.opened.withLock { $0 } >= 3)
        try store.close()
        // The run has ended, although it was far from its end.
        let count = OpeningDefaults.opened.withLock { $0 }
        #expect(count < 2_000)
        usleep(20_000)
        #expect(OpeningDefaults.opened.withLock { $0 } == count)
      }
    }
  }

  @Test func olderVersionsHaveNoValueOfAddedProperty() throws {
    try withTemporaryRealm { realm, _ in
      try add(0..<3, realm)
      let old = realm.freeze()
      try realm.register(ObjectDefaults.Voucher.self)
      let items = old.objects(ObjectDefaults.Voucher.self)
      #expect(items.sum(of: \.number) == 0 && items.sum(of: \.sum) == 0)
      #expect(items.min(of: \.created) == nil && items.max(of: \.weight) == nil)
      #expect(items.where { $0.number < 1_000 || $0.number > 0 }.isEmpty)
      #expect(items.filter("code BEGINSWITH 'varve'").isEmpty)
      #expect(items.where { $0.stamp == nil }.count == 3)
      #expect(Set(items.map(\.token)).count == 3)
    }
  }

  @Test(.timeLimit(.minutes(5))) func openingDoesNotWaitForLongWrite() throws {
    let store = try TemporaryRealm {
      $0.objectTypes = [ObjectDefaults.Voucher.self]
      $0.writeTimeout = .seconds(3600)
    }
    defer { store.end() }
    _ = try store.open()
    try store.close()
    let older = TestProcess(["defaultsOlder", store.path])
    #expect(older.line() == "ready")
    older.go()
    #expect(older.line() == "added")
    older.send("hold")
    #expect(older.line() == "holds")
    // Waiting for the write would take an hour.
    let realm = try store.open()
    let made = realm.objects(ObjectDefaults.Voucher.self).map(\.made)
    #expect(made.count == 3)
    older.go()
    #expect(older.line() == "added")
    older.send("end")
    older.wait()
    let core = try store.configuration.store()
    try core.storeMissingDefaults()
    try realm.refresh()
    #expect(realm.objects(ObjectDefaults.Voucher.self).prefix(3).map(\.made) == made)
    #expect(try core.newestSnapshot().root.hasAllDefaults)
  }

  @Test(arguments: [true, false])
  func keyOfDeletedObjectIsUsedAgainAfterRegistration(isWritten: Bool) throws {
    try withTemporaryRealm { realm, store in
      try add(5..<6, realm)
      let item = try #require(
        realm.object(ofType: ObjectDefaults.Voucher.self, forPrimaryKey: 5))
      let token = item.token
      if isWritten {
        try realm.write { item.name = "registers the class" }
      } else {
        try store.configuration.store().storeMissingDefaults()
      }
      try realm.refresh()
      #expect(item.token == token)
      try realm.write { realm.delete(item) }
      try add(5..<6, realm)
      let new = try #require(
        realm.object(ofType: ObjectDefaults.Voucher.self, forPrimaryKey: 5))
      #expect(new.token != token)
    }
  }

  /// The second class is read while the first is added, and not read again.
  @Test func classReadDuringRunIsAddedLater() throws {
    try withTemporaryRealm { realm, store in
      try add(0..<2_000, realm)
      try realm.write {
        realm.create(BeforeNested.Parcel.self, value: ["id": 1, "tag": ["label": "a"]])
      }
      let first = try #require(realm.objects(ObjectDefaults.Voucher.self).first)
      let parcel = try #require(realm.objects(NestedDefaults.Parcel.self).first)
      let token = first.token
      usleep(1_000)
      let stamp = parcel.tag?.stamp
      // Rounds of housekeeping, without a read.
      let core = try store.configuration.store()
      var hasProperty = false
      let deadline = ContinuousClock.now + .seconds(60)
      while !hasProperty, .now < deadline {
        usleep(20_000)
        core.tidy()
        let newest = try core.newestSnapshot()
        let file = try FileSchema.load(from: newest, newest.root)
        hasProperty = file.schema(named: "Tag")?.property(named: "stamp") != nil
      }
      #expect(hasProperty)
      try realm.refresh()
      #expect(first.token == token && stamp != nil && parcel.tag?.stamp == stamp)
    }
  }

  /// A release adds a property to a class, some of whose objects lack the default of another one.
  @Test func defaultsOfPropertiesOfTwoReleasesStay() throws {
    try withTemporaryRealm { realm, store in
      try realm.register(SearchedDefaults.Voucher.self)
      try add(0..<3, realm)
      let frozen = realm.freeze()
      let notes = frozen.objects(SearchedDefaults.Voucher.self).map(\.note)
      let numbers = frozen.objects(ObjectDefaults.Voucher.self).map(\.number)
      // Adds the properties of the other release, and not the notes.
      try realm.write {
        realm.object(ofType: ObjectDefaults.Voucher.self, forPrimaryKey: 0)?.name = "n"
      }
      #expect(realm.objects(SearchedDefaults.Voucher.self).map(\.note) == notes)
      try store.configuration.store().storeMissingDefaults()
      try realm.refresh()
      #expect(realm.objects(SearchedDefaults.Voucher.self).map(\.note) == notes)
      #expect(realm.objects(ObjectDefaults.Voucher.self).map(\.number) == numbers)
      #expect(frozen.objects(SearchedDefaults.Voucher.self).map(\.note) == notes)
      try store.check()
    }
  }

  @Test func wordsOfMissingDefaultAreNotFound() throws {
    try withTemporaryRealm { realm, store in
      try realm.register(SearchedDefaults.Voucher.self)
      try add(0..<3, realm)
      let frozen = realm.freeze()
      let items = frozen.objects(SearchedDefaults.Voucher.self)
      for word in ["varve", "no", "value", "code"] {
        #expect(items.where { $0.note.fullTextSearch(word) }.isEmpty)
        #expect(items.search(word, in: \.note).isEmpty)
      }
      try store.configuration.store().storeMissingDefaults()
      try realm.refresh()
      let stored = realm.objects(SearchedDefaults.Voucher.self)
      #expect(stored.where { $0.note.fullTextSearch("code") }.count == 3)
      #expect(stored.search("code", in: \.note).count == 3)
      #expect(stored.where { $0.note.fullTextSearch("value") }.isEmpty)
    }
  }

  @Test func defaultReadByNameIsStored() throws {
    let store = try TemporaryRealm { $0.objectTypes = [UniqueDefaults.Voucher.self] }
    defer { store.end() }
    // Declares the class, and uses it in another store.
    try withTemporaryRealm { realm, _ in try realm.register(LinkedDefaults.Voucher.self) }
    var all = store.configuration
    all.objectTypes = [LinkedDefaults.Voucher.self, LinkedDefaults.Shop.self]
    try Realm(configuration: all).register(LinkedDefaults.Voucher.self)
    try Realm.close(all)
    let older = TestProcess(["defaultsOlder", store.path])
    #expect(older.line() == "ready")
    older.go()
    #expect(older.line() == "added")
    older.send("end")
    older.wait()

    all.objectTypes = [BeforeDefaults.Voucher.self]
    let realm = try Realm(configuration: all)
    let items = try realm.dynamicObjects("Voucher")
    let tokens = items.map { $0["token"] as? UUID }
    #expect(tokens.count == 3 && Set(tokens).count == 3 && !tokens.contains(nil))
    try all.store().storeMissingDefaults()
    try realm.refresh()
    #expect(items.map { $0["token"] as? UUID } == tokens)
    let core = try all.store()
    #expect(try core.newestSnapshot().root.hasAllDefaults)
    try Realm.close(all)
  }

  /// Readers of live and frozen versions, while the property is added by the background, or by a write.
  @Test(arguments: [true, false], [true, false])
  func readsAgreeWhilePropertyIsAdded(isWritten: Bool, hasLinks: Bool) throws {
    for round in 0..<8 {
      try withTemporaryRealm { realm, store in
        try add(0..<300, realm)
        let frozen = realm.freeze()
        let read = ReadTokens()
        let configuration = store.configuration
        for reader in 0..<2 {
          Thread {
            defer { read.ended.withLock { $0 += 1 } }
            guard let live = try? Realm(configuration: configuration) else { return }
            let source = reader == 0 ? frozen : live
            for _ in 0..<3 {
              if hasLinks {
                let items = source.objects(LinkedDefaults.Voucher.self)
                for item in items { read.note(item.id, item.token) }
              } else {
                let items = source.objects(ObjectDefaults.Voucher.self)
                for item in items { read.note(item.id, item.token) }
              }
            }
          }.start()
        }
        usleep(UInt32(round * 300))
        let chosen = UUID()
        if isWritten {
          try realm.write {
            if hasLinks {
              realm.object(ofType: LinkedDefaults.Voucher.self, forPrimaryKey: 7)?.token = chosen
            } else {
              realm.object(ofType: ObjectDefaults.Voucher.self, forPrimaryKey: 7)?.token = chosen
            }
            usleep(500)
          }
        } else {
          try store.configuration.store().storeMissingDefaults()
        }
        while read.ended.withLock({ $0 }) < 2 { usleep(500) }
        try store.configuration.store().storeMissingDefaults()
        try realm.refresh()
        let stored =
          hasLinks
          ? Dictionary(
            uniqueKeysWithValues: realm.objects(LinkedDefaults.Voucher.self).map {
              ($0.id, $0.token)
            })
          : Dictionary(
            uniqueKeysWithValues: realm.objects(ObjectDefaults.Voucher.self).map {
              ($0.id, $0.token)
            })
        if isWritten { #expect(stored[7] == chosen) }
        #expect(read.tokens.withLock { $0.count } == 300)
        for (id, tokens) in read.tokens.withLock({ $0 }) where !(isWritten && id == 7) {
          #expect(stored[id].map { [$0] } == tokens, "round \(round), \(id)")
        }
        try store.check()
      }
    }
  }

  @Test func timesAreDefaultsOfEachObject() throws {
    try withTemporaryRealm { realm, _ in
      try realm.register(TimeDefaults.Voucher.self)
      let schema = realm.schema["Voucher"]
      #expect(schema != nil)
      try add(0..<1, realm)
      let frozen = realm.freeze().objects(TimeDefaults.Voucher.self)
      // Made for the object, so conditions do not see them yet.
      #expect(frozen.where { $0.seconds > 0 || $0.milliseconds > 0 || $0.reference > 0 }.isEmpty)
      #expect(frozen.filter("text BEGINSWITH '2' || fractional BEGINSWITH '2'").isEmpty)
      #expect(frozen.where { $0.constant == 1_000_000_000 }.count == 1)
      #expect(frozen.where { $0.constantText == "2001-09-09T01:46:40Z" }.count == 1)
      let item = try #require(frozen.first)
      #expect(abs(Double(item.seconds) - Date().timeIntervalSince1970) < 600)
      #expect(item.text.count == 20 && item.fractional.count > 20)
    }
  }
}

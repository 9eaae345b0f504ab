import Foundation
import Testing
import Varve
import VarveCore
import VarveStorage

/// The release before the properties, by the kind of the primary key.
private enum BeforeKeys {
  @Model final class TextKey: Object {
    @Persisted(primaryKey: true) var id: String
  }
  @Model final class UUIDKey: Object {
    @Persisted(primaryKey: true) var id: UUID
  }
  @Model final class ObjectIdKey: Object {
    @Persisted(primaryKey: true) var id: ObjectId
  }
  @Model final class NoKey: Object {
    @Persisted var id: Int
  }
  @Model final class GeneratedKey: Object {
    @Persisted(primaryKey: true, autoIncrement: true) var id: Int
  }
}

/// The release that declares them.
private enum AfterKeys {
  @Model final class TextKey: Object, KeyStamped {
    @Persisted(primaryKey: true) var id: String
    @Persisted(indexed: true) var stamp = UUID()
  }
  @Model final class UUIDKey: Object, KeyStamped {
    @Persisted(primaryKey: true) var id: UUID
    @Persisted(indexed: true) var stamp = UUID()
  }
  @Model final class ObjectIdKey: Object, KeyStamped {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted(indexed: true) var stamp = UUID()
  }
  @Model final class NoKey: Object, KeyStamped {
    @Persisted var id: Int
    @Persisted(indexed: true) var stamp = UUID()
  }
  @Model final class GeneratedKey: Object, KeyStamped {
    @Persisted(primaryKey: true, autoIncrement: true) var id: Int
    @Persisted(indexed: true) var stamp = UUID()
  }
}

private protocol KeyStamped: Object {
  var stamp: UUID { get set }
}

/// Missing defaults in classes with every kind of primary key.
@Suite struct DefaultKeysTests {
  @Test func textKeys() throws {
    try check(AfterKeys.TextKey.self) { realm, number in
      realm.create(BeforeKeys.TextKey.self, value: ["id": "key \(number)"])
    }
  }

  @Test func uuidKeys() throws {
    try check(AfterKeys.UUIDKey.self) { realm, _ in
      realm.create(BeforeKeys.UUIDKey.self, value: ["id": UUID()])
    }
  }

  @Test func objectIdKeys() throws {
    try check(AfterKeys.ObjectIdKey.self) { realm, _ in
      realm.create(BeforeKeys.ObjectIdKey.self, value: ["id": ObjectId.generate()])
    }
  }

  @Test func noKeys() throws {
    try check(AfterKeys.NoKey.self) { realm, number in
      realm.create(BeforeKeys.NoKey.self, value: ["id": number])
    }
  }

  @Test func generatedKeys() throws {
    try check(AfterKeys.GeneratedKey.self) { realm, _ in
      realm.create(BeforeKeys.GeneratedKey.self, value: [:] as [String: Any])
    }
  }

  /// Adds objects of the older release before the registration, after it, and after each of several
  /// runs, and deletes some.
  private func check<T: KeyStamped>(
    _ type: T.Type, _ addOne: (Realm, Int) -> Void
  ) throws {
    try withTemporaryRealm { realm, store in
      var number = 0
      func add(_ count: Int) throws {
        try realm.write {
          for _ in 0..<count {
            addOne(realm, number)
            number += 1
          }
        }
      }
      try add(3)
      try realm.register(type)
      let core = try store.configuration.store()
      var known: [UUID] = []
      for round in 0..<4 {
        try add(4)
        try realm.refresh()
        let items = realm.objects(type)
        let stamps = items.map(\.stamp)
        #expect(Set(stamps).count == 3 + 4 * (round + 1) - round)
        #expect(Set(known).isSubset(of: stamps))
        try core.storeMissingDefaults()
        try realm.refresh()
        #expect(items.map(\.stamp) == stamps, "round \(round)")
        for stamp in stamps {
          #expect(try items.filter("stamp == uuid(\(stamp.uuidString))").count == 1)
        }
        try realm.write { if let last = items.last { realm.delete(last) } }
        known = Array(stamps.dropLast())
        #expect(try core.newestSnapshot().root.hasAllDefaults)
      }
      try store.close()
      let stored = try store.open().objects(type).map(\.stamp)
      #expect(Set(stored) == Set(known))
      try store.check()
    }
  }
}

/// Missing defaults of embedded objects.
@Suite struct NestedDefaultTests {
  private func add(_ ids: Range<Int>, _ realm: Realm) throws {
    try realm.write {
      for id in ids {
        realm.create(
          BeforeNested.Parcel.self,
          value: ["id": id, "tag": ["label": "a"], "tags": [["label": "b"], ["label": "c"]]])
      }
    }
  }

  private func values(_ items: Results<NestedDefaults.Parcel>) -> [String] {
    items.flatMap { parcel in
      ([parcel.tag].compactMap(\.self) + Array(parcel.tags)).flatMap { tag in
        ["\(tag.stamp)", "\(tag.any)"]
      }
    }
  }

  @Test(arguments: [true, false])
  func embeddedObjectsGetTheirDefaults(isRegisteredFirst: Bool) throws {
    try withTemporaryRealm { realm, store in
      if isRegisteredFirst { try realm.register(NestedDefaults.Parcel.self) }
      try add(0..<3, realm)
      if !isRegisteredFirst { try realm.register(NestedDefaults.Parcel.self) }
      try add(3..<6, realm)
      let frozen = realm.freeze()
      let made = values(frozen.objects(NestedDefaults.Parcel.self))
      #expect(made.count == 36 && Set(made).count == 36)
      let items = realm.objects(NestedDefaults.Parcel.self)
      #expect(values(items) == made)
      #expect(values(frozen.objects(NestedDefaults.Parcel.self)) == made)
      let core = try store.configuration.store()
      try core.storeMissingDefaults()
      try realm.refresh()
      #expect(values(items) == made)
      // Stored: also for a program that does not declare them.
      let dynamic = try realm.dynamicObjects("Parcel")
      #expect(
        dynamic.compactMap { ($0["tag"] as? DynamicObject)?["stamp"] as? UUID }.map { "\($0)" }
          == items.compactMap { $0.tag.map { "\($0.stamp)" } })
      for stamp in items.compactMap({ $0.tag?.stamp }) {
        #expect(items.where { $0.tag.stamp == stamp }.count == 1)
      }
      // A read in a write stores the value at once.
      try add(6..<7, realm)
      let last = try #require(realm.object(ofType: NestedDefaults.Parcel.self, forPrimaryKey: 6))
      var inWrite: [UUID] = []
      try realm.write { inWrite = last.tags.map(\.stamp) }
      #expect(last.tags.map(\.stamp) == inWrite && Set(inWrite).count == 2)
      try core.storeMissingDefaults()
      try store.close()
      let reopened = try store.open().objects(NestedDefaults.Parcel.self)
      #expect(Array(values(reopened).prefix(36)) == made)
      #expect(reopened.last.map { $0.tags.map(\.stamp) } == inWrite)
      try store.check()
    }
  }

  @Test func readOnlyProcessStoresNothing() throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    var realm = try store.open()
    try realm.register(NestedDefaults.Parcel.self)
    try add(0..<2, realm)
    try store.close()
    var configuration = store.configuration
    configuration.readOnly = true
    let bytes = try Data(contentsOf: URL(filePath: store.path))
    let reading = try Realm(configuration: configuration)
    let made = values(reading.objects(NestedDefaults.Parcel.self))
    #expect(Set(made).count == 12)
    #expect(values(reading.objects(NestedDefaults.Parcel.self)) == made)
    try Realm.close(configuration)
    #expect(try Data(contentsOf: URL(filePath: store.path)) == bytes)
    realm = try store.open()
    #expect(Set(values(realm.objects(NestedDefaults.Parcel.self))).count == 12)
  }

  @Test func storingDefaultsIsReported() throws {
    try withTemporaryRealm { realm, store in
      try realm.register(ObjectDefaults.Voucher.self)
      let core = try store.configuration.store()
      try core.storeMissingDefaults()
      try realm.write {
        for id in 0..<2 { realm.create(BeforeDefaults.Voucher.self, value: ["id": id]) }
      }
      let before = realm.freeze()
      try core.storeMissingDefaults()
      try realm.refresh()
      let changes = try realm.changes(since: before).objects(ObjectDefaults.Voucher.self)
      #expect(changes.insertions.isEmpty && changes.deletions.isEmpty)
      #expect(changes.modifications.map(\.new.id) == [0, 1])
    }
  }
}

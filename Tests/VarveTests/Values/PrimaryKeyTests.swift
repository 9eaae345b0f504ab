import Foundation
import Testing
import Varve
import VarveStorage

enum KeyedBy {
  @Model final class Int_: Object {
    @Persisted(primaryKey: true) var key: Int
    @Persisted var note = ""
  }
  @Model final class Int8_: Object {
    @Persisted(primaryKey: true) var key: Int8
    @Persisted var note = ""
  }
  @Model final class Int16_: Object {
    @Persisted(primaryKey: true) var key: Int16
    @Persisted var note = ""
  }
  @Model final class Int32_: Object {
    @Persisted(primaryKey: true) var key: Int32
    @Persisted var note = ""
  }
  @Model final class Int64_: Object {
    @Persisted(primaryKey: true) var key: Int64
    @Persisted var note = ""
  }
  @Model final class String_: Object {
    @Persisted(primaryKey: true) var key: String
    @Persisted var note = ""
  }
  @Model final class UUID_: Object {
    @Persisted(primaryKey: true) var key: UUID
    @Persisted var note = ""
  }
  @Model final class ObjectId_: Object {
    @Persisted(primaryKey: true) var key: ObjectId
    @Persisted var note = ""
  }
  @Model final class Level_: Object {
    @Persisted(primaryKey: true) var key: Level
    @Persisted var note = ""
  }
  @Model final class OptionalInt_: Object {
    @Persisted(primaryKey: true) var key: Int?
    @Persisted var note = ""
  }
  @Model final class OptionalString_: Object {
    @Persisted(primaryKey: true) var key: String?
    @Persisted var note = ""
  }
  @Model final class OptionalUUID_: Object {
    @Persisted(primaryKey: true) var key: UUID?
    @Persisted var note = ""
  }
  @Model final class OptionalObjectId_: Object {
    @Persisted(primaryKey: true) var key: ObjectId?
    @Persisted var note = ""
  }
}

@Suite struct PrimaryKeyTests {
  /// Stores an object for each key, looks each up, expects each to be refused a second time, and
  /// deletes each.
  private func check<O: Object, K: RealmCollectionValue & _Persistable>(
    _ path: ReferenceWritableKeyPath<O, K>, _ note: ReferenceWritableKeyPath<O, String>,
    _ keys: [K]
  ) throws {
    try withTemporaryRealm { realm, store in
      for (index, key) in keys.enumerated() {
        #expect(realm.object(ofType: O.self, forPrimaryKey: key) == nil)
        let object = O()
        object[keyPath: path] = key
        object[keyPath: note] = "\(index)"
        let hash = object.hashValue
        var set: Set = [object]
        try realm.write { realm.add(object) }
        #expect(object.hashValue == hash && !set.insert(object).inserted)
        #expect(object[keyPath: path] == key)
      }
      for (index, key) in keys.enumerated() {
        let found = realm.object(ofType: O.self, forPrimaryKey: key)
        #expect(found?[keyPath: note] == "\(index)", "\(O.self) \(index)")
        #expect(found?[keyPath: path] == key)
        #expect(found == realm.object(ofType: O.self, forPrimaryKey: key))
        let code = errorCode {
          try realm.write {
            let twin = O()
            twin[keyPath: path] = key
            realm.add(twin)
          }
        }
        #expect(code == .duplicatePrimaryKey)
        try realm.write { found?[keyPath: path] = key }
      }
      try store.close()
      let again = try store.open()
      #expect(again.objects(O.self).count == keys.count)
      for (index, key) in keys.enumerated() {
        let found = again.object(ofType: O.self, forPrimaryKey: key)
        #expect(found?[keyPath: note] == "\(index)")
        try again.write {
          if let found { again.delete(found) }
          #expect(again.object(ofType: O.self, forPrimaryKey: key) == nil)
        }
      }
      #expect(try store.count(.indexes) == 0)
    }
  }

  @Test func integerKeys() throws {
    try check(\KeyedBy.Int_.key, \.note, [0, -1, 1, .min, .max])
    try check(\KeyedBy.Int8_.key, \.note, [0, -1, 1, .min, .max])
    try check(\KeyedBy.Int16_.key, \.note, [0, -1, 1, .min, .max])
    try check(\KeyedBy.Int32_.key, \.note, [0, -1, 1, .min, .max])
    try check(\KeyedBy.Int64_.key, \.note, [0, -1, 1, .min, .max])
    try check(\KeyedBy.Level_.key, \.note, Level.allCases)
  }

  @Test func uuidAndObjectIdKeys() throws {
    try check(\KeyedBy.UUID_.key, \.note, ValueSample.uuids)
    try check(\KeyedBy.ObjectId_.key, \.note, ValueSample.objectIds)
  }

  @Test func optionalKeysIncludingNull() throws {
    try check(\KeyedBy.OptionalInt_.key, \.note, [nil, 0, -1, .min, .max])
    try check(\KeyedBy.OptionalString_.key, \.note, [nil, "", "\u{0}", "a"])
    try check(\KeyedBy.OptionalUUID_.key, \.note, [nil] + ValueSample.uuids)
    try check(\KeyedBy.OptionalObjectId_.key, \.note, [nil] + ValueSample.objectIds)
  }

  @Test func stringKeysOfEveryLengthWithSharedPrefix() throws {
    let beginning = String(repeating: "p", count: 430)
    let lengths = [430, 436, 437, 438, 439, 440, 441, 486, 487, 488, 600, 100_000]
    let long = lengths.flatMap { count in
      ["a", "b", "\u{0}"].map { end in
        beginning + String(repeating: "q", count: count - 430) + end
      }
    }
    try check(
      \KeyedBy.String_.key, \.note, ValueSample.strings.filter { $0.utf8.count < 600 } + long)
  }

  @Test func integerKeysAreOrdered() throws {
    try withTemporaryRealm { realm, _ in
      let keys = [5, -1, .max, 0, .min, 1, -1_000_000, .max - 1, .min + 1]
      for key in keys { try realm.write { realm.create(KeyedBy.Int_.self, value: ["key": key]) } }
      #expect(realm.objects(KeyedBy.Int_.self).map(\.key) == keys.sorted())
      #expect(Array(realm.objects(KeyedBy.Int_.self).map(\.key)).first == .min)
      #expect(realm.objects(KeyedBy.Int_.self).last?.key == .max)
      #expect(
        realm.objects(KeyedBy.Int_.self).where { $0.key < 0 }.map(\.key)
          == keys.sorted().filter { $0 < 0 })
    }
  }

  @Test func storedKeyCannotBeChanged() throws {
    try withTemporaryRealm { realm, _ in
      let int = KeyedBy.Int_(value: ["key": 1])
      let text = KeyedBy.String_(value: ["key": "a"])
      try realm.write { realm.add([int, text]) }
      expectError(.primaryKeyChanged) { try realm.write { int.key = 2 } }
      expectError(.primaryKeyChanged) { try realm.write { text.key = "b" } }
      #expect(int.key == 1 && text.key == "a")
      #expect(realm.object(ofType: KeyedBy.String_.self, forPrimaryKey: "a") != nil)
    }
  }

  @Test func keyOfDeletedObjectIsReusable() throws {
    try withTemporaryRealm { realm, _ in
      for _ in 0..<3 {
        let int = KeyedBy.Int_(value: ["key": 1])
        let text = KeyedBy.OptionalString_(value: ["key": NSNull()])
        try realm.write { realm.add([int, text]) }
        try realm.write {
          realm.delete([int, text])
          realm.add(KeyedBy.Int_(value: ["key": 1]))
          realm.add(KeyedBy.OptionalString_(value: ["note": "again"]))
        }
        #expect(
          realm.object(ofType: KeyedBy.OptionalString_.self, forPrimaryKey: nil as String?)?.note
            == "again")
        // An integer key is the object id: the handle refers to the object that has the key now.
        #expect(
          text.isInvalidated && int == realm.object(ofType: KeyedBy.Int_.self, forPrimaryKey: 1))
        try realm.write { realm.deleteAll() }
      }
    }
  }

  @Test func rolledBackObjectStaysInvalidAfterKeyReuse() throws {
    try withTemporaryRealm { realm, _ in
      var lost: KeyedBy.Int_?
      expectCancelled {
        try realm.write {
          lost = realm.create(KeyedBy.Int_.self, value: ["key": 1, "note": "lost"])
          throw Cancelled()
        }
      }
      try realm.write { realm.create(KeyedBy.Int_.self, value: ["key": 1, "note": "kept"]) }
      #expect(lost?.isInvalidated == true)
      #expect(lost?.note == "")
    }
  }

  @Test func lookupByKeyInClassWithoutKeyIsNil() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.create(BlobOwner.self) }
      #expect(realm.object(ofType: BlobOwner.self, forPrimaryKey: 1) == nil)
      #expect(realm.object(ofType: KeyedBy.Int_.self, forPrimaryKey: "text") == nil)
    }
  }
}

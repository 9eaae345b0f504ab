import Foundation
import Testing
import Varve
import VarveCore
import VarveEncoding
import VarveStorage

/// Damage to nested collections, made below the library, is detected and reported, and does not
/// crash the process.
@Suite struct NestedCheckTests {
  /// A store with a list (collection 1) that contains a dictionary (2) and a list (3).
  private func withDamage(
    _ damage: (WriteTransaction) throws -> Void,
    _ body: (MixedBox, Set<String>, Realm) throws -> Void
  ) throws {
    let store = try TemporaryRealm()
    let realm = try store.open()
    let crate = MixedBox(id: 1, value: [["k": 1], [2]])
    try realm.write { realm.add(crate) }
    #expect(try store.report().isSound)
    let transaction = try store.configuration.store().environment.beginWrite(timeout: .seconds(5))
    do {
      try damage(transaction)
    } catch {
      transaction.abort()
      throw error
    }
    _ = try transaction.commit()
    try realm.refresh()
    try body(crate, Set(try store.report().problems.map(\.kind.rawValue)), realm)
    try Realm.close(store.configuration)
    store.remove()
  }

  private func key(_ id: UInt64) -> [UInt8] {
    var key = OrderedKey()
    CollectionRecord.encodeKey(collectionID: id, into: &key)
    return key.bytes
  }

  private func put(
    _ table: Table, _ key: [UInt8], _ value: [UInt8], _ transaction: WriteTransaction
  ) throws {
    try key.withUnsafeBytes { key in
      try value.withUnsafeBytes { try transaction.put(table, key: key, $0) }
    }
  }

  /// The encoded record of a collection with the given parent.
  private func record(parent: UInt64) -> [UInt8] {
    var buffer = ByteBuffer()
    CollectionRecord(
      kind: PropertyKind(type: .mixed, collection: .list), ownerClassID: 1,
      ownerObjectID: 1 << 63 | 1, ownerPropertyID: 2, parentID: parent
    ).encode(into: &buffer)
    return buffer.withUnsafeBytes { Array($0) }
  }

  @Test func missingRecordIsReported() throws {
    try withDamage { transaction in
      _ = try key(2).withUnsafeBytes { try transaction.delete(.collections, key: $0) }
    } _: { crate, kinds, realm in
      #expect(kinds == ["damagedCollection"])
      let map = try #require(crate.value[0]?.dictionaryValue)
      #expect(map.isInvalidated)
      expectError(.invalidatedObject) { try realm.write { map["k"] = 2 } }
    }
  }

  @Test func unreferencedRecordIsReported() throws {
    try withDamage { transaction in
      try put(.collections, key(9), record(parent: 1), transaction)
    } _: { _, kinds, _ in
      #expect(kinds == ["strayCollection"])
    }
  }

  @Test func recordWithWrongParentIsReported() throws {
    try withDamage { transaction in
      try put(.collections, key(3), record(parent: 2), transaction)
    } _: { crate, kinds, realm in
      #expect(kinds == ["damagedCollection"])
      let list = try #require(crate.value[1]?.listValue)
      expectError(.corrupted) { try realm.write { list.append(1) } }
    }
  }

  @Test func cyclicParentRecordsAreReported() throws {
    try withDamage { transaction in
      try put(.collections, key(1), record(parent: 3), transaction)
      try put(.collections, key(3), record(parent: 1), transaction)
    } _: { crate, kinds, realm in
      #expect(kinds == ["damagedCollection"])
      let list = try #require(crate.value[1]?.listValue)
      expectError(.corrupted) { try realm.write { list.append(1) } }
    }
  }

  @Test func collectionWithTwoOwnersIsReported() throws {
    try withDamage { transaction in
      var entry = OrderedKey()
      let file = FileKey(
        low: transaction.environment.fileKey.first, high: transaction.environment.fileKey.second)
      _ = CollectionEntryKey.encode(
        dictionaryKey: "k", collectionID: 2, fileKey: file, into: &entry)
      var element = ByteBuffer()
      ElementCodec.append(
        .nested(.list, CollectionSlot(id: 1, revision: 1, count: 0)), to: &element)
      try transaction.put(
        StoredEntry(key: entry.bytes, element: element.withUnsafeBytes { Array($0) }),
        .dictionaries)
    } _: { crate, kinds, _ in
      #expect(kinds == ["damagedCollection"])
      #expect(crate.value[0]?["k"]?.listValue?.count == 2)
    }
  }

  @Test func contentOfMissingListIsReported() throws {
    try withDamage { transaction in
      var cursor = transaction.cursor(.lists)
      _ = cursor.seekFirst()
      let root = Array(cursor.key)
      _ = try root.withUnsafeBytes { try transaction.delete(.lists, key: $0) }
    } _: { crate, kinds, _ in
      #expect(kinds.isSuperset(of: ["strayCollection", "strayListNode", "strayEntry"]))
      #expect(crate.value.listValue?.isEmpty == true)
    }
  }
}

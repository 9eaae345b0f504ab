import Foundation
import Testing
import Varve
import VarveCore
import VarveEncoding
import VarveStorage

/// The state of generated keys in files.
@Suite struct GeneratedKeyFilesTests {
  private func deleteTheGreatest(_ realm: Realm) throws {
    try realm.write { for _ in 0..<5 { realm.add(Ticket()) } }
    try realm.write { realm.delete(try #require(realm.objects(Ticket.self).last)) }
  }

  private func expectNext(_ key: Int, _ configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { #expect(realm.create(Ticket.self).id == key) }
    try Realm.close(configuration)
  }

  @Test func copiesAndSeedsContinueKeys() throws {
    try withTemporaryRealm { realm, store in
      try deleteTheGreatest(realm)
      var copy = store.configuration
      copy.fileURL = store.directory.appending(path: "copy.varve")
      try realm.writeCopy(configuration: copy)
      try expectNext(6, copy)
      var seeded = store.configuration
      seeded.fileURL = store.directory.appending(path: "seeded.varve")
      seeded.seedFilePath = store.configuration.fileURL
      try expectNext(6, seeded)
      try realm.write { #expect(realm.create(Ticket.self).id == 6) }
    }
  }

  @Test func compactedFileContinuesKeys() throws {
    let store = try TemporaryRealm { $0.shouldCompactOnLaunch = { _, _ in true } }
    defer { store.end() }
    try deleteTheGreatest(try store.open())
    try store.close()
    try expectNext(6, store.configuration)
    _ = try store.open()
  }

  /// The bytes, as described in Docs/Format.md.
  @Test func catalogMatchesDocumentation() throws {
    try withTemporaryRealm { realm, store in
      try deleteTheGreatest(realm)
      let dump = try FormatDump(try store.configuration.store().newestSnapshot())
      let ticket = try #require(dump.classes["Ticket"])
      #expect(try dump.property("Ticket", "id").flags == 2 | 4)
      let entry = try #require(dump[.catalog].first { $0.key.first == 0x6B })
      #expect(entry.key == [0x6B] + bigEndian(UInt64(ticket.id), 4))
      let key = littleEndian(5, 8)
      #expect(entry.value == key + littleEndian(plainCRC32C(key[...]), 4))
      // The rows and the root record contain no counter.
      #expect(dump[.objects(ofClass: UInt32(ticket.id))].count == 4)
    }
  }

  /// Changes the bytes of the record of the last key.
  private func damage(_ store: TemporaryRealm, _ change: (inout [UInt8]) -> Void) throws {
    let core = try store.configuration.store()
    let transaction = try core.environment.beginWrite(timeout: .seconds(5))
    let snapshot = transaction.base
    let schema = try FileSchema.load(from: snapshot, snapshot.root)
    var key = OrderedKey()
    CatalogKey.lastKey(classID: try #require(schema.schema(named: "Ticket")).id).encode(into: &key)
    var bytes = key.withUnsafeBytes { snapshot.find(.catalog, key: $0).map(Array.init) } ?? []
    change(&bytes)
    try key.withUnsafeBytes { key in
      try bytes.withUnsafeBytes { try transaction.put(.catalog, key: key, $0) }
    }
    _ = try transaction.commit()
  }

  @Test func damagedRecordFailsWrite() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let realm = try store.open()
    try deleteTheGreatest(realm)
    try damage(store) { $0[0] ^= 1 }
    let error = thrownError { try realm.write { realm.add(Ticket()) } }
    #expect(error?.code == .corrupted)
    #expect(try store.report().problems.map(\.kind) == [.damagedClass])
    // An explicit key does not need the counter.
    try realm.write { realm.add(Ticket(value: ["id": 9])) }
    try Realm.close(store.configuration)
  }

  @Test func recordOfClassWithoutGeneratedKeysIsFound() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let realm = try store.open()
    try realm.register(PlainTicket.Ticket.self)
    try damage(store) { bytes in
      var buffer = ByteBuffer()
      LastKeyRecord(key: 5).encode(into: &buffer)
      bytes = buffer.bytes
    }
    #expect(try store.report().problems.map(\.kind) == [.damagedClass])
    try Realm.close(store.configuration)
  }
}

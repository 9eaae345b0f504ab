import Testing
import Varve
import VarveCore
import VarveEncoding
import VarveStorage

/// A check of the file finds embedded objects without a parent or with several parents.
@Suite struct EmbeddedCheckTests {
  private func kinds(
    after change: (WriteTransaction, _ backlink: [UInt8]) throws -> Void
  ) throws -> Set<StoreCheck.Problem.Kind> {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let realm = try store.open()
    try realm.write { realm.add(Tenant.named("Ada", .at("Elm"))) }
    #expect(try store.report().isSound)
    let transaction = try store.configuration.store().environment.beginWrite(timeout: .seconds(5))
    var cursor = transaction.cursor(.backlinks)
    let isPresent = cursor.seekFirst()
    #expect(isPresent)
    try change(transaction, Array(cursor.key))
    _ = try transaction.commit()
    defer { try? Realm.close(store.configuration) }
    return Set(try store.report().problems.map(\.kind))
  }

  @Test func orphanedEmbeddedObjectIsFound() throws {
    let found = try kinds { transaction, backlink in
      _ = try backlink.withUnsafeBytes { try transaction.delete(.backlinks, key: $0) }
    }
    #expect(found == [.orphan, .missingBacklink])
  }

  @Test func embeddedObjectWithTwoParentsIsFound() throws {
    let found = try kinds { transaction, backlink in
      var count = ByteBuffer()
      BacklinkKey.encodeCount(2, into: &count)
      try backlink.withUnsafeBytes { key in
        try count.withUnsafeBytes { try transaction.put(.backlinks, key: key, $0) }
      }
    }
    #expect(found == [.severalParents, .missingBacklink])
  }
}

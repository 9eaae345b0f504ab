import Foundation
import Testing
import Varve
import VarveCore
import VarveEncoding
import VarveStorage

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}

/// Root records and class records with impossible numbers: every use throws and none traps.
@Suite struct DamagedRootTests {
  /// The ranges of all root records in a file.
  private func roots(_ bytes: Data) -> [Range<Data.Index>] {
    let mark = Data("Vrve".utf8) + Data([1, 0, 0, 0])
    var found: [Range<Data.Index>] = []
    var from = bytes.startIndex
    while let range = bytes.range(of: mark, in: from..<bytes.endIndex) {
      found.append(range.lowerBound..<range.lowerBound + RootRecord.byteCount)
      from = range.upperBound
    }
    return found
  }

  private func withCrate(_ body: (TemporaryRealm) throws -> Void) throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let realm = try store.open()
    try realm.write { realm.add(Crate(1, numbers: [1])) }
    try body(store)
  }

  /// Changes a number in the root records of the closed file.
  ///
  /// - Parameter isSealed: Whether the checksum is updated to match.
  private func change(_ store: TemporaryRealm, at offset: Int, bytes: Int, isSealed: Bool) throws {
    try Realm.close(store.configuration)
    let url = URL(filePath: store.path)
    var data = try Data(contentsOf: url)
    for root in roots(data) {
      for byte in 0..<bytes { data[root.lowerBound + offset + byte] = 0xFF }
      guard isSealed else { continue }
      let sum = plainCRC32C(data[root.lowerBound..<root.lowerBound + 156])
      data.replaceSubrange(root.lowerBound + 156..<root.upperBound, with: littleEndian(sum, 4))
    }
    try data.write(to: url)
  }

  @Test(arguments: [false, true])
  func invalidRootRecordIsRejected(isSealed: Bool) throws {
    let fields = [(40, 8), (48, 8), (56, 8), (64, 8), (72, 8), (80, 8), (88, 4), (92, 4), (96, 4)]
    for (offset, bytes) in fields {
      try withCrate { store in
        try change(store, at: offset, bytes: bytes, isSealed: isSealed)
        let error = thrownError { try store.open() }
        #expect(error?.code == .corrupted, "offset \(offset)")
        #expect(error?.path == store.path)
      }
    }
  }

  @Test func rootRecordDamagedWhileOpenThrows() throws {
    try withCrate { store in
      let core = try store.configuration.store()
      let realm = try store.open()
      let crate = try #require(realm.objects(Crate.self).first)
      let transaction = try core.environment.beginWrite(timeout: .seconds(5))
      transaction.root.nextClassID = .max
      let outcome = Result { try transaction.commit() }
      #expect((outcome.failure as? StorageError)?.code == .corrupted)
      #expect(crate.id == 1 && Array(crate.numbers) == [1])
      expectError(.corrupted) { try realm.refresh() }
      expectError(.corrupted) { try realm.write { crate.numbers.append(2) } }
      expectError(.corrupted) { try store.open() }
      try Realm.close(store.configuration)
    }
  }

  /// Rewrites the only class record.
  private func changeClass(
    _ store: TemporaryRealm, key: UInt32? = nil, _ change: (inout StoredClass) -> Void
  ) throws {
    let core = try store.configuration.store()
    var record = try #require(core.schema.schema(named: "Crate")?.record)
    let transaction = try core.environment.beginWrite(timeout: .seconds(5))
    var oldKey = OrderedKey()
    CatalogKey.classRecord(id: record.id).encode(into: &oldKey)
    change(&record)
    var newKey = OrderedKey()
    CatalogKey.classRecord(id: key ?? record.id).encode(into: &newKey)
    var value = ByteBuffer()
    CatalogCodec.encode(record, into: &value)
    try oldKey.withUnsafeBytes { key in _ = try transaction.delete(.catalog, key: key) }
    try newKey.withUnsafeBytes { key in
      try value.withUnsafeBytes { try transaction.put(.catalog, key: key, $0, append: false) }
    }
    _ = try transaction.commit()
    try Realm.close(store.configuration)
  }

  @Test func unassignedClassIDIsRejected() throws {
    for id in [0, 1000, Table.maximumClassID + 1, UInt32.max] {
      try withCrate { store in
        try changeClass(store) { $0.id = id }
        let error = thrownError { try store.open() }
        #expect(error?.code == .corrupted, "class id \(id)")
        #expect(error?.className == "Crate")
      }
    }
    try withCrate { store in
      try changeClass(store, key: 2) { _ in }
      expectError(.corrupted) { try store.open() }
    }
    try withCrate { store in
      try changeClass(store) { $0.nextPropertyID = .max }
      expectError(.corrupted) { try store.open() }
    }
  }
}

import Foundation
import Testing
import Varve
import VarveCore
import VarveStorage

/// Damaged counts in rows and pages that are not validated on each read.
@Suite struct DamagedCountTests {
  /// A count of four billion would allocate several hundred gigabytes.
  @Test func damagedRowCountDoesNotAllocate() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let crate = Crate(1, numbers: 0..<778)
    for number in 0..<777 { crate.notes["key \(number)"] = "\(number)" }
    let realm = try store.open()
    try realm.write { realm.add(crate) }
    try store.close()
    // The first revision and the count.
    #expect(try replace([1, 0, 0, 0, 9, 3, 0, 0], in: store.path) > 0)
    #expect(try replace([1, 0, 0, 0, 10, 3, 0, 0], in: store.path) > 0)

    let again = try #require(
      try store.open().object(ofType: Crate.self, forPrimaryKey: 1))
    let keys = again.notes.keys
    #expect(keys.count == 777)
    let entries = again.notes.asKeyValueSequence()
    #expect(entries.count == 777)
    let numbers = again.numbers.map { $0 }
    #expect(numbers.starts(with: 0..<778))
    try Realm.close(store.configuration)
  }

  /// The record of a table contains its entry count. Here it is damaged after the first read: a
  /// count that memory cannot hold, and a negative one.
  @Test(arguments: [0x3_FFFF_FFFF_FFFF, 1 << 63] as [UInt64])
  func damagedTableCountDoesNotReserveMemory(_ count: UInt64) throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let realm = try store.open()
    try realm.write {
      for number in 0..<1237 { realm.add(Item(value: ["name": "\(number)"])) }
    }
    let items = realm.objects(Item.self)
    #expect(items.count == 1237)
    let file = try FileHandle(forUpdating: URL(filePath: store.path))
    let bytes = try Data(contentsOf: URL(filePath: store.path))
    // After the overflow page count, which is 0.
    let pattern = Data(repeating: 0, count: 8) + [0xD5, 4, 0, 0, 0, 0, 0, 0]
    let match = try #require(bytes.range(of: pattern))
    try file.seek(toOffset: UInt64(match.upperBound - 8))
    try file.write(contentsOf: withUnsafeBytes(of: count.littleEndian) { Data($0) })
    try file.close()

    #expect(realm.freeze().objects(Item.self).count == 0)
    #expect(items.where { $0.name > "" }.map(\.name).count == 1237)
    #expect(items.sorted(by: \.name).map(\.name).count == 1237)
    #expect(items.map(\.name).count == 1237)
    try Realm.close(store.configuration)
  }

  /// Replaces the count that follows a revision by the maximum.
  ///
  /// - Returns: The number of replacements.
  private func replace(_ pattern: [UInt8], in path: String) throws -> Int {
    let url = URL(filePath: path)
    var bytes = try Data(contentsOf: url)
    var count = 0
    while let match = bytes.range(of: Data(pattern)) {
      bytes.replaceSubrange(
        match.upperBound - 4..<match.upperBound, with: [0xFF, 0xFF, 0xFF, 0xFF])
      count += 1
    }
    try bytes.write(to: url)
    return count
  }

  /// An object looked up in an unreadable page is not necessarily missing.
  @Test func writeReadingDamagedPageIsNotCommitted() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    try makeDamagedCrates(store)
    let realm = try store.open()
    let before = try store.configuration.store().environment.snapshot().version
    expectError(.corrupted) {
      try realm.write {
        if realm.object(ofType: Crate.self, forPrimaryKey: 250) == nil {
          realm.add(Item(value: ["name": "new"]))
        }
      }
    }
    #expect(try store.configuration.store().environment.snapshot().version == before)
    try Realm.close(store.configuration)
  }
}

import Foundation
import Testing
import Varve
import VarveTestSupport

@Model final class Stamp: Object {
  @Persisted var text = ""
}

/// A class whose record has the same length as that of `Stamp`.
@Model final class Token: Object {
  @Persisted var text = ""
}

/// What is rescued of files whose catalog is damaged, but not its pages.
@Suite struct SalvageCatalogTests {
  /// The entries of the catalog with a key, in all versions that the file contains.
  private func entries(
    _ tag: Character, _ id: UInt8, in bytes: Data
  ) throws -> [(key: Int, value: Range<Int>)] {
    let key = Data([try #require(tag.asciiValue), 0, 0, 0, id])
    var entries: [(key: Int, value: Range<Int>)] = []
    var start = bytes.startIndex
    while let range = bytes.range(of: key, in: start..<bytes.endIndex) {
      start = range.upperBound
      // Before the key: the length of the value, flags, and the length of the key.
      let node = range.lowerBound - 8
      guard node >= 0, bytes[node + 4..<node + 8] == Data([0, 0, 5, 0]), isEntry(node, bytes)
      else { continue }
      let length = word(bytes, node)
      entries.append((range.lowerBound, range.upperBound..<range.upperBound + length))
    }
    try #require(!entries.isEmpty)
    return entries
  }

  private func word(_ bytes: Data, _ offset: Int) -> Int {
    Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
  }

  /// Whether a page refers to an entry. The unused bytes of a page may contain a part of an old one.
  private func isEntry(_ node: Int, _ bytes: Data) -> Bool {
    let page = node / 4096 * 4096
    return stride(from: page + 16, to: page + word(bytes, page + 12), by: 2).contains {
      word(bytes, $0) == node - page
    }
  }

  /// The names of the table of the class 1, in all versions that the file contains.
  private func tableNames(in bytes: Data) throws -> [Range<Int>] {
    let name = Data("c:1".utf8)
    var names: [Range<Int>] = []
    var start = bytes.startIndex
    while let range = bytes.range(of: name, in: start..<bytes.endIndex) {
      start = range.upperBound
      // Before the key: the flag of a table, and the length of the key.
      let node = range.lowerBound - 8
      if node >= 0, bytes[node + 4..<node + 8] == Data([2, 0, 3, 0]), isEntry(node, bytes) {
        names.append(range)
      }
    }
    try #require(!names.isEmpty)
    return names
  }

  /// Runs a body with the bytes of a store of three permits. Two with greater keys were deleted.
  private func withPermits(_ body: (TransferDirectory, inout Data) throws -> Void) throws {
    try TransferDirectory.with { directory in
      let realm = try directory.open("permits.varve", [Permit.self])
      try realm.write { for _ in 0..<5 { realm.create(Permit.self) } }
      try realm.write { realm.delete(realm.objects(Permit.self).filter { $0.id > 3 }) }
      // Both meta pages name versions with the same catalog.
      for text in ["a", "b"] {
        try realm.write { for permit in realm.objects(Permit.self) { permit.text = text } }
      }
      var bytes = try Data(contentsOf: directory.url.appending(path: "permits.varve"))
      try body(directory, &bytes)
    }
  }

  private func salvage(_ bytes: Data, _ directory: TransferDirectory) throws -> Realm.SalvageReport
  {
    let source = directory.url.appending(path: "damaged")
    try bytes.write(to: source)
    return try Realm.salvage(from: source, to: directory.url.appending(path: "new.varve"))
  }

  /// The key becomes that of another class, or no key at all.
  @Test(arguments: [(4, 8), (0, 7)])
  func classRecordUnderDamagedKeyIsUsed(_ byte: Int, _ change: UInt8) throws {
    try withPermits { directory, bytes in
      for entry in try entries("c", 1, in: bytes) { bytes[entry.key + byte] ^= change }
      let report = try salvage(bytes, directory)
      #expect(report.isComplete && report.rescuedCount == 3, "\(report)")
      let rescued = try directory.open("new.varve", [Permit.self])
      try rescued.write {
        let permit = rescued.create(Permit.self)
        #expect(permit.id == 6)
      }
    }
  }

  @Test(arguments: [(4, 8), (0, 7)])
  func lastKeyUnderDamagedKeyIsReported(_ byte: Int, _ change: UInt8) throws {
    try withPermits { directory, bytes in
      for entry in try entries("k", 1, in: bytes) { bytes[entry.key + byte] ^= change }
      let report = try salvage(bytes, directory)
      #expect(report.rescuedCount == 3 && report.lostCount == 0, "\(report)")
      #expect(report.lostValueCount == 1 && !report.isComplete, "\(report)")
    }
  }

  /// The bytes of a store with two stamps and three tokens.
  private func bytesOfTwoClasses(_ directory: TransferDirectory) throws -> Data {
    let realm = try directory.open("two.varve", [Stamp.self, Token.self])
    try realm.write {
      for _ in 0..<2 { realm.create(Stamp.self) }
      for _ in 0..<3 { realm.create(Token.self) }
    }
    return try Data(contentsOf: directory.url.appending(path: "two.varve"))
  }

  /// The record of the second class has a wrong checksum, or is that of the first class.
  @Test(arguments: [false, true])
  func lostClassIsReportedOnceWithItsObjects(_ isOtherRecord: Bool) throws {
    try TransferDirectory.with { directory in
      var bytes = try bytesOfTwoClasses(directory)
      let other = bytes[try #require(try entries("c", 1, in: bytes).last).value]
      for entry in try entries("c", 2, in: bytes) {
        if isOtherRecord {
          try #require(entry.value.count == other.count)
          bytes.replaceSubrange(entry.value, with: other)
        } else {
          bytes[entry.value.upperBound - 1] ^= 1
        }
      }
      let report = try salvage(bytes, directory)
      let rescued = report.classes.first?.name == "Stamp" ? 2 : 3
      #expect(report.classes.count == 1 && report.rescuedCount == rescued, "\(report)")
      #expect(report.lostClasses.map(\.name) == ["class 2"], "\(report)")
      #expect(report.lostClasses.map(\.objectCount) == [5 - rescued], "\(report)")
      #expect(report.lostCount == 5 - rescued && !report.isComplete, "\(report)")
      #expect(
        report.description == """
          \(rescued) objects of 1 class rescued, \(5 - rescued) lost
          class 2: lost with \(5 - rescued) objects
          not complete
          """)
    }
  }

  /// One bit of the name `c:1` changes, to `c*1`, `c21` or `c:0`.
  @Test(arguments: [(1, 0x10), (1, 0x08), (2, 0x01)])
  func classWhoseTableHasAnotherNameIsMissed(_ byte: Int, _ change: UInt8) throws {
    try TransferDirectory.with { directory in
      // Neither indexes nor links show that objects are missing.
      var bytes = try bytesOfTwoClasses(directory)
      for name in try tableNames(in: bytes) { bytes[name.lowerBound + byte] ^= change }
      let report = try salvage(bytes, directory)
      #expect(!report.isComplete && report.isDataMissing, "\(report)")
      #expect(report.rescuedCount == 2 || report.rescuedCount == 3, "\(report)")

      let configuration = Realm.Configuration(
        fileURL: directory.url.appending(path: "damaged"), readOnly: true,
        mapReservation: 1 << 28, isDynamic: true)
      #expect(thrownError { try Realm(configuration: configuration) }?.code == .corrupted)
    }
  }

  /// The version before the newest one is not used because its number of pages is wrong.
  @Test func newestVersionBesideDamagedMetaPageIsRescued() throws {
    try withPermits { directory, bytes in
      let ids = [0, 4096].map { page in
        bytes[page + 144..<page + 152].reversed().reduce(0) { $0 << 8 | Int($1) }
      }
      // The last page of the older meta page.
      let older = ids[0] < ids[1] ? 0 : 4096
      bytes[older + 138] ^= 4
      let report = try salvage(bytes, directory)
      #expect(report.rescuedCount == 3 && report.isMetaPageDamaged, "\(report)")
    }
  }

  /// The entries of the leaf are found without their order.
  @Test func damagedLeafOfCatalogLosesNoSoundClass() throws {
    try withPermits { directory, bytes in
      for entry in try entries("c", 1, in: bytes) {
        let page = entry.key / 4096 * 4096
        // The key of another entry of the page: the keys are out of order.
        for other in try entries("k", 1, in: bytes) where other.key / 4096 * 4096 == page {
          bytes[other.key] = UInt8(ascii: "a")
        }
      }
      let report = try salvage(bytes, directory)
      #expect(report.rescuedCount == 3 && !report.isComplete, "\(report)")
    }
  }
}

import Foundation
import Testing
import Varve
import VarveCore
import VarveEncoding
import VarveJSONLines
import VarveStorage

@Suite struct DamagedRowTests {
  /// Makes the row of one object unreadable.
  ///
  /// - Returns: The number of changed rows.
  private func damage(_ path: String, marker: String) throws -> Int {
    let url = URL(filePath: path)
    var bytes = try Data(contentsOf: url)
    var from = bytes.startIndex
    var count = 0
    // The length of the row is at byte 4 of the row: search for a row header before the text.
    while let range = bytes.range(of: Data(marker.utf8), in: from..<bytes.endIndex) {
      for start in stride(from: range.lowerBound - 12, through: range.lowerBound - 300, by: -1)
      where start >= 0 {
        let length = bytes[start + 4..<start + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
        let layout = Int(bytes[start + 8]) | Int(bytes[start + 9]) << 8
        guard layout == 1, length > range.upperBound - 1 - start, length < 400 else { continue }
        bytes[start + 8] = 0xFF
        bytes[start + 9] = 0xFF
        count += 1
        break
      }
      from = range.upperBound
    }
    try bytes.write(to: url)
    return count
  }

  @Test func damagedRowReadsAsZeroAndReportsCorruption() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let realm = try store.open()
    let marker = "a text that marks the row"
    try realm.write {
      realm.add(Crate(1))
      realm.create(Crate.self, value: ["id": 2, "label": marker])
    }
    try store.close()
    #expect(try damage(store.path, marker: marker) > 0)
    let again = try store.open()
    let damaged = try #require(again.object(ofType: Crate.self, forPrimaryKey: 2))
    let sound = try #require(again.object(ofType: Crate.self, forPrimaryKey: 1))
    #expect(damaged.label == "")
    #expect(damaged.numbers.isEmpty)
    #expect(sound.label == "" && sound.id == 1)
    expectError(.corrupted) { try again.refresh() }
    let error = thrownError { try again.write { sound.label = "x" } }
    #expect(error?.code == .corrupted)
    #expect(error?.path == store.path)
    expectError(.corrupted) { try store.open() }
    // A check reports the damage that a read has met.
    let report = try again.check()
    #expect(report.problems.contains { $0.kind == .object }, "\(report)")
    try Realm.close(store.configuration)
  }

  @Test func damagedPageIsReported() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    try makeDamagedCrates(store)
    let realm = try store.open()
    // The page has not been read yet.
    try realm.refresh()
    let labels = (0..<500).map {
      realm.object(ofType: Crate.self, forPrimaryKey: $0)?.label ?? "none"
    }
    #expect(labels.count { $0 == "none" } > 0)
    #expect(labels.count { $0.hasPrefix("crate") } > 400)
    let error = thrownError { try realm.refresh() }
    #expect(error?.code == .corrupted)
    #expect(error?.path == store.path)
    expectError(.corrupted) { try store.open() }
    expectError(.corrupted) { try realm.write {} }
    try Realm.close(store.configuration)
  }

  @Test func exportOfDamagedPageThrows() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    try makeDamagedCrates(store)
    let realm = try store.open()
    let text = URL(filePath: store.path + ".jsonl")
    expectError(.corrupted) { try realm.exportJSONLines(to: text) }
    #expect(!FileManager.default.fileExists(atPath: text.path))
    try Realm.close(store.configuration)
  }

  @Test func exportOfChangedValueThrows() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let realm = try store.open()
    try realm.write { realm.create(Crate.self, value: ["id": 1, "label": "unchanged"]) }
    try store.close()
    let url = URL(filePath: store.path)
    var bytes = try Data(contentsOf: url)
    var from = bytes.startIndex
    while let range = bytes.range(of: Data("unchanged".utf8), in: from..<bytes.endIndex) {
      bytes[range.lowerBound] = UInt8(ascii: "U")
      from = range.upperBound
    }
    try bytes.write(to: url)
    let again = try store.open()
    #expect(again.object(ofType: Crate.self, forPrimaryKey: 1)?.label == "Unchanged")
    let text = URL(filePath: store.path + ".jsonl")
    expectError(.corrupted) { try again.exportJSONLines(to: text) }
    try Realm.close(store.configuration)
  }

  /// A list whose row records elements, but whose nodes are missing.
  private func makeEmptiedList(_ store: TemporaryRealm) throws -> (Realm, Crate) {
    let realm = try store.open()
    let crate = Crate(1, numbers: 0..<5000)
    try realm.write { realm.add(crate) }
    let transaction = try store.configuration.store().environment.beginWrite(timeout: .seconds(5))
    try transaction.deleteLists()
    _ = try transaction.commit()
    try realm.refresh()
    return (realm, crate)
  }

  @Test func readingListWithMissingNodesIsReported() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let (realm, crate) = try makeEmptiedList(store)
    #expect(crate.numbers[4999] == 0)
    expectError(.corrupted) { try realm.refresh() }
    expectError(.corrupted) { try store.open() }
    expectError(.corrupted) { try realm.write {} }
    try Realm.close(store.configuration)
  }

  @Test func writingListWithMissingNodesThrows() throws {
    let uses: [(Crate) -> Void] = [
      { $0.numbers.removeLast() }, { $0.numbers.append(1) }, { $0.numbers[7] = 1 },
      { $0.numbers.insert(contentsOf: [1], at: 0) }, { _ = $0.numbers[7] },
      { $0.numbers.removeAll() }, { $0.numbers.swapAt(0, 4999) },
    ]
    for use in uses {
      let store = try TemporaryRealm()
      defer { store.remove() }
      let (realm, crate) = try makeEmptiedList(store)
      expectError(.corrupted) { try realm.write { use(crate) } }
      try Realm.close(store.configuration)
    }
  }

  /// A count of four billion would allocate 32 GB.
  @Test(arguments: [UInt32.max, 3]) func excessiveBacklinkCountIsReported(count: UInt32) throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let realm = try store.open()
    let maker = Release2.Maker(value: ["name": "ACME"])
    try realm.write {
      realm.add(maker)
      realm.create(Release2.Gadget.self, value: ["id": 1, "maker": maker])
    }
    #expect(maker.gadgets.map(\.id) == [1])
    let transaction = try store.configuration.store().environment.beginWrite(timeout: .seconds(5))
    var cursor = transaction.cursor(.backlinks)
    let isPresent = cursor.seekFirst()
    #expect(isPresent)
    let key = Array(cursor.key)
    var value = ByteBuffer()
    BacklinkKey.encodeCount(count, into: &value)
    try key.withUnsafeBytes { key in
      try value.withUnsafeBytes { try transaction.put(.backlinks, key: key, $0, append: false) }
    }
    _ = try transaction.commit()
    try realm.refresh()
    #expect(maker.gadgets.isEmpty)
    expectError(.corrupted) { try realm.refresh() }
    try Realm.close(store.configuration)
  }
}

/// Adds 500 crates with texts, overwrites the pages that contain one of the texts, and leaves the
/// store closed.
func makeDamagedCrates(_ store: TemporaryRealm) throws {
  do {
    let realm = try store.open()
    try realm.write {
      for id in 0..<500 {
        realm.create(Crate.self, value: ["id": id, "label": "crate number \(id)."])
      }
    }
  }
  try store.close()
  let url = URL(filePath: store.path)
  var bytes = try Data(contentsOf: url)
  let pageSize = 4096
  var count = 0
  while let range = bytes.range(of: Data("crate number 250.".utf8)) {
    let start = range.lowerBound / pageSize * pageSize
    bytes.replaceSubrange(start..<start + pageSize, with: Data(count: pageSize))
    count += 1
  }
  #expect(count > 0)
  try bytes.write(to: url)
}

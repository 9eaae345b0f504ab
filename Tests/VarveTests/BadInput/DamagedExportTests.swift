import Foundation
import Testing
import Varve
import VarveJSONLines

/// Exports of files in which objects or elements are missing or repeated, although every value can
/// be decoded.
@Suite struct DamagedExportTests {
  /// A class with each kind of collection.
  @Model final class Inventory: Object {
    @Persisted var lines: List<String>
    @Persisted var notes: Map<String, String>
    @Persisted var names: MutableSet<String>
    @Persisted var extra: AnyRealmValue
  }

  /// Fills a store, damages it, and returns the error of an export.
  private func errorOfExport(
    _ fill: (Realm) -> Void, _ damage: (inout StoreBytes) throws -> Void
  ) throws -> Realm.Error? {
    let store = try TemporaryRealm()
    defer { store.remove() }
    do {
      let realm = try store.open()
      try realm.write { fill(realm) }
    }
    try store.close()
    var bytes = try StoreBytes(store.path)
    try damage(&bytes)
    try bytes.write(to: store.path)

    let realm = try store.open()
    let text = URL(filePath: store.path + ".jsonl")
    let error = thrownError { try realm.exportJSONLines(to: text) }
    #expect(!FileManager.default.fileExists(atPath: text.path))
    try Realm.close(store.configuration)
    return error
  }

  private func addCrates(_ realm: Realm) {
    for id in 0..<500 {
      realm.create(Crate.self, value: ["id": id, "label": "crate number \(id)."])
    }
  }

  private func addInventory(_ realm: Realm) {
    let inventory = Inventory()
    var extra: [String: AnyRealmValue] = [:]
    for number in 1000..<1400 {
      inventory.lines.append("line \(number).")
      inventory.notes["\(number)"] = "note \(number)."
      inventory.names.insert("name \(number).")
      extra["\(number)"] = .string("extra \(number).")
    }
    inventory.extra = .fromDictionary(extra)
    realm.add(inventory)
  }

  @Test func undamagedFileIsExported() throws {
    for fill in [addCrates, addInventory] {
      let store = try TemporaryRealm()
      defer { store.end() }
      let realm = try store.open()
      try realm.write { fill(realm) }
      let text = URL(filePath: store.path + ".jsonl")
      #expect(try realm.exportJSONLines(to: text) == (realm.objects(Crate.self).isEmpty ? 1 : 500))
    }
  }

  @Test(arguments: [(100, 250), (250, 100), (0, 250), (499, 250)])
  func exportOfRowsInWrongPageThrows(_ replaced: Int, _ other: Int) throws {
    let error = try errorOfExport(addCrates) { bytes in
      let target = try bytes.entry("crate number \(replaced).").page
      let source = try bytes.entry("crate number \(other).").page
      try #require(target != source)
      bytes.replacePage(target, with: source)
    }
    #expect(error?.code == .corrupted)
  }

  @Test func exportOfRepeatedRowThrows() throws {
    let error = try errorOfExport(addCrates) { try $0.repeatEntry(over: "crate number 250.") }
    #expect(error?.code == .corrupted)
    #expect(error?.className == "Crate")
  }

  @Test func exportWithoutLastRowOfPageThrows() throws {
    let error = try errorOfExport(addCrates) { try $0.removeLastEntry("crate number 250.") }
    #expect(error?.code == .corrupted)
    #expect(error?.className == "Crate")
  }

  /// The text of an entry in the middle of the collection, and the property.
  @Test(arguments: [("note 1200.", "notes"), ("name 1200.", "names"), ("extra 1200.", "extra")])
  func exportOfRepeatedElementThrows(_ text: String, _ property: String) throws {
    let error = try errorOfExport(addInventory) { try $0.repeatEntry(over: text) }
    #expect(error?.code == .corrupted)
    #expect(error?.className == "Inventory")
    #expect(error?.propertyName == property)
  }

  /// Reads do not verify the checksums of elements.
  @Test(arguments: [("line", "lines"), ("note", "notes"), ("extra", "extra")])
  func exportOfChangedElementThrows(_ word: String, _ property: String) throws {
    let error = try errorOfExport(addInventory) {
      try $0.replace("\(word) 1200.", by: "\(word) 1201.")
    }
    #expect(error?.code == .corrupted)
    #expect(error?.className == "Inventory")
    #expect(error?.propertyName == property)
  }

  @Test(arguments: [("note 1200.", "notes"), ("name 1200.", "names")])
  func exportWithoutLastElementOfPageThrows(_ text: String, _ property: String) throws {
    let error = try errorOfExport(addInventory) { try $0.removeLastEntry(text) }
    #expect(error?.code == .corrupted)
    #expect(error?.className == "Inventory")
    #expect(error?.propertyName == property)
  }
}

/// The bytes of a closed store, for damaging its leaf pages. The layout is that of LMDB.
private struct StoreBytes {
  private static let pageSize = 4096
  private static let leafFlags = 2
  /// Offsets in a page: its flags, the end of the entry offsets, and the first of them.
  private static let (flags, lower, entries) = (10, 12, 16)

  private struct NoSuchEntry: Error { let text: String }

  private var bytes: Data

  init(_ path: String) throws { bytes = try Data(contentsOf: URL(filePath: path)) }

  /// Replaces a text by another of the same length.
  mutating func replace(_ text: String, by other: String) throws {
    var count = 0
    while let range = bytes.range(of: Data(text.utf8)) {
      bytes.replaceSubrange(range, with: Data(other.utf8))
      count += 1
    }
    if count == 0 { throw NoSuchEntry(text: text) }
  }

  func write(to path: String) throws { try bytes.write(to: URL(filePath: path)) }

  private func word(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }

  private mutating func setWord(_ offset: Int, _ word: Int) {
    bytes[offset] = UInt8(word & 0xFF)
    bytes[offset + 1] = UInt8(word >> 8)
  }

  /// The offset of an entry's offset.
  private func slot(_ page: Int, _ index: Int) -> Int { page + Self.entries + 2 * index }

  private func entryCount(_ page: Int) -> Int { (word(page + Self.lower) - Self.entries) / 2 }

  /// Returns the offset of the leaf with an entry that contains a text, and the entry's index.
  func entry(_ text: String) throws -> (page: Int, index: Int) {
    let marker = Data(text.utf8)
    let pages = stride(from: 2 * Self.pageSize, to: bytes.count, by: Self.pageSize)
    for page in pages where word(page + Self.flags) == Self.leafFlags {
      for index in 0..<entryCount(page) {
        let node = page + word(slot(page, index))
        let end = node + 8 + word(node + 6) + (word(node) | word(node + 2) << 16)
        // A longer value is in overflow pages.
        guard end <= page + Self.pageSize else { continue }
        if bytes[node..<end].range(of: marker) != nil { return (page, index) }
      }
    }
    throw NoSuchEntry(text: text)
  }

  /// Replaces an entry with its neighbor, which is then in the page twice.
  mutating func repeatEntry(over text: String) throws {
    let (page, index) = try entry(text)
    try #require(entryCount(page) > 2)
    setWord(slot(page, index), word(slot(page, index > 0 ? index - 1 : index + 1)))
  }

  /// Removes the last entry of the page with a text.
  mutating func removeLastEntry(_ text: String) throws {
    let page = try entry(text).page
    try #require(entryCount(page) > 2)
    setWord(page + Self.lower, word(page + Self.lower) - 2)
  }

  /// Replaces a page with another one, except for its number.
  mutating func replacePage(_ page: Int, with other: Int) {
    bytes.replaceSubrange(
      page + 8..<page + Self.pageSize, with: bytes[other + 8..<other + Self.pageSize])
  }
}

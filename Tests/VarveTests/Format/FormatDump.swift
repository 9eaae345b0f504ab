import Testing
import VarveStorage

/// The entries of the tables, and the catalog decoded as documented.
struct FormatDump {
  var root: [UInt8] = []
  var tables: [Table: [(key: [UInt8], value: [UInt8])]] = [:]
  var classes: [String: PlainClass] = [:]
  var fileKey: [UInt8] { Array(root[24..<40]) }

  init(_ snapshot: Snapshot) throws {
    root =
      Array("varve".utf8).withUnsafeBytes { snapshot.find(.main, key: $0).map(Array.init) } ?? []
    for table in Table.fixed { tables[table] = FormatDump.entries(table, snapshot) }
    for (key, value) in self[.catalog] where key.first == UInt8(ascii: "c") {
      let record = try PlainClass(value)
      classes[record.name] = record
      tables[.objects(ofClass: UInt32(record.id))] = FormatDump.entries(
        .objects(ofClass: UInt32(record.id)), snapshot)
    }
  }

  private static func entries(
    _ table: Table, _ snapshot: Snapshot
  ) -> [(key: [UInt8], value: [UInt8])] {
    var entries: [(key: [UInt8], value: [UInt8])] = []
    var cursor = snapshot.cursor(table)
    var isPresent = cursor.seekFirst()
    while isPresent {
      entries.append((Array(cursor.key), Array(cursor.value)))
      isPresent = cursor.next()
    }
    return entries
  }

  subscript(table: Table) -> [(key: [UInt8], value: [UInt8])] { tables[table] ?? [] }

  func property(_ className: String, _ name: String) throws -> PlainClass.Property {
    try #require(classes[className]?.properties.first { $0.name == name })
  }

  func value(_ row: PlainRow, _ name: String) throws -> PlainValue? {
    row.values[try property("Item", name).id]
  }

  /// The id of the collection in a property; 0 if it is in the row, or has no elements.
  func collection(_ row: PlainRow, _ name: String) throws -> UInt64 {
    guard case .collection(let id, _) = try value(row, name) else { return 0 }
    return id
  }

  /// Whether the elements of the collection in a property are in the row.
  func isInRow(_ row: PlainRow, _ name: String) throws -> Bool {
    switch try value(row, name) {
    case .list, .dictionary: true
    default: false
    }
  }

  /// The elements of a list, in the row or in the tables.
  func list(_ row: PlainRow, _ name: String) throws -> [PlainValue] {
    let value = try value(row, name)
    if case .list(let elements) = value { return elements }
    guard case .collection(let id, let count) = value else { throw PlainBytes.TooShort() }
    if id == 0 { return [] }
    var nodes: [UInt64: [UInt8]] = [:]
    for (key, value) in self[.lists] {
      var reader = PlainBytes(key)
      let list = try reader.keyNumber(8)
      let node = try reader.keyNumber(8)
      if list == id, reader.isAtEnd { nodes[node] = value }
    }
    let elements = try plainList(id, nodes)
    guard elements.count == count else { throw PlainBytes.TooShort() }
    return elements
  }

  /// The entries of a dictionary, in the row or in the tables.
  func entries(_ row: PlainRow, _ name: String) throws -> [PlainEntry] {
    let value = try value(row, name)
    if case .dictionary(let entries) = value { return entries }
    guard case .collection(let id, let count) = value else { throw PlainBytes.TooShort() }
    if id == 0 { return [] }
    let entries = try self[.dictionaries].filter { entry in
      var reader = PlainBytes(entry.key)
      return try reader.keyNumber(8) == id
    }.map {
      PlainEntry(key: Array($0.key.dropFirst(8)), element: try plainEntryElement($0.key, $0.value))
    }
    guard entries.count == count else { throw PlainBytes.TooShort() }
    return entries
  }

  func blob(_ value: PlainValue?) -> [UInt8]? {
    guard case .blob(let id, let count, let checksum) = value else { return nil }
    let chunks = self[.blobs].filter { $0.key.prefix(8).elementsEqual(bigEndian(id, 8)) }
    var offset = 0
    for chunk in chunks {
      #expect(chunk.key == bigEndian(id, 8) + bigEndian(UInt64(offset), 4))
      offset += chunk.value.count
    }
    let bytes = chunks.flatMap(\.value)
    return bytes.count == count && plainCRC32C(bytes) == checksum ? bytes : nil
  }

  func row(_ id: Int) throws -> PlainRow {
    let record = try #require(classes["Item"])
    // In host byte order, with the sign bit flipped.
    let number = UInt64(bitPattern: Int64(id)) ^ 1 << 63
    let key = withUnsafeBytes(of: number) { Array($0) }
    let entry = try #require(
      self[.objects(ofClass: UInt32(record.id))].first { $0.key == key })
    return try PlainRow(entry.value, object: number, record)
  }
}

func bigEndian(_ number: UInt64, _ count: Int) -> [UInt8] {
  (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
}

func littleEndian(_ number: UInt64, _ count: Int) -> [UInt8] {
  bigEndian(number, count).reversed()
}

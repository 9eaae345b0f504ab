package import BenchmarkKit
import CRawLMDB
import Foundation

extension LMDBEngine: SmallListEngine {
  package func insertSmallLists(_ lists: [[String]], perTransaction: Int) throws {
    var packed: [UInt8] = []
    try store.write(lists.indices, perTransaction: perTransaction) { writer, id in
      packed.removeAll(keepingCapacity: true)
      for element in lists[id] { try packed.append(withLength: element) }
      try check(
        packed.withUnsafeBytes { rawlmdb_put_small_list(writer, id, rawlmdb_bytes($0)) })
    }
  }

  package func changeSmallLists(_ changes: [SmallListChange], perTransaction: Int) throws {
    try store.write(changes.indices, perTransaction: perTransaction) { writer, index in
      let change = changes[index]
      try check(
        withBytes(of: change.element) {
          rawlmdb_set_small_element(writer, change.id, change.index, $0)
        })
    }
  }

  package func readSmallLists() throws -> [[String]] {
    try packedValues(rawlmdb_small_list).map { packed in
      var rest = packed[...]
      var list: [String] = []
      while let element = try rest.takeText() { list.append(element) }
      return list
    }
  }
}

extension LMDBEngine: SmallMapEngine {
  package func insertSmallMaps(_ maps: [[SmallMapEntry]], perTransaction: Int) throws {
    var packed: [UInt8] = []
    try store.write(maps.indices, perTransaction: perTransaction) { writer, id in
      packed.removeAll(keepingCapacity: true)
      for entry in maps[id] {
        try packed.append(withLength: entry.key)
        withUnsafeBytes(of: entry.value) { packed.append(contentsOf: $0) }
      }
      try check(packed.withUnsafeBytes { rawlmdb_put_small_map(writer, id, rawlmdb_bytes($0)) })
    }
  }

  package func changeSmallMaps(_ changes: [SmallMapChange], perTransaction: Int) throws {
    try store.write(changes.indices, perTransaction: perTransaction) { writer, index in
      let change = changes[index]
      try check(
        withBytes(of: change.key) {
          rawlmdb_set_small_value(writer, change.id, $0, change.value)
        })
    }
  }

  package func incrementInSmallMap(_ id: Int, key: String, times: Int) throws {
    for _ in 0..<times {
      try store.write { writer in
        try check(withBytes(of: key) { rawlmdb_increment_small_value(writer, id, $0) })
      }
    }
  }

  package func readSmallMaps() throws -> [[String: Int]] {
    try packedValues(rawlmdb_small_map).map { packed in
      var rest = packed[...]
      var map: [String: Int] = [:]
      while let key = try rest.takeText() { map[key] = try rest.takeInteger() }
      return map
    }
  }
}

extension LMDBEngine {
  /// The values of the ids 0, 1, … up to the first missing one.
  private func packedValues(
    _ read: (OpaquePointer, Int, UnsafeMutablePointer<rawlmdb_bytes>) -> Int32
  ) throws -> [[UInt8]] {
    let reader = try LMDBReader(store.handle)
    var values: [[UInt8]] = []
    while let value = try reader.content({ read($0, values.count, $1) }) {
      values.append(Array(value))
    }
    return values
  }
}

extension [UInt8] {
  /// Appends the length of a string as a byte, and the string.
  fileprivate mutating func append(withLength text: String) throws {
    guard let length = UInt8(exactly: text.utf8.count) else {
      throw BenchmarkError("a string has more than 255 bytes")
    }
    append(length)
    append(contentsOf: text.utf8)
  }
}

extension ArraySlice<UInt8> {
  /// Removes a string with its length from the beginning; nil at the end.
  fileprivate mutating func takeText() throws -> String? {
    guard let length = popFirst() else { return nil }
    return String(decoding: try take(Int(length)), as: UTF8.self)
  }

  /// Removes an integer of eight bytes from the beginning.
  fileprivate mutating func takeInteger() throws -> Int {
    try take(8).withUnsafeBytes { $0.loadUnaligned(as: Int.self) }
  }

  private mutating func take(_ length: Int) throws -> ArraySlice<UInt8> {
    guard count >= length else { throw BenchmarkError("a packed value is too short") }
    defer { removeFirst(length) }
    return prefix(length)
  }
}

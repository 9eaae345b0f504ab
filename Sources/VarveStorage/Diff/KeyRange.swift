/// A part of a table, by its keys.
///
/// The bytes need to be valid only until the call that takes the range returns. Bytes are for tables with
/// byte keys, `ids` is for those with integer keys, and `all` for both.
package enum KeyRange {
  /// Every entry.
  case all
  /// The entries whose keys begin with these bytes; with none, every entry.
  case prefix(UnsafeRawBufferPointer)
  /// The entries whose keys are not less than `from`, and less than `below` unless that is nil.
  case keys(from: UnsafeRawBufferPointer, below: UnsafeRawBufferPointer?)
  /// The entries whose ids are not less than `from`, and less than `below` unless that is nil.
  case ids(from: UInt64, below: UInt64?)
}

/// The ends of a range, in the form of nodes of a page: so they compare with nodes as nodes do.
///
/// Thread safety: immutable after init.
final class KeyBounds {
  private let memory: UnsafeMutableRawPointer

  /// Nothing below this is in the range.
  let lower: UnsafeRawPointer
  /// This and everything above is not in the range; nil where the range has no end.
  let upper: UnsafeRawPointer?

  /// No key of LMDB's is longer than this, so what a bound has beyond it decides nothing.
  private static let longestKey = 1 << 12

  /// The ends of a range; nil for `all`.
  ///
  /// - Precondition: `range` suits the keys of the table.
  static func make(_ range: KeyRange, of table: Table) -> KeyBounds? {
    switch range {
    case .all: return nil
    case .prefix(let bytes):
      precondition(!table.hasIntegerKeys, "A table with integer keys has no prefixes.")
      if bytes.isEmpty { return nil }
      let bounds = KeyBounds(bytes, bytes)
      return bounds.incrementUpper() ? bounds : KeyBounds(bytes, nil)
    case .keys(let from, let below):
      precondition(!table.hasIntegerKeys, "The keys of this table are integers.")
      return KeyBounds(from, below)
    case .ids(let from, let below):
      precondition(table.hasIntegerKeys, "The keys of this table are bytes.")
      return withUnsafeBytes(of: from) { from in
        guard let below else { return KeyBounds(from, nil) }
        return withUnsafeBytes(of: below) { KeyBounds(from, $0) }
      }
    }
  }

  private init(_ from: UnsafeRawBufferPointer, _ below: UnsafeRawBufferPointer?) {
    let from = UnsafeRawBufferPointer(rebasing: from.prefix(Self.longestKey))
    let below = below.map { UnsafeRawBufferPointer(rebasing: $0.prefix(Self.longestKey)) }
    let header = PageLayout.nodeHeaderSize
    let lowerSize = header + from.count
    memory = .allocate(byteCount: lowerSize + header + (below?.count ?? 0), alignment: 8)
    Self.write(from, memory)
    lower = UnsafeRawPointer(memory)
    if let below { Self.write(below, memory + lowerSize) }
    upper = below == nil ? nil : UnsafeRawPointer(memory + lowerSize)
  }

  deinit { memory.deallocate() }

  /// The key of an end.
  static func key(_ node: UnsafeRawPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: node + PageLayout.nodeHeaderSize, count: Int(node.u16(PageLayout.nodeKeySize)))
  }

  private static func write(_ key: UnsafeRawBufferPointer, _ node: UnsafeMutableRawPointer) {
    node.storeBytes(of: 0, as: UInt32.self)
    node.storeBytes(of: 0, toByteOffset: PageLayout.nodeFlags, as: UInt16.self)
    node.storeBytes(
      of: UInt16(key.count), toByteOffset: PageLayout.nodeKeySize, as: UInt16.self)
    if let base = key.baseAddress {
      (node + PageLayout.nodeHeaderSize).copyMemory(from: base, byteCount: key.count)
    }
  }

  /// Makes the upper end the least key that is above all keys that begin with it.
  ///
  /// - Returns: False when there is no such key.
  private func incrementUpper() -> Bool {
    guard let upper else { return false }
    let node = UnsafeMutableRawPointer(mutating: upper)
    var count = Int(upper.u16(PageLayout.nodeKeySize))
    while count > 0 {
      let place = PageLayout.nodeHeaderSize + count - 1
      let byte = upper.load(fromByteOffset: place, as: UInt8.self)
      if byte < .max {
        node.storeBytes(of: byte + 1, toByteOffset: place, as: UInt8.self)
        node.storeBytes(
          of: UInt16(count), toByteOffset: PageLayout.nodeKeySize, as: UInt16.self)
        return true
      }
      count -= 1
    }
    return false
  }
}

/// A range of keys of a table.
///
/// The bytes need to be valid only until the call that receives the range returns. `keys` is for
/// tables with byte keys, `ids` for tables with integer keys, and `all` for both.
package enum KeyRange {
  /// Every entry.
  case all
  /// The entries whose keys are not less than `from`, and less than `below` unless that is nil. An
  /// empty key is the least key.
  case keys(from: UnsafeRawBufferPointer, below: UnsafeRawBufferPointer?)
  /// The entries whose ids are not less than `from`, and less than `below` unless that is nil.
  case ids(from: UInt64, below: UInt64?)

  /// Calls a closure with the bounds as bytes whose order is the order of the keys; nil means no
  /// bound.
  func withOrderedBounds<R>(
    _ body: (UnsafeRawBufferPointer?, UnsafeRawBufferPointer?) -> R
  ) -> R {
    switch self {
    case .all: return body(nil, nil)
    case .keys(let from, let below): return body(from, below)
    case .ids(let from, let below):
      return withUnsafeBytes(of: from.bigEndian) { from in
        guard let below else { return body(from, nil) }
        return withUnsafeBytes(of: below.bigEndian) { body(from, $0) }
      }
    }
  }
}

extension EntryCursor {
  /// Moves to the first entry that is not before a range.
  ///
  /// - Returns: Whether there is one.
  mutating func seek(startOf range: KeyRange) -> Bool {
    switch range {
    case .keys(let from, _) where !from.isEmpty: seek(key: from)
    case .all, .keys: seekFirst()
    case .ids(let from, _): seek(id: from)
    }
  }

  /// Moves to the last entry that is not after a range.
  ///
  /// - Returns: Whether there is one.
  mutating func seek(endOf range: KeyRange) -> Bool {
    switch range {
    case .keys(_, let below?): seek(key: below) ? previous() : seekLast()
    case .ids(_, let below?): seek(id: below) ? previous() : seekLast()
    case .all, .keys, .ids: seekLast()
    }
  }

  /// Whether the entry is not after a range.
  func isBelow(endOf range: KeyRange) -> Bool {
    switch range {
    case .keys(_, let below?): PageMap.compare(key, below) < 0
    case .ids(_, let below?): id < below
    case .all, .keys, .ids: true
    }
  }
}

/// The bounds of a range, laid out like nodes of a page, so that they compare with nodes directly.
final class KeyBounds {
  private let memory: UnsafeMutableRawPointer

  /// The inclusive lower bound.
  let lower: UnsafeRawPointer
  /// The exclusive upper bound; nil if the range has none.
  let upper: UnsafeRawPointer?

  /// Every LMDB key is shorter than this limit, so the bytes of a bound beyond it never affect a
  /// comparison.
  private static let longestKey = 1 << 12

  /// Creates the bounds of a range; nil for `all`.
  ///
  /// - Precondition: `range` has the kind of keys of the table.
  static func make(_ range: KeyRange, of table: Table) -> KeyBounds? {
    switch range {
    case .all: return nil
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

  /// Returns the key of a bound.
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
}

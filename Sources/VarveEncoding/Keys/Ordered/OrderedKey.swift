/// A growable, reusable buffer for a key whose byte order is the order of the appended values.
///
/// A key consists of parts, appended from the left: plain big-endian numbers (``append(uint32:)``,
/// ``append(uint64:)``) and at most one *value part* in one of three forms (``KeyForm``). Byte
/// layout: Docs/Format.md, "Ordered keys".
@usableFromInline
package struct OrderedKey: Hashable, Sendable {
  /// The key so far.
  @usableFromInline package var bytes: [UInt8]

  /// The maximum length of an uncut value part.
  package static let maximumValueBytes = 440
  /// The marker that follows the first 440 bytes of a cut value part.
  package static let cutMarker: UInt8 = 0x02
  /// The length of a cut value part.
  package static let cutValueBytes = maximumValueBytes + 1 + Hash128.byteCount

  @usableFromInline static let null: UInt8 = 0x01
  @usableFromInline static let present: UInt8 = 0x02

  @inlinable
  package init() { bytes = [] }

  @inlinable
  package init(capacity: Int) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = Array(bytes) }

  @inlinable
  package var count: Int { bytes.count }

  @inlinable
  package mutating func reserveCapacity(_ count: Int) { bytes.reserveCapacity(count) }

  @inlinable
  package mutating func removeAll(keepingCapacity: Bool = true) {
    bytes.removeAll(keepingCapacity: keepingCapacity)
  }

  /// Truncates the key, so that another one with the same start can be built.
  @inlinable
  package mutating func truncate(to count: Int) {
    if count < bytes.count { bytes.removeLast(bytes.count - count) }
  }

  /// Calls `body` with the bytes.
  @inlinable
  package func withUnsafeBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try bytes.withUnsafeBufferPointer { (buffer) throws(E) -> R in
      try body(UnsafeRawBufferPointer(buffer))
    }
  }
}

extension OrderedKey {
  @inlinable
  package mutating func append(byte: UInt8) { bytes.append(byte) }

  /// Appends 4 bytes, big-endian.
  @inlinable
  package mutating func append(uint32 value: UInt32) {
    Swift.withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }

  /// Appends 8 bytes, big-endian.
  @inlinable
  package mutating func append(uint64 value: UInt64) {
    Swift.withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }

  @inlinable
  package mutating func append(raw source: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: source)
  }
}

extension OrderedKey: Comparable {
  /// LMDB's order: byte by byte, a prefix first.
  @usableFromInline
  package static func < (a: OrderedKey, b: OrderedKey) -> Bool {
    a.withUnsafeBytes { a in b.withUnsafeBytes { b in ByteOrder.compare(a, b) < 0 } }
  }
}

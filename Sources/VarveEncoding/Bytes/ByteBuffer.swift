/// A growable, reusable buffer of bytes with little-endian numbers: element values and records are
/// encoded into one.
@usableFromInline
package struct ByteBuffer: Sendable {
  @usableFromInline package var bytes: [UInt8]

  @inlinable
  package init() { bytes = [] }

  @inlinable
  package init(capacity: Int) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  @inlinable
  package var count: Int { bytes.count }

  @inlinable
  package mutating func removeAll(keepingCapacity: Bool = true) {
    bytes.removeAll(keepingCapacity: keepingCapacity)
  }

  @inlinable
  package mutating func append(_ value: UInt8) { bytes.append(value) }

  @inlinable
  package mutating func append(_ value: UInt16) {
    Swift.withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  @inlinable
  package mutating func append(_ value: UInt32) {
    Swift.withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  @inlinable
  package mutating func append(_ value: UInt64) {
    Swift.withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  @inlinable
  package mutating func append(_ source: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: source)
  }

  /// Appends the UTF-8 bytes without a length.
  @inlinable
  package mutating func append(utf8 string: String) {
    bytes.append(contentsOf: string.utf8)
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

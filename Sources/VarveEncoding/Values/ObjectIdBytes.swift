/// The 12 bytes of an object identifier, ordered as bytes.
@usableFromInline
package struct ObjectIdBytes: Hashable, Comparable, Sendable {
  /// Bytes 0 to 7 as a big-endian number, so that numbers and bytes have one order.
  @usableFromInline package let high: UInt64
  /// Bytes 8 to 11 as a big-endian number.
  @usableFromInline package let low: UInt32

  @usableFromInline package static let byteCount = 12

  /// All bytes zero.
  package static let zero = ObjectIdBytes(high: 0, low: 0)

  @inlinable
  package init(high: UInt64, low: UInt32) {
    self.high = high
    self.low = low
  }

  /// Reads the 12 bytes at `source`.
  ///
  /// - Precondition: 12 bytes can be read there.
  @inlinable
  package init(unchecked source: UnsafeRawPointer) {
    high = source.bigEndianUInt64(at: 0)
    low = source.bigEndianUInt32(at: 8)
  }

  /// Creates an identifier from exactly 12 bytes; nil for any other number of them.
  package init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    self = Array(bytes).withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { ObjectIdBytes(unchecked: $0) } ?? .zero
    }
  }

  /// Parses 24 hexadecimal digits, in either case; nil for any other text.
  package init?(hexadecimal text: String) {
    // Below the digits there are signs, with which a number may begin.
    guard text.utf8.count == 2 * Self.byteCount,
      text.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") }), let bits = UInt128(text, radix: 16)
    else { return nil }
    self.init(high: UInt64(bits >> 32), low: UInt32(truncatingIfNeeded: bits))
  }

  /// The 12 bytes.
  @usableFromInline package var bytes: [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: high >> UInt64(56 - 8 * $0)) }
      + (0..<4).map { UInt8(truncatingIfNeeded: low >> UInt32(24 - 8 * $0)) }
  }

  /// Writes the 12 bytes to `target`.
  ///
  /// - Precondition: 12 bytes can be written there.
  @inlinable
  package func store(to target: UnsafeMutableRawPointer) {
    target.store(high.byteSwapped, at: 0)
    target.store(low.byteSwapped, at: 8)
  }

  @inlinable
  package static func < (a: ObjectIdBytes, b: ObjectIdBytes) -> Bool {
    a.high == b.high ? a.low < b.low : a.high < b.high
  }
}

extension ObjectIdBytes {
  /// The stored 12 bytes, to be loaded at once.
  @frozen @usableFromInline
  package struct Stored: BitwiseCopyable, Sendable {
    let high: UInt64
    let low: UInt32

    package init(_ bytes: ObjectIdBytes) {
      high = bytes.high.bigEndian
      low = bytes.low.bigEndian
    }
  }

  package init(_ stored: Stored) {
    self.init(high: UInt64(bigEndian: stored.high), low: UInt32(bigEndian: stored.low))
  }
}

extension ObjectIdBytes: CustomStringConvertible {
  /// The 24 hexadecimal digits, in lower case.
  @usableFromInline package var description: String {
    let high = String(high, radix: 16)
    let low = String(low, radix: 16)
    return String(repeating: "0", count: 16 - high.count) + high
      + String(repeating: "0", count: 8 - low.count) + low
  }
}

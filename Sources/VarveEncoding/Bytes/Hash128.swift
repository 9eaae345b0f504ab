/// A 128-bit SipHash-2-4 hash.
package struct Hash128: Hashable, Sendable {
  /// Bytes 0 to 7, little-endian.
  @usableFromInline package let low: UInt64
  /// Bytes 8 to 15, little-endian.
  @usableFromInline package let high: UInt64

  @usableFromInline package static let byteCount = 16

  package init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// Reads the 16 bytes at the start of `bytes`.
  ///
  /// - Throws: `truncated` if there are fewer.
  package init(decoding bytes: UnsafeRawBufferPointer) throws(FormatError) {
    var reader = ByteReader(bytes)
    low = try reader.uint64()
    high = try reader.uint64()
  }

  /// The 16 bytes of the hash.
  @usableFromInline package var bytes: [UInt8] {
    var buffer = ByteBuffer(capacity: 16)
    buffer.append(low)
    buffer.append(high)
    return buffer.bytes
  }
}

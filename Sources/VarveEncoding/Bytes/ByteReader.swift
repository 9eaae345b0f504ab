/// Reads a record from its start to its end, with bounds checks.
///
/// The bytes belong to the caller and must outlive the reader.
package struct ByteReader {
  @usableFromInline package let bytes: UnsafeRawBufferPointer
  package private(set) var position = 0

  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  package var remaining: Int { bytes.count - position }

  package mutating func uint8() throws(FormatError) -> UInt8 {
    bytes[try take(1)]
  }

  package mutating func uint16() throws(FormatError) -> UInt16 {
    bytes.uint16(at: try take(2))
  }

  package mutating func uint32() throws(FormatError) -> UInt32 {
    bytes.uint32(at: try take(4))
  }

  package mutating func uint64() throws(FormatError) -> UInt64 {
    bytes.uint64(at: try take(8))
  }

  /// Reads a flag byte, which must be 0 or 1.
  package mutating func flag() throws(FormatError) -> Bool {
    let offset = position
    let value = try uint8()
    guard value <= 1 else {
      throw FormatError(
        .badValue, "a flag is neither 0 nor 1", offset: offset, found: UInt64(value))
    }
    return value == 1
  }

  /// Returns the next `count` bytes.
  package mutating func slice(_ count: Int) throws(FormatError) -> UnsafeRawBufferPointer {
    let start = try take(count)
    return UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
  }

  /// Reads a length of 4 bytes, and that many bytes of UTF-8.
  package mutating func string() throws(FormatError) -> String {
    let count = Int(try uint32())
    return try UTF8Text.string(try slice(count))
  }

  /// Checks that no bytes follow.
  package func finish() throws(FormatError) {
    guard remaining == 0 else {
      throw FormatError(
        .trailingBytes, "bytes follow the end of the record", offset: position,
        expected: UInt64(position), found: UInt64(bytes.count))
    }
  }

  /// Skips `count` bytes and returns the offset at which they start.
  private mutating func take(_ count: Int) throws(FormatError) -> Int {
    guard count <= remaining else {
      throw FormatError(
        .truncated, "the bytes end before the record does", offset: position,
        expected: UInt64(count), found: UInt64(remaining))
    }
    defer { position += count }
    return position
  }
}

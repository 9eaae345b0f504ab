// Numbers of variable length: seven bits a byte, the lowest first; bit 7 is set in all bytes but
// the last. Byte layout: Docs/Format.md, "Indexes of classes".

/// Calls `append` with the bytes of a number of variable length, of which there are 1 to 10.
@inline(__always)
func writeVarint(_ value: UInt64, _ append: (UInt8) -> Void) {
  var rest = value
  while rest > 0x7F {
    append(UInt8(truncatingIfNeeded: rest) | 0x80)
    rest >>= 7
  }
  append(UInt8(truncatingIfNeeded: rest))
}

extension ByteBuffer {
  /// Appends a number of 1 to 5 bytes.
  mutating func append(varint value: UInt32) {
    writeVarint(UInt64(value)) { append($0) }
  }

  /// The number of bytes of ``append(varint:)``.
  static func byteCount(varint value: UInt32) -> Int {
    (31 - (value | 1).leadingZeroBitCount) / 7 + 1
  }
}

/// A position in bytes from which numbers of variable length are read.
struct VarintReader {
  private let bytes: UnsafeRawBufferPointer
  private(set) var position: Int

  /// - Precondition: The position is not beyond the end.
  init(_ bytes: UnsafeRawBufferPointer, at position: Int) {
    self.bytes = bytes
    self.position = position
  }

  var isAtEnd: Bool { position == bytes.count }

  @inline(__always)
  mutating func byte() throws(FormatError) -> UInt8 {
    guard position < bytes.count else {
      throw FormatError(.truncated, "the bytes end before a number does", offset: position)
    }
    position &+= 1
    return bytes[position &- 1]
  }

  /// Reads the rest of a number after a byte with bit 7.
  ///
  /// - Parameter bits: The maximum number of its bits.
  /// - Throws: `truncated`; `badValue` for more bits, and for a last byte of zero, which is not the
  ///   shortest form.
  @inline(__always)
  mutating func rest(bits: Int) throws(FormatError) -> UInt64 {
    // Usually one byte.
    if position < bytes.count, bytes[position] &- 1 < 0x7F {
      position &+= 1
      return UInt64(bytes[position &- 1])
    }
    return try longRest(bits: bits)
  }

  @inline(never)
  private mutating func longRest(bits: Int) throws(FormatError) -> UInt64 {
    var value: UInt64 = 0
    var shift = 0
    while true {
      let byte = try byte()
      let part = UInt64(byte & 0x7F)
      guard shift < bits, part >> UInt64(bits - shift) == 0, byte != 0 else {
        throw FormatError(.badValue, "a number is too large or too long", offset: position - 1)
      }
      value |= part << UInt64(shift)
      if byte < 0x80 { return value }
      shift += 7
    }
  }

  /// Reads a number that ``ByteBuffer/append(varint:)`` has appended.
  @inline(__always)
  mutating func uint32() throws(FormatError) -> UInt32 {
    let first = try byte()
    guard first >= 0x80 else { return UInt32(first) }
    return UInt32(first & 0x7F) | UInt32(truncatingIfNeeded: try rest(bits: 25)) << 7
  }
}

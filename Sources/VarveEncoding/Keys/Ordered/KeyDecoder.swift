/// Reads a key from its start to its end.
///
/// The bytes belong to the caller and must outlive the decoder.
package struct KeyDecoder {
  private var reader: ByteReader

  package init(_ key: UnsafeRawBufferPointer) { reader = ByteReader(key) }

  /// Reads 4 bytes, big-endian.
  package mutating func uint32() throws(FormatError) -> UInt32 {
    try reader.uint32().byteSwapped
  }

  /// Reads 8 bytes, big-endian.
  package mutating func uint64() throws(FormatError) -> UInt64 {
    try reader.uint64().byteSwapped
  }

  /// Whether no bytes follow.
  package var isAtEnd: Bool { reader.position == reader.bytes.count }

  /// Checks that no bytes follow.
  package func finish() throws(FormatError) { try reader.finish() }

  /// Reads a string in the bare form: escaped bytes up to their end mark, or up to the border and
  /// the hash of a cut part.
  ///
  /// - Returns: nil if it was cut; then its whole bytes are in the entry's value.
  package mutating func bareString() throws(FormatError) -> String? {
    let bytes = reader.bytes
    var index = reader.position
    let border = index + OrderedKey.maximumValueBytes
    var escapes = 0
    // A zero at the last byte before the border is half an escape or half an end: a cut part.
    while index < min(border - 1, bytes.count - 1) {
      guard bytes[index] == 0 else {
        index += 1
        continue
      }
      let next = bytes[index + 1]
      if next == 0x01 { return try unescape(end: index, escapes: escapes) }
      guard next == 0xFF else {
        throw FormatError(
          .badValue, "an escape in a key", offset: index + 1, found: UInt64(next))
      }
      escapes += 1
      index += 2
    }
    guard bytes.count > border else {
      throw FormatError(.truncated, "a key has no end mark", offset: bytes.count)
    }
    try stepOverCut(border: border)
    return nil
  }

  private mutating func stepOverCut(border: Int) throws(FormatError) {
    _ = try reader.slice(border - reader.position)
    let marker = try reader.uint8()
    guard marker == OrderedKey.cutMarker else {
      throw FormatError(
        .badTag, "the marker of a cut key", offset: border,
        expected: UInt64(OrderedKey.cutMarker), found: UInt64(marker))
    }
    _ = try reader.slice(Hash128.byteCount)
  }

  /// Reads the bytes up to the end mark at `end`, and the mark.
  private mutating func unescape(end: Int, escapes: Int) throws(FormatError) -> String {
    let escaped = try reader.slice(end - reader.position)
    _ = try reader.uint16()
    guard escapes > 0 else { return try UTF8Text.string(escaped) }
    var plain: [UInt8] = []
    plain.reserveCapacity(escaped.count - escapes)
    var index = 0
    while index < escaped.count {
      plain.append(escaped[index])
      index += escaped[index] == 0 ? 2 : 1
    }
    return try plain.withUnsafeBufferPointer { (buffer) throws(FormatError) -> String in
      try UTF8Text.string(UnsafeRawBufferPointer(buffer))
    }
  }
}

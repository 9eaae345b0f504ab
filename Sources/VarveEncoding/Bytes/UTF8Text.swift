/// Stored text: UTF-8, compared byte by byte everywhere.
package enum UTF8Text {
  /// Decodes a string.
  ///
  /// - Throws: `badText` if the bytes are not UTF-8.
  /// - Complexity: O(n).
  package static func string(_ bytes: UnsafeRawBufferPointer) throws(FormatError) -> String {
    // `String(validating:as:)` looks up its generic types at each call, which takes longer than all
    // the rest.
    let text = String(decoding: bytes, as: UTF8.self)
    // Invalid bytes were replaced, so the text differs from the bytes.
    if isASCII(bytes) || spells(text, bytes) { return text }
    throw FormatError(.badText, "text is not UTF-8")
  }

  /// Whether all bytes are ASCII.
  ///
  /// - Complexity: O(n), eight bytes at a time.
  @inline(__always)
  package static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    allWords(of: bytes) { $0 & 0x8080_8080_8080_8080 == 0 }
  }

  /// Whether all bytes are ASCII, and none is zero.
  ///
  /// - Complexity: O(n), eight bytes at a time.
  @inline(__always)
  package static func isASCIIWithoutZero(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // Adding 127 sets the high bit of every byte from 1 to 127, and of no zero byte.
    allWords(of: bytes) { word in
      (word | ~(word &+ 0x7F7F_7F7F_7F7F_7F7F)) & 0x8080_8080_8080_8080 == 0
    }
  }

  /// Whether a byte is zero.
  ///
  /// - Complexity: O(n), eight bytes at a time.
  @inline(__always)
  package static func hasZero(_ bytes: UnsafeRawBufferPointer) -> Bool {
    !allWords(of: bytes) { word in
      (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 == 0
    }
  }

  /// Whether a predicate is true for all bytes. It receives eight bytes at once, some of them
  /// twice.
  @inline(__always)
  private static func allWords(
    of bytes: UnsafeRawBufferPointer, _ predicate: (UInt64) -> Bool
  ) -> Bool {
    guard let base = bytes.baseAddress, bytes.count >= 8 else {
      return bytes.allSatisfy { predicate(UInt64($0) &* 0x0101_0101_0101_0101) }
    }
    let last = bytes.count &- 8
    var offset = 0
    while offset < last {
      if !predicate(base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) { return false }
      offset &+= 8
    }
    return predicate(base.loadUnaligned(fromByteOffset: last, as: UInt64.self))
  }

  private static func spells(_ text: String, _ bytes: UnsafeRawBufferPointer) -> Bool {
    text.utf8.withContiguousStorageIfAvailable {
      ByteOrder.areEqual(UnsafeRawBufferPointer($0), bytes)
    } ?? text.utf8.elementsEqual(bytes)
  }
}

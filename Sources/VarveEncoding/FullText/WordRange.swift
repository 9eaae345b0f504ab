/// A word in an array of bytes.
///
/// A word has 1 to 64 bytes, none of them zero.
package struct WordRange: Sendable {
  /// The maximum length of a word in UTF-8 bytes.
  package static let maximumBytes = 64

  /// The first eight bytes, big-endian, followed by zeros if there are fewer: words with different
  /// prefixes have the order of their prefixes.
  let prefix: UInt64
  let start: UInt32
  let count: UInt8

  init(_ range: Range<Int>, of bytes: UnsafeRawBufferPointer) {
    var prefix: UInt64 = 0
    if range.count >= 8 {
      prefix = bytes.uint64(at: range.lowerBound).byteSwapped
    } else {
      for index in range { prefix = prefix << 8 | UInt64(bytes[index]) }
      prefix <<= UInt64(64 - 8 * range.count)
    }
    self.prefix = prefix
    start = UInt32(range.lowerBound)
    count = UInt8(range.count)
  }

  private init(prefix: UInt64, start: UInt32, count: UInt8) {
    self.prefix = prefix
    self.start = start
    self.count = count
  }

  /// The same word in an array in which its bytes are further to the right.
  func moved(by offset: UInt32) -> WordRange {
    WordRange(prefix: prefix, start: start + offset, count: count)
  }

  /// The word in the array.
  func bytes(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[Int(start)..<Int(start) + Int(count)])
  }

  /// The order of two words of one array: negative, zero or positive.
  @inline(__always)
  func order(_ other: WordRange, in bytes: UnsafeRawBufferPointer) -> Int {
    if prefix != other.prefix { return prefix < other.prefix ? -1 : 1 }
    // No byte is zero, so words of at most eight bytes are equal if their prefixes are.
    guard count > 8 || other.count > 8 else { return 0 }
    return ByteOrder.compare(self.bytes(in: bytes), other.bytes(in: bytes))
  }
}

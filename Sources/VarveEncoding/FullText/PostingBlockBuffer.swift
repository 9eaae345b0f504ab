/// A block of postings that is about to be stored.
package struct PostingBlockBuffer {
  /// The maximum number of bytes of a posting: 10 of a difference, 5 of a count.
  private static let postingBytes = 15

  /// Longer than the greatest block by one posting.
  private var bytes = [UInt8](repeating: 0, count: PostingBlock.greatestBytes + postingBytes)
  /// The length of the block.
  package private(set) var byteCount = PostingBlock.headerBytes
  package private(set) var count = 0
  /// The id of the last posting; 0 if there is none.
  package private(set) var lastID: UInt64 = 0

  package init() {}

  /// Starts with the postings of a block.
  ///
  /// - Throws: `truncated`, `badValue`, `trailingBytes`.
  package mutating func load(_ block: PostingBlock) throws(FormatError) {
    lastID = try block.lastID()
    count = block.count
    byteCount = block.value.count
    bytes.withUnsafeMutableBytes { $0.copyMemory(from: block.value) }
  }

  package mutating func removeAll() {
    byteCount = PostingBlock.headerBytes
    count = 0
    lastID = 0
  }

  /// The bytes that a posting needs in a block.
  ///
  /// - Parameter previous: The id of the posting before it; nil for the first one.
  package static func byteCount(_ posting: Posting, after previous: UInt64?) -> Int {
    let difference = previous.map { posting.id - $0 } ?? 0
    // One bit more than the difference.
    let bits = 64 - difference.leadingZeroBitCount + 1
    return (bits + 6) / 7 + (posting.count == 1 ? 0 : ByteBuffer.byteCount(varint: posting.count))
  }

  /// Appends a posting if the block has room for it.
  ///
  /// - Parameter limit: The maximum number of bytes of the block, from 64 to
  ///   ``PostingBlock/greatestBytes``.
  /// - Returns: Whether it was appended; always if the block is empty.
  /// - Precondition: The id is greater than those of all postings, and the count is not 0.
  package mutating func append(
    _ posting: Posting, limit: Int = PostingBlock.maximumBytes
  ) -> Bool {
    // A stored block may be longer than the limit.
    guard byteCount < limit else { return false }
    let difference = count == 0 ? 0 : posting.id - lastID
    let start = byteCount
    let end = bytes.withUnsafeMutableBufferPointer { bytes in
      var end = start
      func append(_ byte: UInt8) {
        bytes[end] = byte
        end &+= 1
      }
      // Bit 0 of the first byte says that the count is 1; it is not stored then.
      let first = UInt8(truncatingIfNeeded: difference & 0x3F) << 1 | (posting.count == 1 ? 1 : 0)
      if difference >> 6 == 0 {
        append(first)
      } else {
        append(first | 0x80)
        writeVarint(difference >> 6, append)
      }
      if posting.count != 1 { writeVarint(UInt64(posting.count), append) }
      return end
    }
    guard end <= limit else { return false }
    byteCount = end
    lastID = posting.id
    count += 1
    return true
  }

  /// Calls `body` with the block.
  package mutating func withUnsafeBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    bytes[0] = UInt8(truncatingIfNeeded: count)
    bytes[1] = UInt8(truncatingIfNeeded: count >> 8)
    return try bytes.withUnsafeBufferPointer { (buffer) throws(E) -> R in
      try body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<byteCount]))
    }
  }
}

/// A block of the texts that contain a word, ascending by object id.
///
/// The bytes belong to the caller and must outlive the view. Byte layout: Docs/Format.md, "Indexes
/// of classes".
package struct PostingBlock {
  /// The maximum number of bytes that a writer stores. Four blocks of words of up to 20 bytes fit
  /// into a page.
  package static let maximumBytes = 976
  /// The maximum number of bytes that a reader accepts.
  package static let greatestBytes = 2000
  /// The offset of the first posting.
  static let headerBytes = 2

  /// The id of the first posting, which is in the key.
  package let firstID: UInt64
  package let count: Int
  package let value: UnsafeRawBufferPointer

  /// - Throws: `badLength` for a number of postings that cannot be in the bytes.
  /// - Complexity: O(1). The postings are checked when they are read.
  package init(
    firstID: UInt64, validating value: UnsafeRawBufferPointer
  ) throws(FormatError) {
    guard value.count > Self.headerBytes else {
      throw FormatError(.truncated, "a block has no postings", found: UInt64(value.count))
    }
    guard value.count <= Self.greatestBytes else {
      throw FormatError(
        .badLength, "a block is too long", expected: UInt64(Self.greatestBytes),
        found: UInt64(value.count))
    }
    let count = Int(value.uint16(at: 0))
    guard count > 0, count <= value.count - Self.headerBytes else {
      throw FormatError(
        .badLength, "a block has a wrong number of postings", found: UInt64(count))
    }
    self.firstID = firstID
    self.count = count
    self.value = value
  }

  /// Appends all postings to an array.
  ///
  /// - Throws: `truncated`, `badValue`, `trailingBytes`.
  /// - Complexity: O(postings).
  package func append(to postings: inout [Posting]) throws(FormatError) {
    postings.reserveCapacity(postings.count + count)
    var reader = Reader(self)
    for _ in 0..<count { postings.append(try reader.next()) }
    try reader.finish()
  }

  /// The greatest id.
  ///
  /// - Throws: `truncated`, `badValue`, `trailingBytes`.
  /// - Complexity: O(postings).
  package func lastID() throws(FormatError) -> UInt64 {
    var reader = Reader(self)
    var last = firstID
    for _ in 0..<count { last = try reader.next().id }
    try reader.finish()
    return last
  }

  private struct Reader {
    var bytes: VarintReader
    var id: UInt64
    var isFirst = true

    init(_ block: PostingBlock) {
      bytes = VarintReader(block.value, at: PostingBlock.headerBytes)
      id = block.firstID
    }

    @inline(__always)
    mutating func next() throws(FormatError) -> Posting {
      let byte = try bytes.byte()
      var difference = UInt64(byte >> 1 & 0x3F)
      if byte >= 0x80 { difference |= try bytes.rest(bits: 58) << 6 }
      let (next, overflows) = id.addingReportingOverflow(difference)
      guard !overflows, (difference == 0) == isFirst else {
        throw FormatError(.badValue, "postings are out of order", offset: bytes.position)
      }
      isFirst = false
      id = next
      return Posting(id: id, count: byte & 1 == 1 ? 1 : try severalOccurrences())
    }

    @inline(__always)
    private mutating func severalOccurrences() throws(FormatError) -> UInt32 {
      let count = try bytes.uint32()
      guard count > 1 else {
        throw FormatError(
          .badValue, "a posting has a wrong number of occurrences", offset: bytes.position,
          found: UInt64(count))
      }
      return count
    }

    func finish() throws(FormatError) {
      guard bytes.isAtEnd else {
        throw FormatError(
          .trailingBytes, "bytes follow the postings of a block", offset: bytes.position)
      }
    }
  }
}

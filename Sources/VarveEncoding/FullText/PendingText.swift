/// A view of a pending text of a full-text index: the words of the text, which the blocks do not
/// contain yet, and the words that the blocks still contain for its object.
///
/// The bytes belong to the caller and must outlive the view. Byte layout: Docs/Format.md, "Indexes
/// of classes".
package struct PendingText {
  private static let signatureBytes = 32
  private static let countOffset = signatureBytes
  /// The offset of the lengths of the words.
  private static let tableOffset = signatureBytes + 4
  /// The bit of a length of a word that occurs several times.
  private static let severalFlag: UInt8 = 0x80

  private let value: UnsafeRawBufferPointer
  /// The number of words of the text.
  package let count: Int
  /// The number of words to be removed from the blocks.
  package let removedCount: Int

  /// - Throws: `truncated`; `badValue` without words.
  /// - Complexity: O(1). The words are checked when they are read.
  package init(validating value: UnsafeRawBufferPointer) throws(FormatError) {
    guard value.count > Self.tableOffset else {
      throw FormatError(.truncated, "a pending text is too short", found: UInt64(value.count))
    }
    count = Int(value.uint16(at: Self.countOffset))
    removedCount = Int(value.uint16(at: Self.countOffset + 2))
    self.value = value
    guard count + removedCount > 0 else {
      throw FormatError(.badValue, "a pending text has no words", offset: Self.countOffset)
    }
    // Each word has a length and at least one byte.
    guard value.count - Self.tableOffset >= 2 * (count + removedCount) else {
      throw FormatError(
        .truncated, "a pending text ends before its words do", found: UInt64(value.count))
    }
  }

  /// Whether the text or the words to be removed may contain a word, judged by the signature.
  ///
  /// - Parameter mark: The ``mark(of:)`` the word.
  @inline(__always)
  package func mayContain(_ mark: UInt16) -> Bool {
    value[Int(mark & 0xFF) >> 3] >> UInt8(mark & 7) & value[Int(mark >> 11)] >> UInt8(mark >> 8 & 7)
      & 1 != 0
  }

  /// The two bits of a word in a signature: their positions are the two bytes.
  package static func mark(of word: UnsafeRawBufferPointer) -> UInt16 {
    UInt16(truncatingIfNeeded: CRC32C.checksum(word))
  }

  /// Reads the words: first those of the text, with their numbers of occurrences, then those to be
  /// removed, with 0.
  private struct Reader {
    private let value: UnsafeRawBufferPointer
    private let count: Int
    private let total: Int
    private var index = 0
    private(set) var position: Int

    init(_ text: PendingText) {
      value = text.value
      count = text.count
      total = text.count + text.removedCount
      position = PendingText.tableOffset + total
    }

    /// The next word, as its range in the value; nil after the last one.
    @inline(__always)
    mutating func next() throws(FormatError) -> (word: Range<Int>, count: UInt32)? {
      guard index < total else {
        if position == value.count { return nil }
        throw FormatError(
          .trailingBytes, "bytes follow the words of a pending text", offset: position)
      }
      let length = value[PendingText.tableOffset &+ index]
      let byteCount = Int(length & ~PendingText.severalFlag)
      let start = position
      guard byteCount &- 1 < WordRange.maximumBytes, byteCount > 0,
        byteCount <= value.count &- start
      else { throw wrongLength(byteCount) }
      position = start &+ byteCount
      let isCurrent = index < count
      index &+= 1
      guard length & PendingText.severalFlag != 0 else {
        return (start..<start &+ byteCount, isCurrent ? 1 : 0)
      }
      return (start..<start &+ byteCount, try severalOccurrences(isCurrent))
    }

    private mutating func severalOccurrences(
      _ isCurrent: Bool
    ) throws(FormatError) -> UInt32 {
      var reader = VarintReader(value, at: position)
      let times = try reader.uint32()
      guard isCurrent, times > 1 else {
        throw FormatError(.badValue, "a word has a wrong number of occurrences", offset: position)
      }
      position = reader.position
      return times
    }

    private func wrongLength(_ count: Int) -> FormatError {
      FormatError(
        .badLength, "the length of a word of a pending text", offset: position,
        found: UInt64(count))
    }
  }

  /// The number of occurrences of a word, or of all words with a prefix, and whether the word is to
  /// be removed from the blocks.
  ///
  /// - Throws: `truncated`, `badValue`, `badLength`, `trailingBytes`.
  /// - Complexity: O(words).
  package func find(
    _ word: UnsafeRawBufferPointer, isPrefix: Bool = false
  ) throws(FormatError) -> (count: Int, isRemoved: Bool) {
    var (found, isRemoved) = (0, false)
    var reader = Reader(self)
    while let (range, count) = try reader.next() {
      guard isPrefix ? range.count >= word.count : range.count == word.count,
        ByteOrder.hasPrefix(UnsafeRawBufferPointer(rebasing: value[range]), word)
      else { continue }
      found += Int(count)
      if count == 0 { isRemoved = true }
    }
    return (found, isRemoved)
  }

  /// Reads and checks all words.
  ///
  /// - Throws: `truncated`, `badValue`, `badLength`, `trailingBytes`.
  /// - Complexity: O(words).
  package func decode() throws(FormatError) -> (words: WordList, removed: WordList) {
    var ranges: [WordRange] = []
    var counts: [UInt32] = []
    var signature = [UInt8](repeating: 0, count: Self.signatureBytes)
    var isValid = true
    ranges.reserveCapacity(count + removedCount)
    counts.reserveCapacity(count + removedCount)
    var reader = Reader(self)
    while let (range, times) = try reader.next() {
      let bytes = UnsafeRawBufferPointer(rebasing: value[range])
      let word = WordRange(range, of: value)
      let isFirst = ranges.isEmpty || ranges.count == count
      if !isFirst, ranges[ranges.count - 1].order(word, in: value) >= 0 { isValid = false }
      if UTF8Text.hasZero(bytes) { isValid = false }
      Self.add(bytes, to: &signature)
      ranges.append(word)
      counts.append(times)
    }
    guard isValid, value.starts(with: signature) else {
      throw FormatError(.badValue, "the words or the signature of a pending text")
    }
    let bytes = Array(value)
    return (
      WordList(bytes: bytes, words: Array(ranges[..<count]), counts: Array(counts[..<count])),
      WordList(bytes: bytes, words: Array(ranges[count...]), counts: Array(counts[count...]))
    )
  }

  /// Encodes a pending text.
  ///
  /// - Parameters:
  ///   - words: The words of the text.
  ///   - removed: The words to be removed.
  ///   - buffer: Replaced by the value.
  /// - Returns: false if there are too many words; the buffer is undefined then.
  package static func encode(
    _ words: WordList, removed: WordList, into buffer: inout ByteBuffer
  ) -> Bool {
    guard let count = UInt16(exactly: words.count),
      let removedCount = UInt16(exactly: removed.count)
    else { return false }
    buffer.removeAll()
    for _ in 0..<signatureBytes / 8 { buffer.append(UInt64(0)) }
    buffer.append(count)
    buffer.append(removedCount)
    for (word, count) in zip(words.words, words.counts) {
      buffer.append(count > 1 ? word.count | severalFlag : word.count)
    }
    for word in removed.words { buffer.append(word.count) }
    words.forEach { word, count in
      add(word, to: &buffer.bytes)
      buffer.append(word)
      if count > 1 { buffer.append(varint: count) }
    }
    removed.forEach { word, _ in
      add(word, to: &buffer.bytes)
      buffer.append(word)
    }
    return true
  }

  /// Sets the bits of a word in a signature.
  private static func add(_ word: UnsafeRawBufferPointer, to signature: inout [UInt8]) {
    let mark = mark(of: word)
    signature[Int(mark & 0xFF) >> 3] |= 1 << UInt8(mark & 7)
    signature[Int(mark >> 11)] |= 1 << UInt8(mark >> 8 & 7)
  }
}

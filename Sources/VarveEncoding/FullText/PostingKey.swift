/// Keys of a full-text index: of blocks of postings, of pending texts, and of their totals.
///
/// Byte layout: Docs/Format.md, "Indexes of classes".
package enum PostingKey {
  private static let endBytes = 2
  /// The length of the key of ``PendingTotals``.
  package static let totalsBytes = IndexKey.valueStart + endBytes
  /// The length of the key of a pending text.
  package static let pendingBytes = totalsBytes + 8

  /// Starts the keys of the blocks of a word, or of all words with a prefix.
  package static func begin(
    _ key: inout OrderedKey, indexID: UInt32, word: UnsafeRawBufferPointer, isWhole: Bool = true
  ) {
    IndexKey.begin(&key, indexID: indexID)
    key.append(raw: word)
    if isWhole { end(&key) }
  }

  /// Starts the keys of pending texts. It is the key of their totals itself.
  package static func beginPending(_ key: inout OrderedKey, indexID: UInt32) {
    IndexKey.begin(&key, indexID: indexID)
    end(&key)
  }

  private static func end(_ key: inout OrderedKey) {
    key.append(byte: OrderedKey.endMark.0)
    key.append(byte: OrderedKey.endMark.1)
  }

  /// The index of a key; nil for a key that is too short.
  package static func indexID(of key: UnsafeRawBufferPointer) -> UInt32? {
    key.count >= 4 ? key.uint32(at: 0).byteSwapped : nil
  }

  /// The word and the first object id of the key of a block.
  ///
  /// - Throws: `badLength` for a word without bytes or with too many, and `badValue` without its
  ///   end, or with a zero byte.
  package static func decodeBlock(
    _ key: UnsafeRawBufferPointer
  ) throws(FormatError) -> (word: UnsafeRawBufferPointer, firstID: UInt64) {
    let end = key.count - 8 - endBytes
    let count = end - IndexKey.valueStart
    guard count > 0, count <= WordRange.maximumBytes else {
      throw FormatError(
        .badLength, "the word of a block is missing or too long", found: UInt64(key.count))
    }
    let word = UnsafeRawBufferPointer(rebasing: key[IndexKey.valueStart..<end])
    guard key[end] == OrderedKey.endMark.0, key[end + 1] == OrderedKey.endMark.1,
      !UTF8Text.hasZero(word)
    else { throw FormatError(.badValue, "the word of a block has no end", offset: end) }
    return (word, key.uint64(at: end + endBytes).byteSwapped)
  }

  /// Whether a key is that of a pending text, or of their totals.
  package static func isPending(_ key: UnsafeRawBufferPointer) -> Bool {
    key.count >= totalsBytes && key[IndexKey.valueStart] == OrderedKey.endMark.0
      && key[IndexKey.valueStart + 1] == OrderedKey.endMark.1
  }

  /// The object id of the key of a pending text; nil for the key of their totals.
  ///
  /// - Throws: `badLength`.
  /// - Precondition: ``isPending(_:)``.
  package static func decodePending(
    _ key: UnsafeRawBufferPointer
  ) throws(FormatError) -> UInt64? {
    if key.count == totalsBytes { return nil }
    guard key.count == pendingBytes else {
      throw FormatError(
        .badLength, "the key of a pending text", expected: UInt64(pendingBytes),
        found: UInt64(key.count))
    }
    return key.uint64(at: totalsBytes).byteSwapped
  }
}

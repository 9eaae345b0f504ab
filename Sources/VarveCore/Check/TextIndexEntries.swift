import VarveEncoding

/// Reads the entries of a full-text index in the order of their keys, and verifies that they fit
/// together.
struct TextIndexEntries {
  /// A word of a text, as an entry contains it.
  enum Word {
    /// A word of a pending text, or of a text in the blocks.
    case current(count: UInt32)
    /// A word that a pending text is to remove from the blocks.
    case removed
    /// A word in the blocks of an object with a pending text.
    case outdated
  }

  let indexID: UInt32
  /// The objects with a pending text, ascending.
  private var pendingIDs: [UInt64] = []
  private var pendingBytes = 0
  private var totals: PendingTotals?
  /// The word and the last id of the block read last.
  private var lastWord: [UInt8] = []
  private var lastID: UInt64 = 0
  private var postings: [Posting] = []

  init(indexID: UInt32) { self.indexID = indexID }

  /// Reads an entry.
  ///
  /// - Parameter body: Receives each word, with its object.
  /// - Throws: For an entry that cannot be decoded, or that overlaps the one before it.
  mutating func read(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer,
    _ body: (_ word: UnsafeRawBufferPointer, _ id: UInt64, Word) -> Void
  ) throws(FormatError) {
    guard PostingKey.isPending(key) else { return try readBlock(key, value, body) }
    guard let id = try PostingKey.decodePending(key) else {
      totals = try PendingTotals(decoding: value)
      return
    }
    pendingIDs.append(id)
    pendingBytes += value.count
    let (words, removed) = try PendingText(validating: value).decode()
    words.forEach { body($0, id, .current(count: $1)) }
    removed.forEach { word, _ in body(word, id, .removed) }
  }

  private mutating func readBlock(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer,
    _ body: (_ word: UnsafeRawBufferPointer, _ id: UInt64, Word) -> Void
  ) throws(FormatError) {
    let (word, firstID) = try PostingKey.decodeBlock(key)
    let block = try PostingBlock(firstID: firstID, validating: value)
    postings.removeAll(keepingCapacity: true)
    try block.append(to: &postings)
    if word.elementsEqual(lastWord), lastID >= firstID {
      throw FormatError(.badValue, "a block overlaps the one before it")
    }
    lastWord = Array(word)
    lastID = postings.last?.id ?? firstID
    var pending = pendingIDs.countAscending { $0 < firstID }
    for posting in postings {
      while pending < pendingIDs.count, pendingIDs[pending] < posting.id { pending += 1 }
      let isOutdated = pending < pendingIDs.count && pendingIDs[pending] == posting.id
      body(word, posting.id, isOutdated ? .outdated : .current(count: posting.count))
    }
  }

  /// Verifies the totals of the pending texts, after all entries.
  func finish() throws(FormatError) {
    guard totals ?? PendingTotals() == found else {
      throw FormatError(
        .badValue, "the totals of the pending texts are wrong", expected: UInt64(found.count),
        found: UInt64(totals?.count ?? 0))
    }
  }

  private var found: PendingTotals {
    PendingTotals(
      count: UInt32(clamping: pendingIDs.count), bytes: UInt32(clamping: pendingBytes))
  }
}

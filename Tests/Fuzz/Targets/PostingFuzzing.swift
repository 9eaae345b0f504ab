import VarveEncoding

/// The entries of full-text indexes. The input is a byte that selects the decoder, and the bytes to
/// decode; those of a block follow its first id.
enum PostingFuzzing {
  static func run(_ bytes: UnsafeRawBufferPointer) throws {
    var input = FuzzInput(bytes)
    let choice = input.byte()
    switch choice % 4 {
    case 0:
      let firstID = input.bytes(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
      try input.remaining().lend { try runBlock($0, firstID: firstID) }
    case 1: try input.remaining().lend(runPendingText)
    case 2: try input.remaining().lend(runTotals)
    default: try input.remaining().lend(runKey)
    }
  }

  private static func runBlock(_ bytes: UnsafeRawBufferPointer, firstID: UInt64) throws {
    guard let block = try? PostingBlock(firstID: firstID, validating: bytes) else { return }
    var postings: [Posting] = []
    guard (try? block.append(to: &postings)) != nil else { return }
    try require(postings.count == block.count, "a block has another number of postings")
    try require(postings[0].id == firstID, "the first id of a block is another one")
    try require(
      zip(postings, postings.dropFirst()).allSatisfy { $0.id < $1.id }, "ids are not ascending")
    let last = try require("the last id cannot be read") { try block.lastID() }
    try require(last == postings[postings.count - 1].id, "the last id is another one")
    var buffer = PostingBlockBuffer()
    for posting in postings {
      let isAppended = buffer.append(posting, limit: PostingBlock.greatestBytes)
      try require(isAppended, "a posting of a block does not fit into a block")
    }
    let copy = buffer.withUnsafeBytes { Array($0) }
    try require(copy == Array(bytes), "a copied block has other bytes")
    try require("a block cannot be loaded") { try buffer.load(block) }
    try require(buffer.lastID == last && buffer.count == block.count, "a loaded block differs")
  }

  private static func runPendingText(_ bytes: UnsafeRawBufferPointer) throws {
    guard let text = try? PendingText(validating: bytes) else { return }
    let parts = try? text.decode()
    let word = UnsafeRawBufferPointer(rebasing: bytes.suffix(1))
    let found = try? text.find(word, isPrefix: true)
    try require(found != nil || parts == nil, "the words of a pending text cannot be read")
    guard let (words, removed) = parts else { return }
    try require(
      words.count == text.count && removed.count == text.removedCount,
      "a pending text has another number of words")
    var changes = PostingChanges()
    changes.add(1, words, removed: removed)
    changes.sort()
    var buffer = ByteBuffer()
    let isEncoded = PendingText.encode(words, removed: removed, into: &buffer)
    try require(isEncoded && buffer.bytes == Array(bytes), "a copied pending text has other bytes")
  }

  private static func runTotals(_ bytes: UnsafeRawBufferPointer) throws {
    guard var totals = try? PendingTotals(decoding: bytes) else { return }
    var buffer = ByteBuffer()
    totals.encode(into: &buffer)
    try require(buffer.bytes == Array(bytes), "copied totals have other bytes")
    for (old, new) in [(nil, 5), (70_000, 5), (5, nil)] as [(Int?, Int?)] {
      totals.replace(old, with: new)
    }
  }

  private static func runKey(_ bytes: UnsafeRawBufferPointer) throws {
    var copy = OrderedKey()
    if PostingKey.isPending(bytes) {
      guard let id = try? PostingKey.decodePending(bytes) else { return }
      PostingKey.beginPending(&copy, indexID: PostingKey.indexID(of: bytes) ?? 0)
      copy.append(uint64: id)
    } else {
      guard let (word, firstID) = try? PostingKey.decodeBlock(bytes) else { return }
      PostingKey.begin(&copy, indexID: PostingKey.indexID(of: bytes) ?? 0, word: word)
      copy.append(uint64: firstID)
    }
    try require(copy.bytes == Array(bytes), "a copied key has other bytes")
  }
}

import VarveEncoding
import VarveStorage

extension EntryCursor {
  /// Searches the block to which a posting of an object belongs: the last block of the word that
  /// does not begin after the object, or else the first one.
  ///
  /// - Parameter key: The start of the keys of the word.
  /// - Returns: The block and the first id of the next block of the word. Nil if the word has no
  ///   blocks. The bytes of the block are valid until the next write.
  /// - Throws: `.corrupted` for a damaged entry.
  /// - Complexity: O(log n).
  /// - Precondition: The cursor is one of the table `indexes`.
  mutating func postingBlock(
    _ key: inout OrderedKey, _ id: UInt64
  ) throws(Failure) -> (block: PostingBlock, nextID: UInt64?)? {
    let prefixCount = key.count
    key.append(uint64: id)
    defer { key.truncate(to: prefixCount) }
    let isThere = key.withUnsafeBytes { seek(key: $0) }
    let above = isThere ? try key.firstID(of: self.key, prefixCount) : nil
    if above != id, previous(), let below = try key.firstID(of: self.key, prefixCount) {
      return (try PostingBlock(firstID: below, reading: value), above)
    }
    guard let above else { return nil }
    // All blocks are after the object, or one begins with it.
    if above != id, !next() { return nil }
    let found = try PostingBlock(firstID: above, reading: value)
    return (found, next() ? try key.firstID(of: self.key, prefixCount) : nil)
  }
}

extension PostingBlock {
  /// - Throws: `.corrupted` for damaged bytes.
  fileprivate init(firstID: UInt64, reading value: UnsafeRawBufferPointer) throws(Failure) {
    self = try Failure.decoding(
      "An index entry is damaged.", try PostingBlock(firstID: firstID, validating: value))
  }

  /// Appends all postings to an array.
  ///
  /// - Throws: `.corrupted` for damaged bytes.
  /// - Complexity: O(postings).
  func read(into postings: inout [Posting]) throws(Failure) {
    try Failure.decoding("An index entry is damaged.", try append(to: &postings))
  }
}

extension TableReader {
  /// Searches a posting in the blocks.
  ///
  /// - Parameter key: A buffer.
  /// - Returns: The number of occurrences; nil if there is no posting.
  /// - Throws: `.corrupted` for a damaged entry.
  func postingCount(
    _ key: inout OrderedKey, indexID: UInt32, word: UnsafeRawBufferPointer, _ id: UInt64
  ) throws(Failure) -> UInt32? {
    PostingKey.begin(&key, indexID: indexID, word: word)
    var cursor = cursor(.indexes)
    guard let block = try cursor.postingBlock(&key, id)?.block else { return nil }
    var postings: [Posting] = []
    try block.read(into: &postings)
    return postings.first { $0.id == id }?.count
  }
}

extension OrderedKey {
  /// The first id in the key of a block; nil for a key of another word.
  ///
  /// - Parameter prefixCount: The length of the start of the keys of the word, which is the start
  ///   of this key.
  fileprivate func firstID(
    of key: UnsafeRawBufferPointer, _ prefixCount: Int
  ) throws(Failure) -> UInt64? {
    guard key.count >= prefixCount, key.prefix(prefixCount).elementsEqual(bytes[..<prefixCount])
    else { return nil }
    return try Failure.decoding(
      "An index entry is damaged.", try PostingKey.decodeBlock(key)
    ).firstID
  }
}

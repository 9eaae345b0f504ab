import VarveEncoding
import VarveStorage

extension TableReader {
  /// Searches the block to which a posting of an object belongs: the last block of the word that
  /// does not begin after the object, or else the first one.
  ///
  /// - Parameter key: The start of the keys of the word.
  /// - Returns: The block and the first id of the next block of the word. Nil if the word has no
  ///   blocks. The bytes of the block are valid until the next write.
  /// - Throws: `.corrupted` for a damaged entry.
  /// - Complexity: O(log n).
  func postingBlock(
    _ key: inout OrderedKey, _ id: UInt64
  ) throws(Failure) -> (block: PostingBlock, nextID: UInt64?)? {
    let prefixCount = key.count
    key.append(uint64: id)
    defer { key.truncate(to: prefixCount) }
    var cursor = cursor(.indexes)
    let isThere = key.withUnsafeBytes { cursor.seek(key: $0) }
    let above = isThere ? try key.firstID(of: cursor.key, prefixCount) : nil
    if above != id, cursor.previous(), let below = try key.firstID(of: cursor.key, prefixCount) {
      return (try block(below, cursor.value), above)
    }
    guard let above else { return nil }
    // All blocks are after the object, or one begins with it.
    if above != id, !cursor.next() { return nil }
    let found = try block(above, cursor.value)
    return (found, cursor.next() ? try key.firstID(of: cursor.key, prefixCount) : nil)
  }

  private func block(
    _ firstID: UInt64, _ value: UnsafeRawBufferPointer
  ) throws(Failure) -> PostingBlock {
    try Failure.decoding(
      "An index entry is damaged.", try PostingBlock(firstID: firstID, validating: value))
  }

  /// Searches a posting in the blocks.
  ///
  /// - Parameter key: A buffer.
  /// - Returns: The number of occurrences; nil if there is no posting.
  /// - Throws: `.corrupted` for a damaged entry.
  func postingCount(
    _ key: inout OrderedKey, indexID: UInt32, word: UnsafeRawBufferPointer, _ id: UInt64
  ) throws(Failure) -> UInt32? {
    PostingKey.begin(&key, indexID: indexID, word: word)
    guard let block = try postingBlock(&key, id)?.block else { return nil }
    var postings: [Posting] = []
    try Failure.decoding("An index entry is damaged.", try block.append(to: &postings))
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

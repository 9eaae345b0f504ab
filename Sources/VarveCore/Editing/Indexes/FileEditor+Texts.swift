import VarveEncoding
import VarveStorage

// Full-text indexes. A changed text becomes a pending text, one entry; many of them are merged into
// the blocks of postings at once.

extension FileEditor {
  /// Replaces the text of an object in a full-text index.
  ///
  /// - Parameters:
  ///   - old: The text in the index; null for none.
  ///   - new: The new text; null for none.
  /// - Throws: `.corrupted` for a damaged entry, and the failures of the transaction.
  /// - Complexity: O(words), and a merge if there are too many pending texts.
  func changeText(
    _ indexID: UInt32, object id: UInt64, from old: Value, to new: Value
  ) throws(Failure) {
    guard !hasLeftEngine else { return }
    let words = FullText.words(of: new)
    beginPending(indexID, id)
    let stored = scratchKey.withUnsafeBytes { storage.find(.indexes, key: $0) }
    let storedCount = stored?.count
    // Without a pending text, the blocks contain the words of the old one.
    let removed =
      try stored.map { (stored) throws(Failure) in try pending(stored).removed }
      ?? FullText.words(of: old)
    var isPending = !words.isEmpty || !removed.isEmpty
    if isPending {
      isPending =
        PendingText.encode(words, removed: removed, into: &scratchValue)
        && scratchValue.count <= PendingTextLimits.textBytes
      if isPending {
        try putScratch(.indexes)
      } else {
        if stored != nil { try deleteScratchKey(.indexes) }
        var changes = PostingChanges()
        changes.add(id, words, removed: removed)
        var merge = PostingMerge(self, indexID: indexID)
        try merge.run(&changes)
      }
    } else if stored != nil {
      try deleteScratchKey(.indexes)
    }
    guard isPending || storedCount != nil else { return }
    let totals = try changeTotals(
      indexID, storedCount, with: isPending ? scratchValue.count : nil)
    if totals.bytes > PendingTextLimits.bytes || totals.count > PendingTextLimits.count {
      try mergePendingTexts(indexID)
    }
  }

  /// Adds the texts of all objects to a new full-text index.
  ///
  /// - Complexity: O(n log n) for all words.
  func buildTextIndex(_ index: ClassIndex, of schema: ClassSchema) throws(Failure) {
    var changes = PostingChanges()
    var merge = PostingMerge(self, indexID: index.id)
    for id in try objectIDs(of: schema) {
      guard let property = index.properties.first,
        let text = try value(schema, id, property)
      else { continue }
      changes.add(id, FullText.words(of: text))
      if changes.byteCount > PendingTextLimits.mergeBytes {
        try merge.run(&changes)
        changes.removeAll()
      }
    }
    try merge.run(&changes)
  }

  /// Begins the key of a pending text in `scratchKey`.
  private func beginPending(_ indexID: UInt32, _ id: UInt64) {
    PostingKey.beginPending(&scratchKey, indexID: indexID)
    scratchKey.append(uint64: id)
  }

  private func pending(
    _ value: UnsafeRawBufferPointer
  ) throws(Failure) -> (words: WordList, removed: WordList) {
    try format { () throws(FormatError) in try PendingText(validating: value).decode() }
  }

  /// Counts the replacement of a pending text.
  ///
  /// - Parameters:
  ///   - old: The number of bytes of the old one; nil for none.
  ///   - new: The number of bytes of the new one; nil for none.
  private func changeTotals(
    _ indexID: UInt32, _ old: Int?, with new: Int?
  ) throws(Failure) -> PendingTotals {
    PostingKey.beginPending(&scratchKey, indexID: indexID)
    var totals = PendingTotals()
    if let value = scratchKey.withUnsafeBytes({ storage.find(.indexes, key: $0) }) {
      totals = try format { () throws(FormatError) in try PendingTotals(decoding: value) }
    }
    totals.replace(old, with: new)
    if totals.count > 0 {
      totals.encode(into: &scratchValue)
      try putScratch(.indexes)
    } else {
      try deleteScratchKey(.indexes)
    }
    return totals
  }

  // MARK: Merging

  /// Merges all pending texts of an index into its blocks.
  private func mergePendingTexts(_ indexID: UInt32) throws(Failure) {
    var changes = PostingChanges()
    var merge = PostingMerge(self, indexID: indexID)
    while true {
      let ids = try readPendingTexts(indexID, &changes)
      guard !ids.isEmpty else { break }
      for id in ids {
        beginPending(indexID, id)
        try deleteScratchKey(.indexes)
      }
      try merge.run(&changes)
      changes.removeAll()
    }
    PostingKey.beginPending(&scratchKey, indexID: indexID)
    try deleteScratchKey(.indexes)
  }

  /// Adds the first pending texts to changes: usually all of them.
  ///
  /// - Returns: The ids of their objects.
  private func readPendingTexts(
    _ indexID: UInt32, _ changes: inout PostingChanges
  ) throws(Failure) -> [UInt64] {
    PostingKey.beginPending(&scratchKey, indexID: indexID)
    var ids: [UInt64] = []
    var cursor = storage.cursor(.indexes)
    var isThere = scratchKey.withUnsafeBytes { cursor.seek(key: $0) }
    while isThere, changes.byteCount < PendingTextLimits.mergeBytes {
      let (key, value) = (cursor.key, cursor.value)
      guard PostingKey.indexID(of: key) == indexID, PostingKey.isPending(key) else { break }
      if let id = try format({ () throws(FormatError) in try PostingKey.decodePending(key) }) {
        let (words, removed) = try pending(value)
        changes.add(id, words, removed: removed)
        ids.append(id)
      }
      isThere = cursor.next()
    }
    return ids
  }
}

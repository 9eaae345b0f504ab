import VarveEncoding
import VarveStorage

/// Applies changes of postings to the blocks of a full-text index.
///
/// Each block is read and written once. Blocks that become too large are divided evenly; those at
/// the end of a word, to which postings are appended, are filled first. A block that becomes too
/// small is joined with its neighbor.
struct PostingMerge: ~Copyable {
  /// The size below which a block that has lost postings is joined with its neighbor.
  private static let minimumBytes = PostingBlock.maximumBytes / 4

  private let editor: FileEditor
  private let indexID: UInt32
  /// The start of the keys of the current word.
  private var key = OrderedKey()
  /// The changes of the current word, ascending. A count of 0 removes the posting.
  private var changes: [Posting] = []
  private var stored: [Posting] = []
  private var merged: [Posting] = []
  private var buffer = PostingBlockBuffer()
  /// The cursor of all searches of a run, once the transaction has changed the table.
  private var cursor: EntryCursor?

  init(_ editor: FileEditor, indexID: UInt32) {
    self.editor = editor
    self.indexID = indexID
  }

  /// - Throws: `.corrupted` for a damaged block, and for object ids out of order; the failures of
  ///   the transaction.
  /// - Complexity: O(n log n), and O(log entries) for each block that is changed.
  mutating func run(_ all: inout PostingChanges) throws(Failure) {
    defer { cursor = nil }
    all.sort()
    var start = 0
    while start < all.count {
      let end = all.endOfWord(from: start)
      all.withWord(at: start) { PostingKey.begin(&key, indexID: indexID, word: $0) }
      changes.removeAll(keepingCapacity: true)
      for index in start..<end {
        let change = all[index]
        guard changes.last.map({ $0.id < change.id }) ?? true else {
          throw Failure(.corrupted, "Stored bytes are damaged.", details: ["ids are out of order"])
        }
        changes.append(change)
      }
      try mergeWord()
      start = end
    }
  }

  private mutating func mergeWord() throws(Failure) {
    var next = 0
    while next < changes.count {
      guard let (block, nextID) = try postingBlock(changes[next].id) else {
        merged.removeAll(keepingCapacity: true)
        merged.append(contentsOf: changes[next...].lazy.filter { $0.count > 0 })
        return try write(replacing: [], isAppended: true)
      }
      var end = next + 1
      while end < changes.count, nextID.map({ changes[end].id < $0 }) ?? true { end += 1 }
      let part = changes[next..<end]
      let isAppended = nextID == nil ? try append(part, to: block) : false
      if !isAppended { try rewrite(block, part, nextID) }
      next = end
    }
  }

  /// Searches the block of the word to which a posting of an object belongs.
  private mutating func postingBlock(
    _ id: UInt64
  ) throws(Failure) -> (block: PostingBlock, nextID: UInt64?)? {
    // A cursor of an unchanged table would not see the blocks that are written later.
    guard editor.storage.hasChanged(.indexes) else {
      var cursor = editor.storage.cursor(.indexes)
      return try cursor.postingBlock(&key, id)
    }
    if cursor == nil { cursor = editor.storage.cursor(.indexes) }
    return try cursor?.postingBlock(&key, id) ?? nil
  }

  /// Appends postings to the last block of the word, without decoding it.
  ///
  /// - Returns: false if some of the changes are not after it.
  private mutating func append(
    _ changes: ArraySlice<Posting>, to block: PostingBlock
  ) throws(Failure) -> Bool {
    try editor.format { () throws(FormatError) in try buffer.load(block) }
    guard let first = changes.first, first.id > buffer.lastID else { return false }
    var firstID = block.firstID
    var isChanged = false
    for posting in changes where posting.count > 0 {
      if !buffer.append(posting) {
        if isChanged { try put(firstID) }
        buffer.removeAll()
        _ = buffer.append(posting)
        firstID = posting.id
      }
      isChanged = true
    }
    if isChanged { try put(firstID) }
    return true
  }

  private mutating func rewrite(
    _ block: PostingBlock, _ changes: ArraySlice<Posting>, _ nextID: UInt64?
  ) throws(Failure) {
    stored.removeAll(keepingCapacity: true)
    try block.read(into: &stored)
    merge(changes)
    guard merged != stored else { return }
    var replaced = [block.firstID]
    let isAppended = nextID == nil && (merged.last?.id ?? 0) > (stored.last?.id ?? .max)
    if !merged.isEmpty, merged.count < stored.count, byteCount < Self.minimumBytes {
      try join(block.firstID, nextID, &replaced)
    }
    try write(replacing: replaced, isAppended: isAppended)
  }

  /// Makes `merged` the stored postings with their changes.
  private mutating func merge(_ changes: ArraySlice<Posting>) {
    merged.removeAll(keepingCapacity: true)
    var next = changes.startIndex
    for posting in stored {
      while next < changes.endIndex, changes[next].id < posting.id {
        if changes[next].count > 0 { merged.append(changes[next]) }
        next += 1
      }
      if next < changes.endIndex, changes[next].id == posting.id {
        if changes[next].count > 0 { merged.append(changes[next]) }
        next += 1
      } else {
        merged.append(posting)
      }
    }
    merged.append(contentsOf: changes[next...].lazy.filter { $0.count > 0 })
  }

  /// Adds the postings of the next block, or of the one before the last one, to `merged`.
  private mutating func join(
    _ firstID: UInt64, _ nextID: UInt64?, _ replaced: inout [UInt64]
  ) throws(Failure) {
    guard nextID != nil || firstID > 0,
      let neighbor = try postingBlock(nextID ?? firstID - 1)?.block,
      neighbor.firstID != firstID
    else { return }
    stored.removeAll(keepingCapacity: true)
    try neighbor.read(into: &stored)
    let (left, right) = nextID == nil ? (stored, merged) : (merged, stored)
    guard let last = left.last, let first = right.first, last.id < first.id else {
      throw Failure(.corrupted, "Stored bytes are damaged.", details: ["blocks overlap"])
    }
    merged = left + right
    replaced.append(neighbor.firstID)
  }

  // MARK: Writing

  /// The number of bytes of a block of all merged postings.
  private var byteCount: Int {
    var previous: UInt64?
    return merged.reduce(2) { sum, posting in
      defer { previous = posting.id }
      return sum + PostingBlockBuffer.byteCount(posting, after: previous)
    }
  }

  /// Stores the merged postings.
  ///
  /// - Parameters:
  ///   - replaced: The first ids of the blocks that contained them.
  ///   - isAppended: Whether further postings are expected after them.
  private mutating func write(replacing replaced: [UInt64], isAppended: Bool) throws(Failure) {
    let limit = isAppended ? PostingBlock.maximumBytes : evenLimit(byteCount)
    var firstIDs: [UInt64] = []
    buffer.removeAll()
    for posting in merged {
      if let firstID = firstIDs.last {
        if buffer.append(posting, limit: limit) { continue }
        try put(firstID)
        buffer.removeAll()
      }
      firstIDs.append(posting.id)
      _ = buffer.append(posting)
    }
    if let firstID = firstIDs.last { try put(firstID) }
    for id in replaced where !firstIDs.contains(id) { try delete(id) }
  }

  /// The limit that divides postings into blocks of about the same size.
  private func evenLimit(_ bytes: Int) -> Int {
    guard bytes > PostingBlock.maximumBytes else { return PostingBlock.maximumBytes }
    // A block may exceed its share by less than a posting.
    let share = PostingBlock.maximumBytes - 32
    return bytes / (bytes / share + 1) + 32
  }

  private mutating func put(_ firstID: UInt64) throws(Failure) {
    let count = key.count
    key.append(uint64: firstID)
    defer { key.truncate(to: count) }
    try editor.change { () throws(StorageError) in
      try key.withUnsafeBytes { (key) throws(StorageError) in
        try buffer.withUnsafeBytes { (value) throws(StorageError) in
          try editor.storage.put(.indexes, key: key, value)
        }
      }
    }
  }

  private mutating func delete(_ firstID: UInt64) throws(Failure) {
    let count = key.count
    key.append(uint64: firstID)
    defer { key.truncate(to: count) }
    try editor.change { () throws(StorageError) in
      _ = try key.withUnsafeBytes { (key) throws(StorageError) in
        try editor.storage.delete(.indexes, key: key)
      }
    }
  }
}

import VarveEncoding
import VarveStorage

/// The pending texts of a full-text index, and those that contain some terms.
struct PendingMatches {
  /// The object ids of all pending texts, ascending. Postings of these objects in blocks are
  /// outdated.
  private(set) var ids: [UInt64] = []
  /// The pending texts that contain each term.
  private(set) var postings: [[Posting]]
  /// The number of outdated postings in the blocks of each term. Not of prefixes: a text may have
  /// several.
  private(set) var removedCounts: [Int]

  /// - Parameter limit: The maximum number of texts to read.
  /// - Throws: `.corrupted` for a damaged entry.
  /// - Complexity: O(pending texts + words of those that may contain a term).
  init(
    _ index: FullTextIndex, _ terms: [FullTextQuery.Term], _ reader: any TableReader,
    limit: Int = .max
  ) throws(Failure) {
    postings = [[Posting]](repeating: [], count: terms.count)
    removedCounts = [Int](repeating: 0, count: terms.count)
    let marks = terms.map { $0.word.withUnsafeBytes { PendingText.mark(of: $0) } }
    var cursor = index.pendingSpan.cursor(reader)
    while ids.count < limit, cursor.advance() {
      let (key, value) = (cursor.key, cursor.value)
      do throws(FormatError) {
        guard let id = try PostingKey.decodePending(key) else { continue }
        let text = try PendingText(validating: value)
        guard ids.last.map({ $0 < id }) ?? true else {
          throw FormatError(.badValue, "pending texts are out of order")
        }
        ids.append(id)
        for (position, term) in terms.enumerated()
        where term.isPrefix || text.mayContain(marks[position]) {
          let found = try term.find(in: text)
          if found.count > 0 {
            postings[position].append(Posting(id: id, count: UInt32(clamping: found.count)))
          }
          if found.isRemoved, !term.isPrefix { removedCounts[position] += 1 }
        }
      } catch {
        throw Failure(error, message: "An index entry is damaged.")
      }
    }
  }

  /// Replaces outdated postings of a term by those of the pending texts.
  ///
  /// - Parameter stored: The postings in blocks, ascending.
  func replacingOutdated(_ stored: [Posting], position: Int) -> [Posting] {
    let added = postings[position]
    guard let first = ids.first, let last = stored.last else { return added + stored }
    // New objects usually have greater ids.
    if first > last.id { return stored + added }
    var result: [Posting] = []
    result.reserveCapacity(stored.count + added.count)
    var (next, outdated) = (0, 0)
    for posting in stored {
      while outdated < ids.count, ids[outdated] < posting.id { outdated += 1 }
      while next < added.count, added[next].id < posting.id {
        result.append(added[next])
        next += 1
      }
      if outdated == ids.count || ids[outdated] != posting.id { result.append(posting) }
    }
    result.append(contentsOf: added[next...])
    return result
  }

  /// Replaces the outdated numbers of occurrences of a term.
  ///
  /// - Parameter counts: The number for each of `objects`, which are ascending.
  func replaceOutdated(_ counts: inout [Int], in objects: [UInt64], position: Int) {
    let added = postings[position]
    var (index, next) = (0, 0)
    for id in ids {
      while index < objects.count, objects[index] < id { index += 1 }
      guard index < objects.count else { return }
      guard objects[index] == id else { continue }
      while next < added.count, added[next].id < id { next += 1 }
      counts[index] = next < added.count && added[next].id == id ? Int(added[next].count) : 0
    }
  }
}

extension FullTextQuery.Term {
  /// The number of occurrences in a pending text, and whether the word is to be removed from the
  /// blocks.
  fileprivate func find(
    in text: PendingText
  ) throws(FormatError) -> (count: Int, isRemoved: Bool) {
    try word.withUnsafeBufferPointer { (word) throws(FormatError) in
      try text.find(UnsafeRawBufferPointer(word), isPrefix: isPrefix)
    }
  }
}

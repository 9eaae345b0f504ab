import VarveEncoding
package import VarveStorage

extension FullTextIndex {
  /// The number of pending texts up to which their words are looked up. The others are
  /// extrapolated.
  private static let sampledTexts = 256
  /// The number of blocks up to which their postings are counted; the others are extrapolated.
  private static let sampledBlocks = 64

  /// The estimated number of texts with the rarest word of a query. Usually an upper bound for the
  /// number of objects; exact for a single whole word with few blocks and few pending texts.
  ///
  /// - Returns: 0 only if no object matches.
  /// - Complexity: O(words × depth) pages.
  package func estimate(_ query: FullTextQuery, in reader: any TableReader) -> Int {
    let terms = query.included
    // A damaged entry is reported when the matches are read.
    let pending = try? PendingMatches(self, terms, reader, limit: Self.sampledTexts)
    let unread = pending.map { unreadTexts($0, reader) } ?? 0
    let counts = terms.enumerated().map { position, term in
      let blocks = estimate(term, reader)
      guard let pending else { return blocks }
      let found = pending.postings[position].count
      guard unread > 0 else { return max(0, blocks + found - pending.removedCounts[position]) }
      // Two more than found: the sample may lack a rare word.
      return blocks + found + 1 + (found + 2) * unread / Self.sampledTexts
    }
    return min(counts.min() ?? 0, reader.count(table))
  }

  /// The number of pending texts that a sample has not read.
  private func unreadTexts(_ sample: PendingMatches, _ reader: any TableReader) -> Int {
    guard sample.ids.count == Self.sampledTexts else { return 0 }
    let value = pendingSpan.lower.withUnsafeBytes { reader.find(.indexes, key: $0) }
    guard let totals = value.flatMap({ try? PendingTotals(decoding: $0) }) else { return 0 }
    return max(0, Int(totals.count) - Self.sampledTexts)
  }

  /// The estimated number of postings in the blocks of a term.
  private func estimate(_ term: FullTextQuery.Term, _ reader: any TableReader) -> Int {
    let span = span(term)
    var cursor = span.cursor(reader)
    var blocks = 0
    var postings = 0
    while blocks < Self.sampledBlocks, cursor.advance() {
      blocks += 1
      postings += (try? PostingBlock(firstID: 0, validating: cursor.value))?.count ?? 1
    }
    guard blocks == Self.sampledBlocks else { return postings }
    let all = max(blocks, span.estimate(reader))
    let (product, overflows) = postings.multipliedReportingOverflow(by: all)
    return overflows ? .max / 2 : product / blocks
  }
}

import Foundation
package import VarveEncoding
package import VarveStorage

/// Reads a full-text index.
package struct FullTextIndex: Sendable {
  package let id: UInt32
  /// The table of the class.
  let table: Table

  package init(id: UInt32, table: Table) {
    self.id = id
    self.table = table
  }

  /// Creates a reader for the full-text index of a property. Returns nil if the property has none.
  package init?(of property: StoredProperty, in schema: ClassSchema) {
    guard
      let index = schema.indexes.first(where: {
        $0.kind == .fullText && $0.record.propertyIDs == [property.id]
      })
    else { return nil }
    self.init(id: index.id, table: schema.table)
  }

  /// A matching object.
  package struct Match: Sendable, Hashable {
    package let id: UInt64
    /// The relevance of the text; greater is better. The sum, over the words of the query, of the
    /// number of occurrences in the text times ln(1 + objects of the class / objects that contain
    /// the word).
    package let rank: Double
  }

  /// The objects whose texts match a query, ascending by id, with their ranks. The result is
  /// consistent with ``FullText/matches(_:_:)``.
  ///
  /// - Parameter reader: A snapshot or the running write transaction.
  /// - Throws: `.corrupted` for a damaged entry.
  /// - Complexity: O(pending texts + postings of the rarest word of the query + blocks of the
  ///   others), and the postings of those blocks that may contain matching objects. Of a prefix,
  ///   all postings are read.
  package func matches(
    _ query: FullTextQuery, in reader: any TableReader
  ) throws(Failure) -> [Match] {
    let terms = query.included + query.excluded
    guard !query.included.isEmpty else { return [] }
    let pending = try PendingMatches(self, terms, reader)
    var found: [TermPostings] = []
    for (position, term) in terms.enumerated() {
      let blocks = try TermBlocks(self, term, reader)
      found.append(TermPostings(term: term, position: position, blocks: blocks, pending: pending))
    }
    // The rarest word first: blocks without texts that contain it are not read.
    let included = found.prefix(query.included.count).sorted { $0.greatestCount < $1.greatestCount }
    guard let rarest = included.first, rarest.greatestCount > 0 else { return [] }
    let objects = Double(reader.count(table))
    func weight(_ count: Int) -> Double { log(1 + objects / Double(max(1, count))) }
    let postings = try rarest.postings()
    let first = weight(postings.count)
    var matches = postings.map { Match(id: $0.id, rank: Double($0.count) * first) }
    for term in included.dropFirst() where !matches.isEmpty {
      let (counts, total) = try term.counts(in: matches.map(\.id))
      let weight = weight(total)
      matches = zip(matches, counts).compactMap { match, count in
        count == 0 ? nil : Match(id: match.id, rank: match.rank + Double(count) * weight)
      }
    }
    for term in found.dropFirst(query.included.count) where !matches.isEmpty {
      let counts = try term.counts(in: matches.map(\.id)).counts
      matches = zip(matches, counts).compactMap { $1 == 0 ? $0 : nil }
    }
    return matches
  }

  /// The keys of the blocks of a term.
  func span(_ term: FullTextQuery.Term) -> IndexSpan {
    var key = OrderedKey()
    term.word.withUnsafeBytes {
      PostingKey.begin(&key, indexID: id, word: $0, isWhole: !term.isPrefix)
    }
    return IndexSpan(lower: key, upper: key.afterAllWithPrefix())
  }

  /// The keys of the pending texts and of their totals.
  var pendingSpan: IndexSpan {
    var key = OrderedKey()
    PostingKey.beginPending(&key, indexID: id)
    return IndexSpan(lower: key, upper: key.afterAllWithPrefix())
  }
}

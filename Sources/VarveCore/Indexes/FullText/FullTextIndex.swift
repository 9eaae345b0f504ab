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
  /// - Complexity: O(entries of the words of the query).
  package func matches(
    _ query: FullTextQuery, in reader: any TableReader
  ) throws(Failure) -> [Match] {
    guard !query.included.isEmpty else { return [] }
    let objects = Double(reader.count(table))
    // The rarest word first: objects without it are not considered further.
    let terms = query.included.map { ($0, span($0).estimate(reader)) }.sorted { $0.1 < $1.1 }
    var ranks: [UInt64: Double] = [:]
    for (position, (term, _)) in terms.enumerated() {
      let counts = try counts(term, reader)
      guard !counts.isEmpty else { return [] }
      let weight = log(1 + objects / Double(counts.count))
      if position == 0 {
        ranks = counts.mapValues { Double($0) * weight }
      } else {
        var both: [UInt64: Double] = [:]
        for (id, rank) in ranks {
          if let count = counts[id] { both[id] = rank + Double(count) * weight }
        }
        ranks = both
      }
    }
    for term in query.excluded where !ranks.isEmpty {
      for id in try counts(term, reader).keys { ranks[id] = nil }
    }
    var ids = Array(ranks.keys)
    IDSorting.sort(&ids)
    return ids.map { Match(id: $0, rank: ranks[$0] ?? 0) }
  }

  /// The estimated number of entries of the rarest word of a query. An upper bound for the number
  /// of objects, exact for a single whole word with few entries.
  ///
  /// - Complexity: O(words × depth) pages.
  package func estimate(_ query: FullTextQuery, in reader: any TableReader) -> Int {
    query.included.map { span($0).estimate(reader) }.min() ?? 0
  }

  /// For each text that contains the term, the number of its occurrences.
  private func counts(
    _ term: FullTextQuery.Term, _ reader: any TableReader
  ) throws(Failure) -> [UInt64: Int] {
    var counts: [UInt64: Int] = [:]
    var cursor = span(term).cursor(reader)
    while cursor.advance() {
      guard let id = IndexKey.objectID(atEndOf: cursor.key),
        let count = TokenKey.count(inValue: cursor.value)
      else { throw Failure(.corrupted, "An index entry is damaged.") }
      counts[id, default: 0] += Int(count)
    }
    return counts
  }

  private func span(_ term: FullTextQuery.Term) -> IndexSpan {
    var key = OrderedKey()
    TokenKey.begin(&key, indexID: id, word: term.word, isWhole: !term.isPrefix)
    return IndexSpan(lower: key, upper: key.afterAllWithPrefix())
  }
}

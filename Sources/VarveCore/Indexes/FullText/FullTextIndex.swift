import Foundation
package import VarveEncoding
package import VarveStorage

/// The reading side of a full-text index.
///
/// Thread safety: an immutable value.
package struct FullTextIndex: Sendable {
  package let id: UInt32
  /// The rows of the class.
  let table: Table

  package init(id: UInt32, table: Table) {
    self.id = id
    self.table = table
  }

  /// The full-text index of a property; nil if it has none.
  package init?(of property: StoredProperty, in schema: ClassSchema) {
    guard
      let index = schema.indexes.first(where: {
        $0.kind == .fullText && $0.record.propertyIDs == [property.id]
      })
    else { return nil }
    self.init(id: index.id, table: schema.table)
  }

  /// An object that a query found.
  package struct Match: Sendable, Hashable {
    package let id: UInt64
    /// How well the text fits, greater is better: the sum, over the words of the query, of how often the word stands in
    /// the text, times ln(1 + objects of the class / objects that have the word).
    package let rank: Double
  }

  /// The objects whose texts satisfy a query, by ascending id: those of which ``FullText/matches(_:_:)`` is true.
  ///
  /// - Parameters:
  ///   - query: what is asked for.
  ///   - reader: a snapshot or the running transaction.
  /// - Returns: the objects with their ranks.
  /// - Throws: `.corrupted` for a damaged entry.
  /// - Complexity: O(entries of the words of the query).
  package func matches(
    _ query: FullTextQuery, in reader: any TableReader
  ) throws(Failure) -> [Match] {
    guard !query.included.isEmpty else { return [] }
    let objects = Double(reader.count(table))
    // The rarest first: what it does not have is not looked for further.
    let terms = query.included.map { ($0, span($0).estimate(reader)) }.sorted { $0.1 < $1.1 }
    var ranks: [UInt64: Double] = [:]
    for (place, (term, _)) in terms.enumerated() {
      let counts = try counts(term, reader)
      guard !counts.isEmpty else { return [] }
      let weight = log(1 + objects / Double(counts.count))
      if place == 0 {
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

  /// About how many entries the rarest word of a query has: a bound for the number of objects, exact for one whole word
  /// with few.
  ///
  /// - Complexity: O(words × depth) pages.
  package func estimate(_ query: FullTextQuery, in reader: any TableReader) -> Int {
    query.included.map { span($0).estimate(reader) }.min() ?? 0
  }

  /// How often the words of a term stand in each text that has one.
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

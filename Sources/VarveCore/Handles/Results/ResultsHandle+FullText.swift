import VarveEncoding
import VarveStorage

extension ResultsHandle {
  /// Notes a full-text search of a property of the results.
  package func noteSearch(_ name: String) { noteRead([name]) }

  /// Returns the objects of the results whose text contains the given words, ordered by descending
  /// rank.
  ///
  /// - Parameters:
  ///   - words: The words, in the syntax of ``FullTextQuery``.
  ///   - name: A property with a full-text index.
  ///   - limit: The maximum number of objects.
  /// - Returns: The objects with their ranks. Empty in a version without the index, and after a
  ///   failure, which marks the running transaction as failed or is logged.
  package func ranked(_ words: String, in name: String, limit: Int) -> [FullTextIndex.Match] {
    return reporting([]) { () throws(Failure) in
      let scope = try context.scope()
      guard scope.hasIndexes, let schema = scope.schema(of: query.model),
        let property = query.model.storedProperty(named: name, in: schema),
        let index = FullTextIndex(of: property, in: schema)
      else { return [] }
      var matches = try index.matches(FullTextQuery(words), in: scope.reader)
      if scope.mayContainMarks(property) {
        var made: [FullTextIndex.Match] = []
        for match in matches
        where try scope.reader.comparedValue(schema, match.id, property)?.isNull == false {
          made.append(match)
        }
        matches = made
      }
      if !query.isWholeTable {
        let members = Set(objectIDs)
        matches.removeAll { !members.contains($0.id) }
      }
      return matches.best(limit)
    }
  }
}

extension [FullTextIndex.Match] {
  /// The number up to which the first matches are selected without sorting all of them.
  private static let fewMatches = 256

  /// The matches with the greatest ranks, ordered by descending rank, then by ascending id.
  ///
  /// - Complexity: O(n log n); O(n) on average for a small limit.
  fileprivate func best(_ limit: Int) -> [FullTextIndex.Match] {
    guard limit > 0 else { return [] }
    guard limit <= Self.fewMatches, limit < count / 4 else {
      return Array(sorted { Self.isBefore($0, $1) }.prefix(limit))
    }
    var best: [FullTextIndex.Match] = []
    best.reserveCapacity(limit + 1)
    for match in self {
      if best.count == limit, let last = best.last, !Self.isBefore(match, last) { continue }
      best.insert(match, at: best.countAscending { Self.isBefore($0, match) })
      if best.count > limit { best.removeLast() }
    }
    return best
  }

  private static func isBefore(_ left: FullTextIndex.Match, _ right: FullTextIndex.Match) -> Bool {
    left.rank != right.rank ? left.rank > right.rank : left.id < right.id
  }
}

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
      if !query.isWholeTable {
        let members = Set(objectIDs)
        matches.removeAll { !members.contains($0.id) }
      }
      matches.sort { $0.rank != $1.rank ? $0.rank > $1.rank : $0.id < $1.id }
      return Array(matches.prefix(limit))
    }
  }
}

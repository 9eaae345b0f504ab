import VarveEncoding
import VarveStorage

extension ResultsHandle {
  /// Notes that the results are searched by the words of a property.
  package func noteSearch(_ name: String) { noteRead([name]) }

  /// The objects of the results whose text has some words, those that fit best first.
  ///
  /// - Parameters:
  ///   - words: as of ``FullTextQuery``.
  ///   - name: a property with a full-text index.
  ///   - limit: how many are given at most.
  /// - Returns: the objects with their ranks; none on a failure, which dooms the running transaction or is logged, and in
  ///   a version without the index.
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

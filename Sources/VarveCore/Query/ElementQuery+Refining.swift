import VarveEncoding

extension ElementQuery {
  /// Returns the query with the elements sorted by more keys, which take precedence over the keys
  /// that it has. A query of values keeps one key.
  ///
  /// - Throws: `.unknownProperty`, or `.invalidInput` for a property without an order.
  package func sorted(by keys: [SortKey]) throws(Failure) -> ElementQuery {
    var query = narrowable
    switch query.element {
    case .object(let model):
      for key in keys { try key.check(on: model) }
      query.sortKeys = keys + query.sortKeys
    case .value:
      for key in keys { try checkIsSelf(key.path) }
      query.sortKeys = keys.first.map { [$0] } ?? query.sortKeys
    }
    return query
  }

  /// Returns the query with the first element for each combination of values of the properties at
  /// the ends of paths.
  ///
  /// - Throws: `.unknownProperty`, or `.invalidInput` for a collection.
  package func distinct(by paths: [[String]]) throws(Failure) -> ElementQuery {
    if paths.isEmpty { return self }
    var query = narrowable
    switch query.element {
    case .object(let model):
      for path in paths { try model.checkDistinct(by: path) }
      query.distinct.append(Distinct(paths: paths, sortKeys: query.sortKeys))
    case .value:
      for path in paths { try checkIsSelf(path) }
      query.distinct = [Distinct(paths: [["self"]], sortKeys: [])]
    }
    return query
  }

  /// Returns the query with a range of its elements.
  package func limited(by clause: LimitClause) -> ElementQuery {
    var query = self
    query.limitClause = limitClause?.narrowed(by: clause) ?? clause
    return query
  }

  /// Returns the query with the elements that satisfy the condition of a predicate as well, and
  /// with its suffixes applied.
  ///
  /// - Throws: The errors of ``sorted(by:)`` and ``distinct(by:)``.
  package func refined(by predicate: BoundPredicateText) throws(Failure) -> ElementQuery {
    var query = narrowed(by: predicate.condition)
    for suffix in predicate.suffixes {
      switch suffix {
      case .sort(let keys): query = try query.sorted(by: keys)
      case .distinct(let paths): query = try query.distinct(by: paths)
      case .limit(let count): query = query.limited(by: LimitClause(offset: 0, limit: count))
      }
    }
    return query
  }

  private func checkIsSelf(_ path: [String]) throws(Failure) {
    guard path == ["self"] else {
      throw Failure(
        .invalidInput, "Values are sorted and made distinct by \"self\", and have no properties.",
        className: collection?.model.name, propertyName: path.joined(separator: "."))
    }
  }
}

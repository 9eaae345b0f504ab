import VarveEncoding
import VarveStorage

extension ResultsHandle {
  /// Returns the condition that matches the objects after an object in the order of the results.
  ///
  /// - Returns: Nil where no condition expresses that order: for a collection in its own order, and
  ///   where duplicates are removed. ``Condition/never`` for an object that does not exist, or
  ///   after a failure, which marks the running transaction as failed or is logged.
  package func condition(after handle: borrowing RowHandle) -> Condition? {
    guard query.distinct.isEmpty, query.limitClause == nil else { return nil }
    if case .all = query.source {} else { return nil }
    guard let object = ObjectReference(handle), handle.exists(in: context) else { return .never }
    return reporting(.never) { () throws(Failure) in
      let scope = try context.scope()
      guard case .link(_, let id) = object.value(in: scope.store) else { return .never }
      var values: [Value] = []
      for key in query.sortKeys {
        let path = try PropertyPath(key.path, of: query.model, scope)
        values.append(try path.value(ofObject: id, scope.reader))
        // Values of several types have an order that comparisons do not implement.
        if key.collation != .bytes || path.isMixed { return nil }
      }
      return Condition.behind(query.sortKeys, values, object)
    }
  }

  /// Returns the index after the last occurrence of an object, or nil when it is not among the
  /// results.
  package func offset(after handle: borrowing RowHandle) -> Int? {
    guard let object = ObjectReference(handle),
      case .link(_, let id) = object.value(in: context.store)
    else { return nil }
    return objectIDs.lastIndex(of: id).map { $0 + 1 }
  }
}

extension Condition {
  /// Matches the objects after one with the given sort values.
  ///
  /// The first comparison alone allows reading an index from the boundary; the others resolve ties.
  fileprivate static func behind(
    _ keys: [ElementQuery.SortKey], _ values: [Value], _ object: ObjectReference
  ) -> Condition {
    var behind = comparison(
      Comparison(.path(.itself), .follows, .constant(.object(object))))
    for (key, value) in zip(keys, values).reversed() {
      let later = after(key, value)
      let same = equal(key, value)
      behind = .or(later, .and(same, behind))
    }
    guard let key = keys.first, let value = values.first else { return behind }
    // In a descending order nothing but null comes after null.
    if !key.isAscending, value.isNull { return .and(equal(key, value), behind) }
    guard let operation = boundary(key, value) else { return behind }
    let path = QueryExpression.path(QueryPath(key.path))
    return .and(comparison(Comparison(path, operation, .constant(.value(value)))), behind)
  }

  /// Returns the operation that matches a value and all values after it in the direction of a sort
  /// key, or nil where indexes do not support it.
  private static func boundary(_ key: ElementQuery.SortKey, _ value: Value) -> Operation? {
    switch value {
    case .null, .link, .nested: nil
    case _ where value.isNaN: nil
    default: key.isAscending ? value.hasOrder ? .greaterOrEqual : .doesNotPrecede : .doesNotFollow
    }
  }

  /// Matches the values after another one in the direction of a sort key.
  private static func after(_ key: ElementQuery.SortKey, _ value: Value) -> Condition {
    let path = QueryExpression.path(QueryPath(key.path))
    func compare(_ operation: Operation, _ value: Value) -> Condition {
      comparison(Comparison(path, operation, .constant(.value(value))))
    }
    // Ascending: null, NaN, values; descending the other way.
    switch (key.isAscending, value.isNull, value.isNaN) {
    case (true, true, _): return compare(.notEqual, .null)
    case (true, _, true): return .and(compare(.notEqual, .null), .not(isNaN(path)))
    case (true, _, _): return compare(.follows, value)
    case (false, true, _): return .never
    case (false, _, true): return compare(.equal, .null)
    case (false, _, _): return .or(compare(.precedes, value), unordered(key, value))
    }
  }

  /// Matches null and NaN.
  private static func unordered(_ key: ElementQuery.SortKey, _ value: Value) -> Condition {
    let path = QueryExpression.path(QueryPath(key.path))
    let isNull = comparison(Comparison(path, .equal, .constant(.value(.null))))
    return value.mayBeNaN ? .or(isNull, isNaN(path)) : isNull
  }

  private static func equal(_ key: ElementQuery.SortKey, _ value: Value) -> Condition {
    let path = QueryExpression.path(QueryPath(key.path))
    if value.isNaN { return isNaN(path) }
    return comparison(Comparison(path, .equal, .constant(.value(value))))
  }

  /// Matches NaN, the only value that is not equal to itself.
  private static func isNaN(_ path: QueryExpression) -> Condition {
    comparison(Comparison(path, .notEqual, path))
  }
}

extension Value {
  /// Whether values of the type can be NaN.
  fileprivate var mayBeNaN: Bool {
    switch self {
    case .float, .double, .decimal, .date: true
    default: false
    }
  }
}

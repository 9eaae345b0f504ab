import VarveEncoding
import VarveStorage

extension ElementQuery {
  /// The values, in order.
  ///
  /// - Throws: `.invalidInput` for a condition that reads properties.
  /// - Complexity: O(n) for n elements of the source, plus the sort.
  func values(in scope: ReadScope) throws(Failure) -> [Value] {
    var values = try sourceValues(scope)
    if !condition.isAlways {
      let test = try ConditionEvaluator(condition, on: nil, in: scope)
      let property = scope.property(of: self)
      var kept: [Value] = []
      for value in values where try test.matches(value, in: property) { kept.append(value) }
      values = kept
    }
    if let key = sortKeys.first {
      let before: ValueOrdering = key.isAscending ? .ascending : .descending
      // The standard sort is stable: equal values keep the order of the source.
      values.sort { SortOrder.order($0, $1) == before }
    }
    if !distinct.isEmpty {
      var seen: Set<Value> = []
      values.removeAll { !seen.insert($0).inserted }
    }
    return limitClause?.slice(values) ?? values
  }

  private func sourceValues(_ scope: ReadScope) throws(Failure) -> [Value] {
    switch source {
    case .all, .linking: return []
    case .query(let inner): return try inner.values(in: scope)
    case .collection(let collection): return try scope.values(of: collection)
    }
  }
}

import VarveEncoding
import VarveStorage

extension ElementQuery {
  /// The values, in what the collection's handle reads now.
  ///
  /// - Throws: `.invalidInput` for a condition that asks for properties.
  /// - Complexity: O(n) for n elements of the source, plus the sort.
  func values(in scope: ReadScope) throws(Failure) -> [Value] {
    var values = try sourceValues(scope)
    if !condition.isAlways {
      let test = try ConditionEvaluator(condition, on: nil, in: scope)
      var kept: [Value] = []
      for value in values where try test.holds(value, in: cell?.property) { kept.append(value) }
      values = kept
    }
    if let key = sortKeys.first {
      let wanted: ValueOrdering = key.isAscending ? .ascending : .descending
      // The standard sort is stable: equal values keep the order of the source.
      values.sort { SortOrder.order($0, $1) == wanted }
    }
    if !distinct.isEmpty {
      var seen: Set<Value> = []
      values.removeAll { !seen.insert($0).inserted }
    }
    return window?.slice(values) ?? values
  }

  private func sourceValues(_ scope: ReadScope) throws(Failure) -> [Value] {
    switch source {
    case .all, .linking: return []
    case .query(let inner): return try inner.values(in: scope)
    case .collection(let cell):
      switch cell.collectionKind {
      case .dictionary: return cell.dictionaryEntries.map(\.value)
      case .set: return cell.setElements
      case .list, .none:
        if let values = cell.elementsInWrite { return values }
        guard let walk = ElementWalk(cell) else { return [] }
        var values: [Value] = []
        while let value = walk.next() { values.append(value) }
        return values
      }
    }
  }
}

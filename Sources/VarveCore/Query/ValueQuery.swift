import VarveEncoding
import VarveStorage

/// A query that another one narrows.
///
/// Thread safety: immutable.
package final class InnerValueQuery: Sendable {
  package let query: ValueQuery

  init(_ query: ValueQuery) { self.query = query }
}

/// Which values of a list, a set or a dictionary are wanted, and in which order.
///
/// Thread safety: an immutable value.
package struct ValueQuery: Sendable {
  /// Where the values come from.
  package enum Source: Sendable {
    /// Nowhere: the collection belongs to no store.
    case nothing
    /// The elements of a list, in its order.
    case list(CollectionCell)
    /// The values of a dictionary, in the order of its keys.
    case dictionary(CollectionCell)
    /// The elements of a set, in their order.
    case set(CollectionCell)
    /// The values of another query, in its order: of one with a window.
    case query(InnerValueQuery)
  }

  package var source: Source
  /// What holds for the values: its comparisons have empty paths.
  package var condition: Condition
  /// The order of the values; nil: that of the source.
  package var isAscending: Bool?
  /// Whether of equal values the first is wanted only.
  package var isDistinct = false
  /// Applied last; nil for all values.
  package var window: ObjectQuery.Window?

  package init(_ source: Source, condition: Condition = .always) {
    self.source = source
    self.condition = condition
  }

  /// The collection that the values come from.
  package var cell: CollectionCell? {
    switch source {
    case .nothing: nil
    case .list(let cell), .dictionary(let cell), .set(let cell): cell
    case .query(let inner): inner.query.cell
    }
  }

  /// A query of the same values that conditions and orders may be added to.
  package var narrowable: ValueQuery {
    window == nil ? self : ValueQuery(.query(InnerValueQuery(self)))
  }

  /// The same query of the same collection, as another view or version has it.
  package func moved(to context: ReadContext) -> ValueQuery {
    var query = self
    switch source {
    case .nothing: break
    case .list(let cell): query.source = .list(cell.moved(to: context))
    case .dictionary(let cell): query.source = .dictionary(cell.moved(to: context))
    case .set(let cell): query.source = .set(cell.moved(to: context))
    case .query(let inner):
      query.source = .query(InnerValueQuery(inner.query.moved(to: context)))
    }
    return query
  }

  /// The values, in what the collection's handle reads now.
  ///
  /// - Throws: `.invalidInput` for a condition that asks for properties.
  /// - Complexity: O(n) for n elements of the source, plus the sort.
  func values(in store: Store, _ reader: any TableReader) throws(Failure) -> [Value] {
    var values = try sourceValues(store, reader)
    if !condition.isAlways {
      let test = try ConditionEvaluator(condition, on: nil, reader: reader, store: store)
      var kept: [Value] = []
      for value in values where try test.holds(value, in: cell?.property) { kept.append(value) }
      values = kept
    }
    if let isAscending {
      let wanted: ValueOrdering = isAscending ? .ascending : .descending
      // The standard sort is stable: equal values keep the order of the source.
      values.sort { SortOrder.order($0, $1) == wanted }
    }
    if isDistinct {
      var seen: Set<Value> = []
      values.removeAll { !seen.insert($0).inserted }
    }
    if let window {
      values = Array(values.dropFirst(window.offset).prefix(window.limit ?? .max))
    }
    return values
  }

  private func sourceValues(
    _ store: Store, _ reader: any TableReader
  ) throws(Failure) -> [Value] {
    switch source {
    case .nothing: return []
    case .list(let cell):
      if let values = cell.elementsInWrite { return values }
      guard let walk = ElementWalk(cell) else { return [] }
      var values: [Value] = []
      while let value = walk.next() { values.append(value) }
      return values
    case .dictionary(let cell): return cell.dictionaryEntries.map(\.value)
    case .set(let cell): return cell.setElements
    case .query(let inner): return try inner.query.values(in: store, reader)
    }
  }
}

import VarveEncoding
import VarveStorage

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
  }

  package var source: Source
  /// What holds for the values: its comparisons have empty paths.
  package var condition: Condition
  /// The order of the values; nil: that of the source.
  package var isAscending: Bool?
  /// Whether of equal values the first is wanted only.
  package var isDistinct = false

  package init(_ source: Source, condition: Condition = .always) {
    self.source = source
    self.condition = condition
  }

  /// The collection that the values come from.
  package var cell: CollectionCell? {
    switch source {
    case .nothing: nil
    case .list(let cell), .dictionary(let cell), .set(let cell): cell
    }
  }

  /// The same query of the same collection, as another view or version has it.
  package func moved(to context: ReadContext) -> ValueQuery {
    var query = self
    switch source {
    case .nothing: break
    case .list(let cell): query.source = .list(cell.moved(to: context))
    case .dictionary(let cell): query.source = .dictionary(cell.moved(to: context))
    case .set(let cell): query.source = .set(cell.moved(to: context))
    }
    return query
  }

  /// The values, in what the collection's handle reads now.
  ///
  /// - Throws: `.invalidInput` for a condition that asks for properties.
  /// - Complexity: O(n) for n elements of the source, plus the sort.
  func values(in store: Store) throws(Failure) -> [Value] {
    var values = sourceValues
    if !condition.isAlways {
      let test = try ValueTest(condition, store)
      values.removeAll { !test.holds($0) }
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
    return values
  }

  private var sourceValues: [Value] {
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
    }
  }
}

/// A condition on values, ready to be asked.
struct ValueTest {
  private enum Operand {
    case values([Value])
    /// The value itself.
    case itself
  }
  private let flow: ConditionFlow
  private let operands: [Operand]

  /// - Throws: `.invalidInput` when the condition asks for a property: values have none.
  init(_ condition: Condition, _ store: Store) throws(Failure) {
    flow = ConditionFlow(condition)
    var operands: [Operand] = []
    for step in flow.steps {
      operands.append(try Self.operand(of: step.comparison, store))
    }
    self.operands = operands
  }

  private static func operand(
    of comparison: Condition.Comparison, _ store: Store
  ) throws(Failure) -> Operand {
    try check(comparison.path)
    switch comparison.operand {
    case .constant(let constant): return .values([constant.value(in: store)])
    case .constants(let constants): return .values(constants.map { $0.value(in: store) })
    case .path(let path):
      try check(path)
      return .itself
    case .region: throw Failure(.invalidInput, "Values lie in no region: points are objects.")
    }
  }

  private static func check(_ path: [String]) throws(Failure) {
    guard path.isEmpty || path == ["self"] else {
      throw Failure(
        .invalidInput, "Values have no properties.", propertyName: path.joined(separator: "."))
    }
  }

  /// Whether a value satisfies the condition.
  func holds(_ value: Value) -> Bool {
    var place = flow.start
    while place >= 0 {
      let step = flow.steps[place]
      place = holds(value, step.comparison, operands[place]) ? step.ifTrue : step.ifFalse
    }
    return place == ConditionFlow.accepted
  }

  private func holds(
    _ value: Value, _ comparison: Condition.Comparison, _ operand: Operand
  ) -> Bool {
    let right: [Value] =
      switch operand {
      case .values(let values): values
      case .itself: [value]
      }
    return right.contains {
      value.satisfies(comparison.operation, $0, comparison.isCaseInsensitive)
    }
  }
}

package import VarveEncoding
package import VarveStorage

/// A condition tied to what a file stores, ready to be asked about single rows, or about values.
///
/// Thread safety: none; each evaluation makes its own.
package final class ConditionEvaluator: @unchecked Sendable {
  // Safe to send because whoever evaluates makes one of its own and hands it to nobody.

  private let reader: any TableReader
  private let test: RowTest
  /// The test compiled for the layout of the last row. Safe unchecked because nothing else runs in between.
  @exclusivity(unchecked) private var plan: RowPlan?
  /// The class as the file stores it; nil for values.
  private let schema: ClassSchema?

  /// - Parameters:
  ///   - condition: the condition.
  ///   - model: the class of the objects; nil for values.
  ///   - scope: what is read.
  /// - Throws: `.unknownProperty` or `.invalidInput` for a path that the class does not have.
  /// - Complexity: O(size of the condition).
  package init(
    _ condition: Condition, on model: ClassDescription?, in scope: ReadScope
  ) throws(Failure) {
    reader = scope.reader
    schema = model.flatMap { scope.binding(for: $0).schema }
    test = try RowTest(condition, on: model, schema, scope)
  }

  /// Whether the row of an object satisfies the condition.
  ///
  /// - Throws: `.corrupted` when bytes on the way are damaged.
  package func matches(_ row: RowReader, id: UInt64) throws(Failure) -> Bool {
    if plan?.layout.id != row.layout.id { plan = test.plan(for: row.layout) }
    return try plan?.accepts(row.base, id: id, reader) ?? false
  }

  /// Whether a value satisfies the condition: of a condition on objects, a link to one, which has to exist.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - property: the collection that holds it, where it may hold collections in turn.
  /// - Returns: whether it does.
  /// - Throws: `.corrupted`.
  func holds(_ value: Value, in property: StoredProperty? = nil) throws(Failure) -> Bool {
    // Of a null in place of an object everything is null.
    if let schema, !value.isNull {
      guard case .link(_, let id) = value, let row = try reader.row(schema, id) else {
        return false
      }
      return try matches(row, id: id)
    }
    let steps = test.steps
    var place = test.start
    while place >= 0 {
      let holds: Bool
      switch steps[place].test {
      case .predicate(let predicate, _): holds = predicate.holds(value)
      case .comparison(let comparison): holds = try comparison.holds(.value(value, property))
      }
      place = holds ? steps[place].ifTrue : steps[place].ifFalse
    }
    return place == RowTest.accepted
  }
}

extension Condition.Constant {
  /// The value to compare with in `store`.
  func value(in store: StoreFile) -> Value {
    switch self {
    case .value(let value): value
    case .object(let object): object.value(in: store)
    }
  }
}

extension Condition {
  /// The first of some objects that satisfy the condition, in their order; those that do not exist satisfy none but
  /// ``always``.
  ///
  /// - Parameters:
  ///   - ids: the objects.
  ///   - limit: stop after this many.
  ///   - model: their class.
  ///   - schema: the class as the file stores it.
  ///   - scope: what is read.
  /// - Returns: the ids of those that do.
  /// - Throws: `.unknownProperty` or `.invalidInput` for a path that the class does not have, or `.corrupted`.
  /// - Complexity: one read of each object, up to the last one that is wanted.
  func filter(
    _ ids: [UInt64], _ limit: Int, of model: ClassDescription, _ schema: ClassSchema,
    in scope: ReadScope
  ) throws(Failure) -> [UInt64] {
    if isAlways { return ids.count > limit ? Array(ids.prefix(limit)) : ids }
    let evaluator = try ConditionEvaluator(self, on: model, in: scope)
    var kept: [UInt64] = []
    for id in ids {
      if kept.count >= limit { break }
      guard let row = try scope.reader.row(schema, id) else { continue }
      if try evaluator.matches(row, id: id) { kept.append(id) }
    }
    return kept
  }
}

package import VarveEncoding
package import VarveStorage

/// A condition bound to the schema of a file, which can be evaluated for single rows or values.
///
/// Thread safety: not thread-safe; each evaluation creates its own evaluator.
package final class ConditionEvaluator: @unchecked Sendable {
  // Safe to send because each evaluation creates its own evaluator and does not share it.

  private let reader: any TableReader
  private let test: RowTest
  /// The test compiled for the layout of the last row. Safe unchecked because no other access
  /// happens during an access.
  @exclusivity(unchecked) private var plan: RowPlan?
  /// The class as the file stores it, or nil for values.
  private let schema: ClassSchema?

  /// - Parameter model: The class of the objects, or nil for values.
  /// - Throws: `.unknownProperty` or `.invalidInput` for a path that the class lacks.
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
  /// - Throws: `.corrupted` if stored bytes are damaged.
  package func matches(_ row: RowReader, id: UInt64) throws(Failure) -> Bool {
    if plan?.layout.id != row.layout.id { plan = test.plan(for: row.layout) }
    return try plan?.accepts(row.base, id: id, reader) ?? false
  }

  /// Whether a value satisfies the condition. For a condition on objects, the value is a link,
  /// whose object must exist.
  ///
  /// - Parameter property: The collection that contains the value, if that collection may contain
  ///   nested collections.
  /// - Throws: `.corrupted`.
  func matches(_ value: Value, in property: StoredProperty? = nil) throws(Failure) -> Bool {
    // All properties of a null link are null.
    if let schema, !value.isNull {
      guard case .link(_, let id) = value, let row = try reader.row(schema, id) else {
        return false
      }
      return try matches(row, id: id)
    }
    let steps = test.steps
    var current = test.start
    while current >= 0 {
      let matches: Bool
      switch steps[current].test {
      case .predicate(let predicate, _): matches = predicate.matches(value)
      case .comparison(let comparison): matches = try comparison.matches(.value(value, property))
      }
      current = matches ? steps[current].ifTrue : steps[current].ifFalse
    }
    return current == RowTest.accepted
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
  /// The first of the given objects that satisfy the condition, in the given order. An object that
  /// does not exist satisfies only ``always``.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of objects.
  ///   - schema: The class as the file stores it.
  /// - Throws: `.unknownProperty` or `.invalidInput` for a path that the class lacks, or
  ///   `.corrupted`.
  /// - Complexity: One read of each object, up to the last one returned.
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

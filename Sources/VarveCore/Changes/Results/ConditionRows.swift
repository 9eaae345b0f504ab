import VarveEncoding
import VarveStorage

/// Asks a query's condition about objects of one version.
///
/// Thread safety: one thread at a time.
struct ConditionRows {
  private let schema: ClassSchema?
  private let snapshot: Snapshot
  /// nil: it holds for every object that exists.
  private let evaluator: ConditionEvaluator?

  /// - Throws: `.unknownProperty` or `.invalidInput` for a path that the class does not have.
  init(_ query: ObjectQuery, _ snapshot: Snapshot, _ store: Store) throws(Failure) {
    self.snapshot = snapshot
    schema = store.schema(of: query.model, in: store.schema, snapshot)
    evaluator =
      query.condition.isAlways
      ? nil
      : try ConditionEvaluator(query.condition, on: query.model, reader: snapshot, store: store)
  }

  func exists(_ id: UInt64) -> Bool {
    schema.map { snapshot.find($0.table, id: id) != nil } ?? false
  }

  /// Whether an object exists and satisfies the condition.
  ///
  /// - Throws: `.corrupted`.
  func holds(_ id: UInt64) throws(Failure) -> Bool {
    guard let evaluator else { return exists(id) }
    guard let schema, let row = try snapshot.row(schema, id) else { return false }
    return try evaluator.matches(row, id: id)
  }
}

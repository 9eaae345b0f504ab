import Varve
import VarveCore
import VarveStorage

/// A predicate tied to a class as the file stores it.
///
/// Values compare as in the queries of the library.
///
/// Thread safety: an immutable value.
struct BoundPredicate: Sendable {
  private let model: ClassDescription
  private let condition: Condition

  /// Finds the properties that a predicate names.
  ///
  /// - Parameters:
  ///   - predicate: The predicate, without suffixes.
  ///   - schema: The class.
  ///   - file: What the file holds.
  /// - Throws: ``TextPredicateError`` for a name that the class does not have, and for a comparison that properties of the
  ///   type do not know.
  init(
    _ predicate: ParsedPredicate, of schema: ClassSchema, in file: FileSchema
  ) throws(TextPredicateError) {
    model = file.model(of: schema)
    condition = try predicate.bound(to: model).condition
  }

  /// What asks the predicate of the objects of a version.
  ///
  /// - Parameters:
  ///   - snapshot: The version.
  ///   - store: Its store.
  /// - Returns: What asks it, for one thread.
  /// - Throws: A `Failure`.
  func evaluator(in snapshot: Snapshot, of store: Store) throws(Failure) -> ConditionEvaluator {
    try ConditionEvaluator(condition, on: model, in: ReadScope(snapshot, of: store))
  }
}

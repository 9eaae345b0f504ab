import Varve
import VarveCore
import VarveStorage

/// A predicate bound to a class as stored in the file.
///
/// Values compare as in the queries of the library.
struct BoundPredicate: Sendable {
  private let model: ClassDescription
  private let condition: Condition

  /// Resolves the properties that a predicate names.
  ///
  /// - Parameters:
  ///   - predicate: The predicate, without suffixes.
  ///   - file: The schema of the file.
  /// - Throws: ``TextPredicateError`` for a name that the class does not have, and for a comparison
  ///   that the type of a property does not support.
  init(
    _ predicate: ParsedPredicate, of schema: ClassSchema, in file: FileSchema
  ) throws(TextPredicateError) {
    model = file.model(of: schema)
    condition = try predicate.bound(to: model).condition
  }

  /// Returns an evaluator of the predicate for the objects of a version.
  ///
  /// - Returns: The evaluator, for one thread.
  /// - Throws: A `Failure`.
  func evaluator(in snapshot: Snapshot, of store: Store) throws(Failure) -> ConditionEvaluator {
    try ConditionEvaluator(condition, on: model, in: ReadScope(snapshot, of: store))
  }
}

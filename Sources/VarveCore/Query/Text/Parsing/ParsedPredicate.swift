/// A parsed predicate: a condition and its suffixes.
package struct ParsedPredicate: Equatable, Sendable {
  /// `SORT(…)`, `DISTINCT(…)` and `LIMIT(…)` after the condition.
  package enum Suffix: Equatable, Sendable {
    package struct Key: Equatable, Sendable {
      package var path: TextPredicate.Path
      package var isAscending: Bool
    }

    case sort([Key])
    case distinct([TextPredicate.Path])
    case limit(Int)
  }

  package var condition: TextPredicate
  /// Applied in order.
  package var suffixes: [Suffix] = []
  /// The position of the first suffix.
  package var suffixPosition: Int?

  /// Rejects suffixes, for uses that only accept a condition.
  ///
  /// - Throws: ``TextPredicateError``.
  package func checkIsCondition() throws(TextPredicateError) {
    guard let suffixPosition else { return }
    throw TextPredicateError(
      message: "SORT, DISTINCT and LIMIT are not allowed here.", position: suffixPosition)
  }
}

/// What a text says: a condition, and what is done with what it finds.
///
/// Thread safety: an immutable value.
package struct ParsedPredicate: Equatable, Sendable {
  /// `SORT(…)`, `DISTINCT(…)` and `LIMIT(…)` behind the condition.
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
  /// Applied one after the other.
  package var suffixes: [Suffix] = []
  /// Where the first of them stands.
  package var suffixPosition: Int?

  /// Refuses suffixes, where only a condition has a meaning.
  ///
  /// - Throws: ``TextPredicateError``.
  package func checkIsCondition() throws(TextPredicateError) {
    guard let suffixPosition else { return }
    throw TextPredicateError(
      message: "SORT, DISTINCT and LIMIT have no meaning here.", position: suffixPosition)
  }
}

/// What changed in a string-keyed collection between two versions of it.
///
/// No key stands in two of the arrays; each is in the order of the keys' UTF-8 bytes.
///
/// Thread safety: a value.
package struct KeyChanges: Equatable, Sendable {
  /// The keys of the old version that the new one does not have.
  package var deletions: [String] = []

  /// The keys of the new version that the old one does not have.
  package var insertions: [String] = []

  /// The keys of both whose values differ.
  package var modifications: [String] = []

  package init() {}

  package var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && modifications.isEmpty
  }

  /// Puts the keys in order.
  mutating func sort() {
    func isBefore(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }
    deletions.sort(by: isBefore)
    insertions.sort(by: isBefore)
    modifications.sort(by: isBefore)
  }
}

/// The difference of a string-keyed collection between two versions.
///
/// A key is in at most one of the arrays. Each array is in the order of the keys' UTF-8 bytes.
package struct KeyChanges: Equatable, Sendable {
  /// The keys of the old version that the new one lacks.
  package var deletions: [String] = []

  /// The keys of the new version that the old one lacks.
  package var insertions: [String] = []

  /// The keys of both versions whose values differ.
  package var modifications: [String] = []

  package init() {}

  package var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && modifications.isEmpty
  }

  /// Sorts the keys of each array.
  mutating func sort() {
    func isBefore(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }
    deletions.sort(by: isBefore)
    insertions.sort(by: isBefore)
    modifications.sort(by: isBefore)
  }
}

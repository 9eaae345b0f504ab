/// The difference of an ordered collection between two versions.
///
/// Removing the deletions from the old collection, from the back, and then inserting the insertions
/// in ascending order yields the new collection, except for the contents of the modified elements.
package struct IndexChanges: Equatable, Sendable {
  /// An element that moved from an index of the old collection to an index of the new one.
  ///
  /// Both indexes are also listed as a deletion and an insertion.
  package struct Move: Equatable, Sendable {
    package var from: Int
    package var to: Int

    package init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  /// The indexes in the old collection of the elements that the new one lacks.
  package var deletions = IndexRanges()

  /// The indexes in the new collection of the elements that the old one lacks.
  package var insertions = IndexRanges()

  /// The indexes in the old collection of the elements that are in both collections and changed.
  package var modifications = IndexRanges()

  /// The indexes in the new collection of the elements in `modifications`, in the same order.
  package var newModifications = IndexRanges()

  /// The moves, in ascending order of `to`.
  package var moves: [Move] = []

  package init() {}

  package var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && modifications.isEmpty
  }
}

/// What changed in an ordered collection between two versions of it.
///
/// Taking the deletions away from the old collection, from the back, and then putting in the
/// insertions in ascending order gives the new one, but for the contents of the modified elements.
package struct IndexChanges: Equatable, Sendable {
  /// An element that left one place of the old collection and stands at one of the new.
  ///
  /// Both also count as a deletion and an insertion.
  package struct Move: Equatable, Sendable {
    package var from: Int
    package var to: Int

    package init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  /// Indexes in the old collection of the elements that are not in the new one.
  package var deletions = IndexRanges()

  /// Indexes in the new collection of the elements that were not in the old one.
  package var insertions = IndexRanges()

  /// Indexes in the old collection of the elements that stayed and are no longer the same.
  package var modifications = IndexRanges()

  /// Indexes in the new collection of the same elements as `modifications`, in the same order.
  package var newModifications = IndexRanges()

  /// In ascending order of `to`.
  package var moves: [Move] = []

  package init() {}

  package var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && modifications.isEmpty
  }
}

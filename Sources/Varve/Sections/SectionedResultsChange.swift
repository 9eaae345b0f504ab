public import Foundation

/// What the observer of sections, or of one section, is called with; the collection is frozen at the version that the
/// change leads to.
public enum SectionedResultsChange<Collection: Sendable>: Sendable {
  /// The state when the observer is called first; and once more when its pin was given up, see
  /// ``RestartReason``.
  case initial(Collection)
  /// What changed since the call before; see ``SectionChanges``.
  case update(
    Collection, deletions: [IndexPath], insertions: [IndexPath], modifications: [IndexPath],
    sectionsToInsert: IndexSet, sectionsToDelete: IndexSet)
}

/// How sections differ between two versions. All index paths ascend; each has the place of a section and that of an
/// element in it.
///
/// Taking the deletions away from the old sections, from the back, then the deleted sections, and putting in the inserted
/// sections, empty, and then the insertions, in ascending order, gives the new sections, but for what the modified
/// elements hold. An element that has another key than before is a deletion and an insertion.
///
/// Thread safety: a value.
public struct SectionChanges: Hashable, Sendable {
  /// Places in the old sections. The elements of deleted sections are not listed.
  public let deletions: [IndexPath]
  /// Places in the new sections, those of inserted sections too.
  public let insertions: [IndexPath]
  /// Places in the old sections.
  public let modifications: [IndexPath]
  /// Places of sections that only the new version has; and of those that stand elsewhere, which are deleted too.
  public let sectionsToInsert: IndexSet
  /// Places of sections in the old version.
  public let sectionsToDelete: IndexSet

  /// Whether nothing differs.
  public var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && modifications.isEmpty && sectionsToInsert.isEmpty
      && sectionsToDelete.isEmpty
  }
}

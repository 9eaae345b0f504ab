public import Foundation

/// The notification that the observer of sections, or of one section, receives. The collection is
/// frozen at the version after the change.
public enum SectionedResultsChange<Collection: Sendable>: Sendable {
  /// The whole state. Delivered by the first call, and again after the observer's pin was released;
  /// see ``RestartReason``.
  case initial(Collection)
  /// The changes since the previous call; see ``SectionChanges``.
  case update(
    Collection, deletions: [IndexPath], insertions: [IndexPath], modifications: [IndexPath],
    sectionsToInsert: IndexSet, sectionsToDelete: IndexSet)
}

/// The difference between two versions of sections.
///
/// All index paths are in ascending order. Each consists of the index of a section and the index of
/// an element in it.
///
/// To turn the old sections into the new ones, remove the deletions from the last to the first, and
/// then the deleted sections. Insert the inserted sections, empty, and then the insertions in
/// ascending order. The contents of modified elements may still differ. An element whose key
/// changed is reported as a deletion and an insertion.
public struct SectionChanges: Hashable, Sendable {
  /// The index paths of deleted elements, in the old sections. The elements of deleted sections are
  /// not included.
  public let deletions: [IndexPath]
  /// The index paths of inserted elements, in the new sections. The elements of inserted sections
  /// are included.
  public let insertions: [IndexPath]
  /// The index paths of modified elements, in the old sections.
  public let modifications: [IndexPath]
  /// The indexes, in the new version, of sections that only the new version has, and of moved
  /// sections, which are also deleted.
  public let sectionsToInsert: IndexSet
  /// The indexes of deleted sections, in the old version.
  public let sectionsToDelete: IndexSet

  /// Whether the two versions are equal.
  public var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && modifications.isEmpty && sectionsToInsert.isEmpty
      && sectionsToDelete.isEmpty
  }
}

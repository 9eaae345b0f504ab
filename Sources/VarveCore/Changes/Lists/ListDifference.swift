package import VarveEncoding
package import VarveStorage

/// The difference of one list between two pinned versions, either of which may be the older one.
///
/// Both trees are walked from their roots. Nodes that both versions share are skipped and align the
/// two lists: no element is matched across a shared node. Between shared nodes the elements are
/// compared (see `WordDifference` for how exactly). The result has these properties:
/// - It is empty if the lists have equal elements in the same order.
/// - Applying it to the old list yields the new one.
/// - A different element at the same position is a modification, and an equal value is not a change
///   (`ListElementForm` defines equality).
/// - In a list of objects, an object that moved is a deletion and an insertion, and is listed in
///   `moves` if it occurs once in both versions.
///
/// **When nodes are shared.** Two entries of one list with equal node id and stamp have the same
/// contents in their subtrees, in any two committed versions of one history of one file:
/// - No id is assigned twice in committed versions: the counter is part of each commit, so an id
///   that is assigned again was never committed. The same is true of list ids.
/// - A transaction that changes anything below an entry stamps it with its own version, whether an
///   element changed, a node was split, or elements moved to or from a sibling. An entry that only
///   moves to another parent keeps its stamp and contents. Whichever nested transactions were
///   rolled back, one content is committed under the stamp.
/// - A list that was emptied and filled again has new nodes. Only its root keeps its id, which is 0
///   in every list. No entry refers to a root, and the two roots are always read.
///
/// This is not true between two histories (a copy, a restored file, a file that lost its last
/// commits) or two files. Then no node counts as shared, and all elements are compared.
///
/// Damaged nodes cause an error; shared nodes are not read.
///
/// A content in a row is bytes of its version: the difference may be used while both versions are
/// retained.
///
/// Thread safety: an immutable value; any number of threads may compare at once.
package struct ListDifference: Sendable {
  /// The list's content in the new version.
  package let newContent: CollectionContent
  /// The list's content in the old version.
  package let oldContent: CollectionContent
  package let format: ListElementFormat
  /// The link counts that determine whether an object occurs once in the list. Without them, an
  /// object that is removed once and inserted once counts as moved.
  package let links: ListLinks?

  /// - Parameters:
  ///   - old: The list's content in the old version.
  ///   - new: The content in the new version. Its id differs if the object that owns the list was
  ///     deleted and created again under its primary key; no nodes are shared then.
  ///   - format: How the list's leaves store its elements.
  ///   - links: For a list of objects, where its links are counted.
  package init(
    from old: CollectionContent, to new: CollectionContent, format: ListElementFormat,
    links: ListLinks? = nil
  ) {
    oldContent = old
    newContent = new
    self.format = format
    self.links = links
  }

  /// Compares two versions. A version that lacks the list is compared as if the list were empty.
  ///
  /// - Parameters:
  ///   - old: The version to start from.
  ///   - new: The version to arrive at.
  /// - Returns: The changes; none if the lists are equal.
  /// - Throws: `.corrupted` for damaged nodes.
  /// - Complexity: O(nodes that differ), plus the cost of `WordDifference` for the elements of
  ///   differing leaves. A list that was emptied or filled costs one lookup per level. If as many
  ///   elements were removed as were inserted elsewhere, the elements between them are compared
  ///   with the elements now at their positions, up to the first difference.
  package func changes(
    from old: Snapshot, to new: Snapshot
  ) throws(StorageError) -> IndexChanges {
    var walk = ListTreeWalk(self, old, new)
    var replacements = ListReplacements(walk.oldReader, walk.newReader)
    try walk.forEachGap { (gap) throws(StorageError) in
      try replacements.append(gap)
      return true
    }
    try replacements.dropEqualStretches()
    guard format.type == .link, !format.isNullable else {
      return try ListChangeBuilder.changes(replacements)
    }
    func isOnce(_ id: UInt64) throws(StorageError) -> Bool {
      guard let links else { return true }
      guard try links.count(of: id, in: old) == 1 else { return false }
      return try links.count(of: id, in: new) == 1
    }
    return try ListChangeBuilder.changes(replacements, isOnce: isOnce)
  }

  /// Whether both versions have equal elements in the same order.
  ///
  /// - Returns: true if `changes(from:to:)` would be empty.
  /// - Throws: `.corrupted` for damaged nodes.
  /// - Complexity: O(nodes that differ) up to the first element that differs.
  package func isEmpty(from old: Snapshot, to new: Snapshot) throws(StorageError) -> Bool {
    var walk = ListTreeWalk(self, old, new)
    let (oldReader, newReader) = (walk.oldReader, walk.newReader)
    let form = ListElementForm(format)
    let count = try oldReader.root().count
    guard try newReader.root().count == count else { return false }
    var isSame = true
    try walk.forEachGap { (gap) throws(StorageError) in
      if gap.old.indexes == gap.new.indexes {
        var elements = ListElementComparison(
          ListElementRun(gap.old, oldReader), ListElementRun(gap.new, newReader), form)
        isSame = try elements.areEqual()
        return isSame
      }
      // The nodes shared from here on may be at other positions.
      isSame = try ListElementComparison.areEqual(
        oldReader, newReader, form, at: gap.old.start..<count)
      return false
    }
    return isSame
  }
}

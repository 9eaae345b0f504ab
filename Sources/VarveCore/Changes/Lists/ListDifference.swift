package import VarveEncoding
package import VarveStorage

/// What changed in one list between two pinned versions, either of which may be the older one.
///
/// Both trees are walked from their roots. Nodes that they share are passed over, and hold the two
/// lists together: no element is matched across one. Between them the elements are compared (see
/// `WordDifference` for how exactly). What is found:
/// - nothing, if the lists have equal elements in the same order;
/// - applying it to the old list gives the new one;
/// - an element that is another one at its place is a modification, and one that has an equal value
///   is no change (`ListElementForm` says what is equal);
/// - in a list of objects, one that has moved is a deletion and an insertion, and stands in `moves` if
///   it is in both versions once.
///
/// **When nodes are shared.** Two entries of one list with equal node id and stamp have the same
/// contents below, in any two committed versions of one history of one file:
/// - No id is given out twice in committed versions: the counter is part of what a commit writes, so
///   an id that is given out again was never committed. That goes for lists, too.
/// - A transaction that changes anything below an entry stamps it with its own version, whether by
///   an element, by a split, or by a sibling's elements coming or going; an entry that only goes to
///   another parent keeps its stamp and contents. Whatever nested transactions were undone, one
///   content is committed under the stamp.
/// - A list that was emptied and filled again has new nodes. Only its root has the old id, which is 0
///   in every list; but no entry leads to a root, and the two roots are always looked into.
///
/// It does not hold between two histories (a copy, a restored file, an end that lost commits) or two
/// files. Then nothing counts as shared, and all elements are compared.
///
/// Damaged nodes give an error; nodes that are shared are not read.
///
/// Thread safety: an immutable value; any number of threads may compare at once.
package struct ListDifference: Sendable {
  /// The list's slot in the new version.
  package let newSlot: CollectionSlot
  /// Its slot in the old version.
  package let oldSlot: CollectionSlot
  package let format: ListElementFormat
  /// Tells whether an object stands in the list once. Without it one that is taken away once and put
  /// in once counts as moved.
  package let links: ListLinks?

  /// - Parameters:
  ///   - old: the list's slot in the old version.
  ///   - new: its slot in the new version. The id is another one where the object that owns the list was deleted and
  ///     created again under its primary key; no nodes are shared then.
  ///   - format: how the list's leaves store its elements.
  ///   - links: for a list of objects, where its links are counted.
  package init(
    from old: CollectionSlot, to new: CollectionSlot, format: ListElementFormat,
    links: ListLinks? = nil
  ) {
    oldSlot = old
    newSlot = new
    self.format = format
    self.links = links
  }

  /// Compares two versions; one that does not have the list is compared as if it were empty.
  ///
  /// - Parameters:
  ///   - old: the version to start from.
  ///   - new: the version to arrive at.
  /// - Returns: the changes; none if the lists are equal.
  /// - Throws: `.corrupted` for damaged nodes.
  /// - Complexity: O(nodes that differ), and as `WordDifference` for the elements of differing leaves.
  ///   A list that was emptied or filled costs a look-up a level. Where as many elements were taken away
  ///   as were put in elsewhere, the elements between them are looked at as far as they equal those that
  ///   have come into their places.
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
      guard try links.count(of: id, in: oldSlot, old) == 1 else { return false }
      return try links.count(of: id, in: newSlot, new) == 1
    }
    return try ListChangeBuilder.changes(replacements, isOnce: isOnce)
  }

  /// Whether both versions hold equal elements in the same order.
  ///
  /// - Parameters:
  ///   - old: a version.
  ///   - new: another one.
  /// - Returns: true if `changes(from:to:)` would be empty.
  /// - Throws: `.corrupted` for damaged nodes.
  /// - Complexity: O(nodes that differ) up to the first element that does.
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
      // What is shared from here on may stand at other places.
      isSame = try ListElementComparison.areEqual(
        oldReader, newReader, form, at: gap.old.start..<count)
      return false
    }
    return isSame
  }
}

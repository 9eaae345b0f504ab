package import VarveEncoding
package import VarveStorage

/// What changed in one list between two pinned versions, either of which may be the older one.
///
/// Both trees are walked from their roots. Nodes that they share are passed over, and hold the two
/// lists together: no element is matched across one. Between them the elements are compared (see
/// `WordDifference` for how exactly). What is found:
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
  package let listID: UInt64
  package let format: ListElementFormat
  /// Tells whether an object stands in the list once. Without it one that is taken away once and put
  /// in once counts as moved.
  package let links: ListLinks?

  /// - Parameters:
  ///   - listID: of the list's collection record.
  ///   - format: how the list's leaves store its elements.
  ///   - links: for a list of objects, where its links are counted.
  package init(listID: UInt64, format: ListElementFormat, links: ListLinks? = nil) {
    self.listID = listID
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
  ///   A list that was emptied or filled costs a look-up a level.
  package func changes(
    from old: Snapshot, to new: Snapshot
  ) throws(StorageError) -> IndexChanges {
    var walk = Walk(self, old, new)
    try walk.compareRoots()
    guard format.type == .link, !format.isNullable else {
      return try ListChangeBuilder.changes(walk.replacements)
    }
    func isOnce(_ id: UInt64) throws(StorageError) -> Bool {
      guard let links else { return true }
      guard try links.count(of: id, inList: listID, old) == 1 else { return false }
      return try links.count(of: id, inList: listID, new) == 1
    }
    return try ListChangeBuilder.changes(walk.replacements, isOnce: isOnce)
  }

  /// Goes down both trees at once.
  private struct Walk {
    private var oldReader: ListNodeReader
    private var newReader: ListNodeReader
    private let sharesNodes: Bool
    private(set) var replacements: ListReplacements

    init(_ list: ListDifference, _ old: Snapshot, _ new: Snapshot) {
      oldReader = ListNodeReader(listID: list.listID, format: list.format, snapshot: old)
      newReader = ListNodeReader(listID: list.listID, format: list.format, snapshot: new)
      sharesNodes =
        old.environment === new.environment && old.version.incarnation == new.version.incarnation
      replacements = ListReplacements(oldReader, newReader)
    }

    mutating func compareRoots() throws(StorageError) {
      var old = try oldReader.root()
      var new = try newReader.root()
      while old.level > new.level, !new.isEmpty { old = try oldReader.children(of: old) }
      while new.level > old.level, !old.isEmpty { new = try newReader.children(of: new) }
      if old.isEmpty && new.isEmpty { return }
      try compare(ListNodeGap(old: old, new: new))
    }

    /// Compares what lies below nodes that are not shared.
    private mutating func compare(_ gap: ListNodeGap) throws(StorageError) {
      if gap.old.isEmpty || gap.new.isEmpty || gap.old.level == 0 {
        return try replacements.append(gap)
      }
      let old = try oldReader.children(of: gap.old)
      let new = try newReader.children(of: gap.new)
      guard sharesNodes else { return try compare(ListNodeGap(old: old, new: new)) }
      for gap in ListNodeGap.gaps(old, new) { try compare(gap) }
    }
  }
}

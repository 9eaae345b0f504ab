extension IDSet {
  /// Edits the set and tells what has changed.
  ///
  /// Ids may come in any order and more than once. An id that is removed and inserted is a deletion
  /// and an insertion; one that leaves or enters is not also a modification.
  ///
  /// - Parameters:
  ///   - removed: ids to take away; those that are no members count for nothing.
  ///   - inserted: ids to add; those that are members by then count for nothing.
  ///   - modified: ids of changed objects; those that were no members count for nothing.
  /// - Returns: the indexes of what was removed and modified in the set before, and of what was
  ///   inserted and modified in the set as it is now.
  /// - Complexity: O(changes · log n)
  package mutating func apply(
    removed: [UInt64] = [], inserted: [UInt64] = [], modified: [UInt64] = []
  ) -> IndexChanges {
    var changes = IndexChanges()
    var staying: [Int] = []
    staying.reserveCapacity(modified.count)
    for id in Self.ascending(modified) {
      let (index, isMember) = locate(id)
      if isMember { staying.append(index) }
    }
    for id in Self.ascending(removed) {
      let (index, isMember) = locate(id)
      guard isMember else { continue }
      changes.deletions.append(index + changes.deletions.count)
      remove(id, at: index)
    }
    for id in Self.ascending(inserted) {
      let (index, isMember) = locate(id)
      guard !isMember else { continue }
      changes.insertions.append(index)
      insert(id, at: index)
    }
    changes.modify(staying)
    return changes
  }

  /// Sorts ids, unless they come sorted.
  private static func ascending(_ ids: [UInt64]) -> [UInt64] {
    zip(ids, ids.dropFirst()).allSatisfy { $0 <= $1 } ? ids : ids.sorted()
  }
}

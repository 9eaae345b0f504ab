extension IDSet {
  /// Edits the set and returns the changes.
  ///
  /// Ids may be in any order and repeated. An id that is removed and inserted is a deletion and an
  /// insertion. An id that leaves or enters is not also a modification.
  ///
  /// - Parameters:
  ///   - removed: The ids to remove; non-members are ignored.
  ///   - inserted: The ids to add; ids that are members after the removals are ignored.
  ///   - modified: The ids of changed objects; ids that were not members are ignored.
  /// - Returns: The indexes of removed and modified ids in the previous set, and of inserted and
  ///   modified ids in the current set.
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

  /// Returns the ids sorted; sorts only if they are not sorted already.
  private static func ascending(_ ids: [UInt64]) -> [UInt64] {
    zip(ids, ids.dropFirst()).allSatisfy { $0 <= $1 } ? ids : ids.sorted()
  }
}

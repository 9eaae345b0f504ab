extension IndexChanges {
  /// Adds modifications, and finds by the deletions and insertions where the elements are now.
  ///
  /// - Parameter indexes: in the old collection, in ascending order; those of deleted elements and
  ///   repeated ones add nothing.
  /// - Precondition: all deletions and insertions are known, and there are no modifications yet.
  /// - Complexity: O(indexes + ranges)
  mutating func modify(_ indexes: [Int]) {
    var deletion = 0
    var deleted = 0
    var insertion = 0
    var inserted = 0
    var last = -1
    for index in indexes where index != last {
      last = index
      while deletion < deletions.ranges.count, deletions.ranges[deletion].upperBound <= index {
        deleted += deletions.ranges[deletion].count
        deletion += 1
      }
      if deletion < deletions.ranges.count, deletions.ranges[deletion].contains(index) { continue }
      while insertion < insertions.ranges.count,
        insertions.ranges[insertion].lowerBound <= index - deleted + inserted
      {
        inserted += insertions.ranges[insertion].count
        insertion += 1
      }
      modifications.append(index)
      newModifications.append(index - deleted + inserted)
    }
  }

  /// Takes modifications out.
  ///
  /// - Parameter indexes: places in the old collection.
  /// - Complexity: O(modifications), O(1) without indexes.
  mutating func removeModifications(at indexes: Set<Int>) {
    if indexes.isEmpty { return }
    let all = zip(modifications, newModifications)
    (modifications, newModifications) = (IndexRanges(), IndexRanges())
    for (old, new) in all where !indexes.contains(old) {
      modifications.append(old)
      newModifications.append(new)
    }
  }
}

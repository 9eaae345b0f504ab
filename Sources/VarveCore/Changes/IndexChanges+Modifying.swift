extension IndexChanges {
  /// Adds modifications, and computes their new indexes from the deletions and insertions.
  ///
  /// - Parameter indexes: Indexes in the old collection, in ascending order. Indexes of deleted
  ///   elements and repeated indexes are ignored.
  /// - Precondition: all deletions and insertions are known, and there are no modifications yet.
  /// - Complexity: O(indexes + ranges)
  mutating func modify(_ indexes: [Int]) {
    var stayed = StayedElements(leaving: deletions.ranges, arriving: insertions.ranges)
    var last = -1
    for index in indexes where index != last {
      last = index
      guard let new = stayed.otherIndex(of: index) else { continue }
      modifications.append(index)
      newModifications.append(new)
    }
  }

  /// Adds elements that stayed to the modifications because an object that they link to changed.
  ///
  /// - Parameter newIndexes: Their indexes in the new collection. Indexes of insertions, of moved
  ///   elements and of modifications are ignored.
  /// - Complexity: O(new indexes + modifications + ranges of deletions and insertions).
  package mutating func addModifications(at newIndexes: IndexRanges) {
    guard !newIndexes.isEmpty else { return }
    var stayed = StayedElements(leaving: insertions.ranges, arriving: deletions.ranges)
    // Two ascending runs, which are sorted in one pass.
    let all = (modifications + newIndexes.compactMap { stayed.otherIndex(of: $0) }).sorted()
    (modifications, newModifications) = (IndexRanges(), IndexRanges())
    modify(all)
  }

  /// Removes modifications.
  ///
  /// - Parameter indexes: Indexes in the old collection.
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

/// Maps indexes of one version to another for the elements that both versions contain.
private struct StayedElements {
  /// The ranges of the starting version that the other version lacks.
  let leaving: [Range<Int>]
  /// The ranges of the other version that the starting version lacks.
  let arriving: [Range<Int>]
  private var nextLeaving = 0
  private var nextArriving = 0
  private var offset = 0

  init(leaving: [Range<Int>], arriving: [Range<Int>]) {
    self.leaving = leaving
    self.arriving = arriving
  }

  /// Returns the index in the other version of an element of the starting version, or nil if the
  /// element left. Indexes must ascend from call to call.
  mutating func otherIndex(of index: Int) -> Int? {
    while nextLeaving < leaving.count, leaving[nextLeaving].upperBound <= index {
      offset -= leaving[nextLeaving].count
      nextLeaving += 1
    }
    if nextLeaving < leaving.count, leaving[nextLeaving].contains(index) { return nil }
    while nextArriving < arriving.count, arriving[nextArriving].lowerBound <= index + offset {
      offset += arriving[nextArriving].count
      nextArriving += 1
    }
    return index + offset
  }
}

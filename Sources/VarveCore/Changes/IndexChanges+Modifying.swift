extension IndexChanges {
  /// Adds modifications, and finds by the deletions and insertions where the elements are now.
  ///
  /// - Parameter indexes: in the old collection, in ascending order; those of deleted elements and
  ///   repeated ones add nothing.
  /// - Precondition: all deletions and insertions are known, and there are no modifications yet.
  /// - Complexity: O(indexes + ranges)
  mutating func modify(_ indexes: [Int]) {
    var stayed = StayedElements(leaving: deletions.ranges, arriving: insertions.ranges)
    var last = -1
    for index in indexes where index != last {
      last = index
      guard let new = stayed.place(of: index) else { continue }
      modifications.append(index)
      newModifications.append(new)
    }
  }

  /// Counts elements that stayed among the modifications, for what they link to has changed.
  ///
  /// - Parameter newIndexes: their indexes in the new collection. Those of insertions, of what has
  ///   moved and of modifications are passed over.
  /// - Complexity: O(new indexes + modifications + ranges of deletions and insertions).
  package mutating func addModifications(at newIndexes: IndexRanges) {
    guard !newIndexes.isEmpty else { return }
    var stayed = StayedElements(leaving: insertions.ranges, arriving: deletions.ranges)
    // Two ascending runs, which are sorted in one go.
    let all = (modifications + newIndexes.compactMap { stayed.place(of: $0) }).sorted()
    (modifications, newModifications) = (IndexRanges(), IndexRanges())
    modify(all)
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

/// Goes along the elements that two versions of a collection have in common.
private struct StayedElements {
  /// The ranges of the version to start from that the other one does not have.
  let leaving: [Range<Int>]
  /// The ranges of the other version that the one to start from does not have.
  let arriving: [Range<Int>]
  private var nextLeaving = 0
  private var nextArriving = 0
  private var offset = 0

  init(leaving: [Range<Int>], arriving: [Range<Int>]) {
    self.leaving = leaving
    self.arriving = arriving
  }

  /// The index in the other version of an element of the one to start from; nil where the element left. Indexes
  /// ascend from call to call.
  mutating func place(of index: Int) -> Int? {
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

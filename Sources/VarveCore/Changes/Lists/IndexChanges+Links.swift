extension IndexChanges {
  /// Counts elements that stayed among the modifications, for what they link to has changed.
  ///
  /// - Parameter newIndexes: their indexes in the new collection. Those of insertions, of what has
  ///   moved and of modifications are passed over.
  /// - Complexity: O(new indexes + modifications + ranges of deletions and insertions).
  package mutating func addModifications(at newIndexes: IndexRanges) {
    guard !newIndexes.isEmpty else { return }
    var old = IndexRanges()
    var new = IndexRanges()
    var known = zip(modifications, newModifications).makeIterator()
    var next = known.next()
    var walk = StayedElements(self)
    for index in newIndexes {
      while let (knownOld, knownNew) = next, knownNew < index {
        old.append(knownOld)
        new.append(knownNew)
        next = known.next()
      }
      if next?.1 == index { continue }
      guard let source = walk.oldIndex(of: index) else { continue }
      old.append(source)
      new.append(index)
    }
    while let (knownOld, knownNew) = next {
      old.append(knownOld)
      new.append(knownNew)
      next = known.next()
    }
    modifications = old
    newModifications = new
  }

  /// Goes along the elements that are in both collections.
  private struct StayedElements {
    private let deletions: [Range<Int>]
    private let insertions: [Range<Int>]
    private var nextDeletion = 0
    private var nextInsertion = 0
    private var deleted = 0
    private var inserted = 0

    init(_ changes: IndexChanges) {
      deletions = changes.deletions.ranges
      insertions = changes.insertions.ranges
    }

    /// The old index of the element at a new one; nil for an insertion. New indexes ascend from call
    /// to call.
    mutating func oldIndex(of index: Int) -> Int? {
      while nextInsertion < insertions.count, insertions[nextInsertion].upperBound <= index {
        inserted += insertions[nextInsertion].count
        nextInsertion += 1
      }
      if nextInsertion < insertions.count, insertions[nextInsertion].contains(index) { return nil }
      while nextDeletion < deletions.count,
        deletions[nextDeletion].lowerBound <= index - inserted + deleted
      {
        deleted += deletions[nextDeletion].count
        nextDeletion += 1
      }
      return index - inserted + deleted
    }
  }
}

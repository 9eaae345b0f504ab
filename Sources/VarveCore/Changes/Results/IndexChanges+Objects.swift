extension IndexChanges {
  /// Creates the difference between two sequences of objects. An index with a different object is a
  /// deletion and an insertion.
  ///
  /// - Complexity: the cost of `WordDifference`.
  init(from old: [UInt64], to new: [UInt64]) {
    self.init()
    for replacement in WordDifference.replacements(old, new) {
      deletions.append(replacement.old)
      insertions.append(replacement.new)
    }
  }

  /// Creates the difference between two sequences of objects, including modifications of the
  /// objects that stayed. See ``init(from:to:)``.
  ///
  /// - Parameters:
  ///   - old: The ids of the old sequence.
  ///   - new: The ids of the new sequence.
  ///   - modified: The ids of the modified objects, ascending.
  /// - Complexity: the cost of `WordDifference`, plus O(n log k) for k modified objects.
  init(from old: [UInt64], to new: [UInt64], modified: [UInt64]) {
    self.init()
    if old != new { self = IndexChanges(from: old, to: new) }
    guard !modified.isEmpty else { return }
    var indexes = IndexRanges()
    for (index, id) in new.enumerated() where modified.containsAscending(id) {
      indexes.append(index)
    }
    addModifications(at: indexes)
  }

  /// Reports the objects that left one index and are at another one as moves.
  ///
  /// An object that is in a sequence several times moves once for each pair of an index that it
  /// left and one that it entered, in order.
  ///
  /// - Complexity: O(k log k) for k deletions and insertions.
  mutating func findMoves(from old: [UInt64], to new: [UInt64]) {
    guard !deletions.isEmpty, !insertions.isEmpty else { return }
    // Each list has its highest index first, so that `popLast` returns the lowest.
    var oldIndexes: [UInt64: [Int]] = [:]
    for index in deletions.reversed() { oldIndexes[old[index], default: []].append(index) }
    moves = insertions.compactMap { index in
      oldIndexes[new[index]]?.popLast().map { Move(from: $0, to: index) }
    }
  }
}

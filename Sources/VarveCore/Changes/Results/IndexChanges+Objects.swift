extension IndexChanges {
  /// What leads from one sequence of objects to another: an object that is another one at its place is a deletion and
  /// an insertion.
  ///
  /// - Complexity: as `WordDifference`.
  init(from old: [UInt64], to new: [UInt64]) {
    self.init()
    for replacement in WordDifference.replacements(old, new) {
      deletions.append(replacement.old)
      insertions.append(replacement.new)
    }
  }

  /// As ``init(from:to:)``; of the objects that stayed some have changed.
  ///
  /// - Parameters:
  ///   - old: the ids of the old sequence.
  ///   - new: those of the new one.
  ///   - modified: ascending ids.
  /// - Complexity: as `WordDifference`, and O(n log k) for k modified objects.
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

  /// Tells of the objects that left one place and stand at another one.
  ///
  /// An object that is in a sequence several times moves once for each place that it left and entered, in order.
  ///
  /// - Complexity: O(k log k) for k deletions and insertions.
  mutating func findMoves(from old: [UInt64], to new: [UInt64]) {
    guard !deletions.isEmpty, !insertions.isEmpty else { return }
    // The last place last in each list.
    var places: [UInt64: [Int]] = [:]
    for index in deletions.reversed() { places[old[index], default: []].append(index) }
    moves = insertions.compactMap { index in
      places[new[index]]?.popLast().map { Move(from: $0, to: index) }
    }
  }
}

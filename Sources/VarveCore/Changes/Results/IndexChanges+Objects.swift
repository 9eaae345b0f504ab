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
  /// Each object is in both sequences once at most. A damaged file may have it twice: then the first place counts.
  ///
  /// - Complexity: O(k log k) for k deletions and insertions.
  mutating func findMoves(from old: [UInt64], to new: [UInt64]) {
    guard !deletions.isEmpty, !insertions.isEmpty else { return }
    let places = Dictionary(deletions.map { (old[$0], $0) }) { first, _ in first }
    moves = insertions.compactMap { index in
      places[new[index]].map { Move(from: $0, to: index) }
    }
  }
}

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
}

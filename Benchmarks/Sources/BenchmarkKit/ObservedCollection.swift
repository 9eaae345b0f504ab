/// What is observed while commits are timed.
package enum ObservedCollection: Sendable {
  /// All persons. Each commit sets the score of ten, inserts one and deletes one.
  case all
  /// The persons of 50 and more years; all twelve of a commit are among them.
  case filtered
  /// All persons, sorted by their scores.
  case sorted
  /// A list; each commit inserts an integer in its middle.
  case list
  /// A dictionary; each commit sets the value of one key.
  case map

  /// How many elements a commit changes or deletes, and how many it changes or inserts.
  package var changes: (old: Int, new: Int) {
    switch self {
    case .all, .filtered, .sorted: (11, 11)
    case .list: (0, 1)
    case .map: (1, 1)
    }
  }
}

/// A commit, as its observer heard of it.
package struct ObservedCommit: Sendable {
  /// From the return of the commit to the callback; 0 for a callback that came before the return.
  package var seconds: Double
  /// The elements that were deleted or modified.
  package var oldChanges: Int
  /// The elements that were inserted or modified.
  package var newChanges: Int

  package init(seconds: Double, oldChanges: Int, newChanges: Int) {
    self.seconds = seconds
    self.oldChanges = oldChanges
    self.newChanges = newChanges
  }
}

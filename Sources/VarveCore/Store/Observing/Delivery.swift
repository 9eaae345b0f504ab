package import VarveStorage

/// One thing that an observer is told.
package struct Delivery<Tracker: ChangeTracker>: Sendable {
  package enum Content: Sendable {
    /// The state at a version. Comes first, and again after a pin was given up.
    case initial(RestartReason?)
    /// What changed since the version that was delivered before.
    case change(Tracker.Change)
    /// As `change`; it is the last delivery.
    case end(Tracker.Change)
  }

  package let content: Content
  /// What is observed, at the version of the delivery.
  package let tracker: Tracker
  /// The version that the delivery leads to.
  package let snapshot: Snapshot
}

/// Why an observer is told the whole state once more.
package enum RestartReason: Sendable, Hashable {
  /// It did not take what it was told for longer than the pin budget allows.
  case pinAge
  /// The file grew by more than the pin budget allows since the version that it was told last.
  case pinnedBytes
  /// There were more versions after the one that it was told last than the pin budget allows.
  case pinnedVersions
  /// More commits were to be left out for it than may be pinned for that.
  case skippedCommits
  /// What had changed could not be worked out.
  case failure
}

/// Commits that an observer is not told of: they lead from a version to a later one.
struct SkippedCommit: Sendable {
  let base: Snapshot
  var commit: Snapshot

  /// Whether others follow at once.
  func leads(to next: SkippedCommit) -> Bool {
    commit.transactionID == next.base.transactionID
  }
}

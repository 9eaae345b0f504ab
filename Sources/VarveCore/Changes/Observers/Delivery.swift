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
  /// It did not take what it was told for longer than `maximumPinAge`.
  case pinAge
  /// The version that it was told last kept more than `maximumPinnedBytes` from being used again.
  case pinnedBytes
}

/// A commit that an observer is not told of: it leads from a version to the next.
struct SilentCommit: Sendable {
  let base: Snapshot
  let commit: Snapshot
}

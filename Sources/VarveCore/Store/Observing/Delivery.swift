package import VarveStorage

/// One delivery to an observer.
package struct Delivery<Tracker: ChangeTracker>: Sendable {
  package enum Content: Sendable {
    /// The state at a version. The first delivery, also sent again after a pin was released.
    case initial(RestartReason?)
    /// The changes since the previously delivered version.
    case change(Tracker.Change)
    /// The changes since the previously delivered version, as the last delivery.
    case end(Tracker.Change)
  }

  package let content: Content
  /// The tracker of the observed content, at the version of the delivery.
  package let tracker: Tracker
  /// The version at the end of the delivered changes.
  package let snapshot: Snapshot
}

/// The reason for delivering the whole state again.
package enum RestartReason: Sendable, Hashable {
  /// The observer did not take its deliveries for longer than the pin budget allows.
  case pinAge
  /// The file grew by more than the pin budget allows since the last delivered version.
  case pinnedBytes
  /// More versions followed the last delivered one than the pin budget allows.
  case pinnedVersions
  /// The observer had more skipped commits than may be pinned for it.
  case skippedCommits
  /// The changes could not be computed.
  case failure
}

/// Commits that are not delivered to an observer, as the interval from one version to a later one.
struct SkippedCommit: Sendable {
  let base: Snapshot
  var commit: Snapshot

  /// Whether another skipped interval begins where this one ends.
  func leads(to next: SkippedCommit) -> Bool {
    commit.transactionID == next.base.transactionID
  }
}

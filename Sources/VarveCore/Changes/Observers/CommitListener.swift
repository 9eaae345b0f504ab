import VarveStorage

/// Whom the notifier tells of commits.
protocol CommitListener: AnyObject, Sendable {
  /// Somebody committed, or may have. Must not take long.
  func noteCommit(_ newest: Snapshot)

  /// A look at the versions that the listener pins, once a second.
  func reviewPins(_ newest: Snapshot, _ budget: PinBudget)

  /// The store was closed: nobody will be told anything more.
  func noteClosing()
}

extension CommitListener {
  func reviewPins(_ newest: Snapshot, _ budget: PinBudget) {}
  func noteClosing() {}
}

/// How long, and how much of the file, an observer may pin that does not take what it is told.
package struct PinBudget: Sendable {
  package var age: Duration
  package var byteCount: Int64

  package init(age: Duration, byteCount: Int64) {
    self.age = age
    self.byteCount = byteCount
  }
}

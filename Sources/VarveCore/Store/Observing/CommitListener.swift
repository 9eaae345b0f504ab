import VarveStorage

/// Whom the notifier tells of commits.
protocol CommitListener: AnyObject, Sendable {
  /// Somebody committed, or may have. Must not take long.
  func noteCommit(_ newest: Snapshot)

  /// A look at the versions that the listener pins, once a second.
  func reviewPins(_ newest: Snapshot, _ budget: PinBudget)

  /// The versions that the listener holds, apart from those of views.
  var pins: [ListenerPin] { get }

  /// The store was closed: nobody will be told anything more.
  func noteClosing()
}

extension CommitListener {
  func reviewPins(_ newest: Snapshot, _ budget: PinBudget) {}
  var pins: [ListenerPin] { [] }
  func noteClosing() {}
}

/// A version that an observer holds.
struct ListenerPin {
  let transactionID: UInt64
  /// What is observed.
  let subject: String
}

import VarveStorage

/// A listener that the notifier notifies of commits.
protocol CommitListener: AnyObject, Sendable {
  /// Notifies the listener that there was, or may have been, a commit. Must return quickly.
  func noteCommit(_ newest: Snapshot)

  /// Reviews the versions that the listener pins. Called once a second.
  func reviewPins(_ newest: Snapshot, _ budget: PinBudget)

  /// Whether the listener delivers changes; false when it only moves a view.
  var isObserver: Bool { get }

  /// Whether the listener need not be notified of each commit at once.
  var isPatient: Bool { get }

  /// Whether the listener needs no notifications any more. The notifier then removes it.
  var hasEnded: Bool { get }

  /// The versions that the listener pins, apart from those of views.
  var pins: [ListenerPin] { get }

  /// Notifies the listener that the store was closed. No further calls follow.
  func noteClosing()
}

extension CommitListener {
  func reviewPins(_ newest: Snapshot, _ budget: PinBudget) {}
  var isObserver: Bool { false }
  var isPatient: Bool { false }
  var hasEnded: Bool { false }
  var pins: [ListenerPin] { [] }
  func noteClosing() {}
}

/// A version that an observer pins.
struct ListenerPin {
  let transactionID: UInt64
  /// A description of the observed content.
  let subject: String
}

import Synchronization
package import VarveStorage

/// An observer that asks for what it is told: the iterator of an asynchronous sequence.
///
/// Thread safety: any task may use it, one at a time.
package final class SequenceObserver<Tracker: ChangeTracker>: CommitListener {
  private struct State {
    /// Whether something may have happened since the last look.
    var isDue = false
    var isCancelled = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let store: Store
  package let subscription: Subscription<Tracker>
  /// Guards what the notifier and the iterating task tell each other.
  private let state = Lock(State())

  /// Starts observing.
  ///
  /// - Parameters:
  ///   - tracker: what to observe.
  ///   - store: the store that it belongs to.
  ///   - snapshot: the version that the observer knows already; nil: it is told the state first.
  /// - Throws: `.closed`.
  package init(
    _ tracker: Tracker, of store: Store, knowing snapshot: Snapshot? = nil
  ) throws(Failure) {
    self.store = store
    subscription = Subscription(tracker, of: store, knowing: snapshot)
    try store.notifier.add(self, of: store)
  }

  deinit { subscription.end() }

  /// The next delivery, as soon as there is one.
  ///
  /// - Returns: nil when there will be none: the task was cancelled, the store closed, or what is observed
  ///   does not exist any more.
  package func next() async -> Delivery<Tracker>? {
    while !Task.isCancelled {
      state.withLock { $0.isDue = false }
      if let delivery = subscription.take() { return delivery }
      if subscription.hasEnded || store.options.ignoresCommits { return nil }
      await waitForCommit()
    }
    subscription.end()
    return nil
  }

  private func waitForCommit() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if state.isDue || state.isCancelled { return true }
          state.waiting = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      resume { $0.isCancelled = true }
    }
  }

  private func resume(_ change: (inout State) -> Void) {
    let waiting = state.withLock { state in
      change(&state)
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume()
  }

  func noteCommit(_ newest: Snapshot) {
    if subscription.note(newest) { resume { $0.isDue = true } }
  }

  func noteClosing() {
    subscription.end()
    resume { $0.isDue = true }
  }

  var pins: [ListenerPin] { subscription.pins }

  func reviewPins(_ newest: Snapshot, _ budget: PinBudget) {
    subscription.review(newest, budget)
  }
}

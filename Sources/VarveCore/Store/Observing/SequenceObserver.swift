import VarveLocks
package import VarveStorage

/// An observer that requests its deliveries: the iterator of an asynchronous sequence.
///
/// Thread safety: any task may use it, one at a time.
package final class SequenceObserver<Tracker: ChangeTracker>: CommitListener {
  private struct State {
    /// Whether there may have been a commit since the last check.
    var isDue = false
    var isCancelled = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let store: Store
  package let subscription: Subscription<Tracker>
  /// Guards the state shared by the notifier and the iterating task.
  private let state = Lock(State())

  /// Starts observing.
  ///
  /// - Parameters:
  ///   - tracker: The tracker of the observed content.
  ///   - view: The view through which the content is observed.
  ///   - snapshot: The version that the observer has already read, or nil to receive an initial
  ///     delivery: the state of the version that is the newest one now.
  /// - Throws: `.closed`.
  package init(
    _ tracker: Tracker, through view: View, since snapshot: Snapshot? = nil
  ) throws(Failure) {
    store = view.store
    subscription = Subscription(
      tracker, of: store, since: snapshot,
      first: snapshot == nil ? try? store.newestSnapshot() : nil)
    try store.notifier.add(self, of: store)
  }

  deinit { subscription.end() }

  /// Returns the next delivery, as soon as there is one.
  ///
  /// - Returns: Nil when no delivery follows: the task was cancelled, the store was closed, or the
  ///   observed content does not exist any more.
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

  var isObserver: Bool { true }

  var pins: [ListenerPin] { subscription.pins }

  func reviewPins(_ newest: Snapshot, _ budget: PinBudget) {
    subscription.review(newest, budget)
  }
}

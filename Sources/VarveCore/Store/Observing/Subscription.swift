import VarveLocks
package import VarveStorage

/// The progress of an observer through the versions of a store.
///
/// Deliveries are not queued: each is computed when the observer takes it, from the last delivered
/// version and the newest one. A late observer therefore still receives exact changes, and pins
/// only one version between two deliveries.
///
/// Thread safety: a lock guards the state. It is not held while changes are computed, so only a
/// concurrent `take(upTo:)` blocks.
package final class Subscription<Tracker: ChangeTracker>: Sendable {
  private let store: Store
  /// Guards the state.
  private let state: Lock<SubscriptionState<Tracker>>

  /// - Parameters:
  ///   - tracker: The tracker of the observed content.
  ///   - store: The store of the observed content.
  ///   - snapshot: The version that the observer has already read, so that only later changes are
  ///     delivered, or nil to receive an initial delivery.
  ///   - first: The version of the initial delivery, or nil for the newest one when it is taken.
  package init(
    _ tracker: Tracker, of store: Store, since snapshot: Snapshot? = nil, first: Snapshot? = nil
  ) {
    self.store = store
    state = Lock(SubscriptionState(tracker, since: snapshot, first: first))
  }

  /// Whether there are no further deliveries.
  package var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// The last delivered version.
  package var deliveredSnapshot: Snapshot? { state.withLock { $0.delivered } }

  /// Whether a delivery is ready that was computed together with the previous one.
  var hasReady: Bool { state.withLock { $0.hasReady } }

  /// Returns whether there is a version that was not delivered.
  ///
  /// - Parameter limit: The last version to consider, or nil for no limit.
  func isBehind(upTo limit: Snapshot?) -> Bool {
    guard !hasDeliveredAll, let newest = limit ?? (try? store.newestSnapshot()) else {
      return false
    }
    return state.withLock { $0.isBehind(newest) }
  }

  /// Whether there is a version that was not delivered.
  var isBehind: Bool { isBehind(upTo: nil) }

  /// Whether no further delivery follows because the store ignores commits: it delivers only the
  /// initial state.
  private var hasDeliveredAll: Bool {
    store.options.ignoresCommits && state.withLock { $0.delivered != nil && !$0.hasReady }
  }

  /// The versions that are pinned, with a description of the observed content.
  var pins: [ListenerPin] {
    state.withLock { state in
      let subject = state.subject
      return state.pinnedTransactions.map { ListenerPin(transactionID: $0, subject: subject) }
    }
  }

  /// Takes the next delivery.
  ///
  /// - Parameter limit: The last version to deliver, or nil for no limit.
  /// - Returns: Nil when there is nothing to deliver.
  /// - Complexity: That of the changes since the last delivery.
  package func take(upTo limit: Snapshot? = nil) -> Delivery<Tracker>? {
    guard !hasDeliveredAll else { return nil }
    var newest = limit
    if newest == nil {
      do throws(Failure) {
        newest = try store.newestSnapshot()
      } catch {
        store.reportWhileObserving(error)
      }
    }
    switch state.wait(until: { $0.isWorking ? nil : $0.next(newest) }) {
    case .nothing: return nil
    case .deliver(let delivery):
      store.events.report(.delivery)
      return delivery
    case .work(var work):
      work.run(in: store)
      let delivery = state.withLock { $0.finish(work) }
      state.notify()
      if let failure = work.failure { store.reportWhileObserving(failure) }
      if delivery != nil { store.events.report(.delivery) }
      return delivery
    }
  }

  /// Ends all deliveries, and releases everything that the subscription retains.
  package func end() {
    changeState { $0.end() }
  }

  /// Changes the state in a way that may release versions. They are released after the lock.
  private func changeState<R>(_ change: (inout SubscriptionState<Tracker>) -> R) -> R {
    let (before, result) = state.withLock { state in
      let before = state
      return (before, change(&state))
    }
    return withExtendedLifetime(before) { result }
  }

  /// Notes a commit.
  ///
  /// - Returns: Whether there is a delivery to take.
  func note(_ newest: Snapshot) -> Bool { state.withLock { $0.note(newest, at: .now) } }

  /// Gives up the last delivered version when it exceeds the pin budget, and warns at half of the
  /// budget.
  func review(_ newest: Snapshot, _ budget: PinBudget) {
    let (review, subject) = changeState { ($0.review(newest, budget, at: .now), $0.subject) }
    if let review { store.logPinReview(review, of: subject) }
  }
}

/// Commits can be skipped; see ``ObserverHandle``.
extension Subscription {
  package func suspend(at base: Snapshot) { state.withLock { $0.suspend(at: base) } }

  package func resume(from base: Snapshot, skipping commit: Snapshot?) {
    changeState { $0.resume(from: base, skipping: commit) }
  }
}

package import VarveStorage

/// An observer's way through the versions of a store.
///
/// Nothing is queued: what an observer is told is worked out when it is taken, from the version told last
/// and the newest one. However late that is, it is exact, and between the two only one version is pinned.
///
/// Thread safety: a lock guards the state; it is not held while changes are worked out, so nobody waits for
/// that but who takes a delivery at the same time.
package final class Subscription<Tracker: ChangeTracker>: Sendable {
  private let store: Store
  /// Guards the state.
  private let state: Lock<SubscriptionState<Tracker>>

  /// - Parameters:
  ///   - tracker: what is observed.
  ///   - store: the store that it belongs to.
  ///   - snapshot: the version that the observer knows already: it is told only changes after it. Nil: it is told the
  ///     state first.
  package init(_ tracker: Tracker, of store: Store, knowing snapshot: Snapshot? = nil) {
    self.store = store
    state = Lock(SubscriptionState(tracker, knowing: snapshot))
  }

  /// Whether there is nothing more to be told.
  package var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// The version told last.
  package var deliveredSnapshot: Snapshot? { state.withLock { $0.delivered } }

  /// Whether a delivery is ready that was worked out with the one before.
  var hasReady: Bool { state.withLock { $0.hasReady } }

  /// Whether there is a version that was not told.
  ///
  /// - Parameter limit: a version after which nothing counts; nil: none.
  /// - Returns: whether there is one.
  func isBehind(upTo limit: Snapshot?) -> Bool {
    guard !hasDeliveredAll, let newest = limit ?? (try? store.newestSnapshot()) else {
      return false
    }
    return state.withLock { $0.isBehind(newest) }
  }

  /// Whether there is a version that was not told.
  var isBehind: Bool { isBehind(upTo: nil) }

  /// Whether nothing is told any more, because nothing but the state is told in a silent store.
  private var hasDeliveredAll: Bool {
    store.options.ignoresCommits && state.withLock { $0.delivered != nil && !$0.hasReady }
  }

  /// The versions that are held, with what is observed.
  var pins: [ListenerPin] {
    state.withLock { state in
      let subject = state.subject
      return state.heldTransactions.map { ListenerPin(transactionID: $0, subject: subject) }
    }
  }

  /// Takes the next delivery.
  ///
  /// - Parameter limit: a version after which nothing is told; nil: none.
  /// - Returns: nil when there is nothing to tell.
  /// - Complexity: that of the changes since the last delivery.
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
    case .deliver(let delivery): return delivery
    case .work(var work):
      work.run(in: store)
      let delivery = state.withLock { $0.finish(work) }
      state.notify()
      if let failure = work.failure { store.reportWhileObserving(failure) }
      return delivery
    }
  }

  /// Has the observer hear nothing more, and lets go of all that it holds.
  package func end() {
    changeState { $0.end() }
  }

  /// Changes the state in a way that lets go of versions: they end after the lock.
  private func changeState<R>(_ change: (inout SubscriptionState<Tracker>) -> R) -> R {
    let (before, result) = state.withLock { state in
      let before = state
      return (before, change(&state))
    }
    return withExtendedLifetime(before) { result }
  }

  /// Notes that somebody committed.
  ///
  /// - Returns: whether there is something to take.
  func note(_ newest: Snapshot) -> Bool { state.withLock { $0.note(newest, at: .now) } }

  /// Gives up the version told last when it costs more than it may, and warns when it costs half of that.
  func review(_ newest: Snapshot, _ budget: PinBudget) {
    let (review, subject) = changeState { ($0.review(newest, budget, at: .now), $0.subject) }
    if let review { store.logPinReview(review, of: subject) }
  }
}

/// One commit can be left out, see ``ObserverHandle``.
extension Subscription {
  package func suspend(at base: Snapshot) { state.withLock { $0.suspend(at: base) } }

  package func resume(from base: Snapshot, skipping commit: Snapshot?) {
    changeState { $0.resume(from: base, skipping: commit) }
  }
}

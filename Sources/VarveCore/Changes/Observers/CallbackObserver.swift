import Synchronization
package import VarveStorage

/// An observer that is called, on a queue or an actor.
///
/// Its owner is a token: when that is dropped, the observer is. What waits on the queue holds it weakly.
///
/// Thread safety: any thread may use it. Calls come one at a time, on a concurrent queue too.
package final class CallbackObserver<Tracker: ChangeTracker>: CommitListener {
  package typealias Callback = @Sendable (Delivery<Tracker>) -> Void

  package let store: Store
  package let subscription: Subscription<Tracker>
  private let place: DeliveryPlace
  /// Moved to the version of each delivery before the callback runs.
  private weak let view: View?
  private let callback: Callback
  /// Whether a job waits or runs already.
  private let isEnqueued = Atomic<Bool>(false)
  private let isInvalidated = Atomic<Bool>(false)
  /// The newest version, by its transaction, that the notifier told of.
  private let noted = Atomic<UInt64>(0)
  /// Since when there is something that was not told.
  private let behindSince = Lock<ContinuousClock.Instant?>(nil)

  /// Starts observing.
  ///
  /// - Parameters:
  ///   - tracker: what to observe.
  ///   - view: the view to move along. It is held weakly.
  ///   - snapshot: the version that the observer knows already; nil: it is told the state first.
  ///   - place: where to call.
  ///   - callback: what to call.
  /// - Throws: `.closed`.
  package init(
    _ tracker: Tracker, through view: View, knowing snapshot: Snapshot? = nil,
    at place: DeliveryPlace, _ callback: @escaping Callback
  ) throws(Failure) {
    store = view.store
    subscription = Subscription(tracker, of: view.store, knowing: snapshot)
    self.place = place
    self.view = view
    self.callback = callback
    try store.notifier.add(self, of: store)
    enqueue()
  }

  deinit { invalidate() }

  /// No callback begins after this.
  package func invalidate() {
    isInvalidated.store(true, ordering: .releasing)
    subscription.end()
  }

  func noteCommit(_ newest: Snapshot) {
    // The notifier also tells when nothing was committed.
    guard noted.exchange(newest.transactionID, ordering: .relaxed) < newest.transactionID else {
      return enqueue()
    }
    behindSince.withLock { $0 = $0 ?? .now }
    enqueue()
  }

  func noteClosing() { invalidate() }

  func reviewPins(_ newest: Snapshot, _ budget: PinBudget) {
    guard let since = behindSince.withLock({ $0 }) else { return }
    subscription.review(newest, behindFor: since.duration(to: .now), budget)
  }

  func enqueue() {
    guard !isEnqueued.exchange(true, ordering: .acquiringAndReleasing) else { return }
    // Nobody can be called where there is no actor any more.
    if !place.run({ [weak self] in self?.deliver() }) { invalidate() }
  }

  /// The job.
  private func deliver() {
    behindSince.withLock { $0 = nil }
    repeat {
      guard let delivery = subscription.take(), !isInvalidated.load(ordering: .acquiring) else {
        break
      }
      _ = view?.pin.advance(to: delivery.snapshot)
      callback(delivery)
    } while subscription.hasReady
    isEnqueued.store(false, ordering: .releasing)
    // What was committed meanwhile found the job running.
    if subscription.isBehind { enqueue() }
  }
}

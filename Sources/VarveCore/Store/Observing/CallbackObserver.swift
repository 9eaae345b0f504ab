import Synchronization
package import VarveStorage

/// An observer that is called, on a queue or an actor.
///
/// Its owner is a token: when that is dropped, the observer is. What waits on the queue holds it weakly.
///
/// Thread safety: any thread may use it. Calls come one at a time, on a concurrent queue too.
package final class CallbackObserver<Tracker: ChangeTracker>: CommitListener {
  package typealias Callback = @Sendable (Delivery<Tracker>) -> Void

  /// Who is called, and the view that is moved to the version of each delivery before.
  private struct Target {
    let view: View
    let callback: Callback
    let whenHeld: (@Sendable () -> Void)?
  }

  package let store: Store
  package let subscription: Subscription<Tracker>
  private let job: CoalescingJob
  /// Guards the target; nil when nobody is called any more.
  private let target: Lock<Target?>
  /// The newest version, by its transaction, that the view was found behind of while commits do not move it. Only the
  /// job changes it.
  private let passedBy = Atomic<UInt64>(0)

  /// Starts observing.
  ///
  /// - Parameters:
  ///   - tracker: what to observe.
  ///   - view: the view to move along. It is kept as long as anybody is called.
  ///   - snapshot: the version that the observer knows already; nil: it is told the state first.
  ///   - place: where to call.
  ///   - whenHeld: called for commits that do not move the view, because it does not follow any.
  ///   - callback: what to call.
  /// - Throws: `.closed`.
  package init(
    _ tracker: Tracker, through view: View, knowing snapshot: Snapshot? = nil,
    at place: DeliveryExecutor, whenHeld: (@Sendable () -> Void)? = nil,
    _ callback: @escaping Callback
  ) throws(Failure) {
    store = view.store
    subscription = Subscription(tracker, of: view.store, knowing: snapshot)
    job = CoalescingJob(at: place)
    target = Lock(Target(view: view, callback: callback, whenHeld: whenHeld))
    try store.notifier.add(self, of: store)
    enqueue()
  }

  deinit { invalidate() }

  /// No callback begins after this. Lets go of the callback, and of all that it holds.
  ///
  /// - Returns: false when that was done before.
  @discardableResult
  package func invalidate() -> Bool {
    // Released after the lock: what the callback holds may do anything when it goes.
    let released = target.withLock { target in
      defer { target = nil }
      return target
    }
    subscription.end()
    return released != nil
  }

  func noteCommit(_ newest: Snapshot) {
    if subscription.note(newest) { enqueue() }
  }

  func noteClosing() { invalidate() }

  var pins: [ListenerPin] { subscription.pins }

  func reviewPins(_ newest: Snapshot, _ budget: PinBudget) {
    subscription.review(newest, budget)
  }

  func enqueue() {
    // Nobody can be called where there is no actor any more.
    if !job.enqueue({ [weak self] in self?.deliver() }) { invalidate() }
  }

  /// The job.
  private func deliver() {
    repeat {
      guard let delivery = subscription.take(upTo: limit), let target = target.withLock({ $0 })
      else {
        break
      }
      _ = target.view.pin.advance(to: delivery.snapshot)
      target.callback(delivery)
    } while subscription.hasReady
    if subscription.hasEnded {
      invalidate()
      return
    }
    // A view that nobody reads pins no more than the observer, also where there is nothing to tell.
    if let delivered = subscription.deliveredSnapshot, let view = target.withLock({ $0?.view }) {
      view.pin.advanceIfIdle(to: delivered, idleTicks: store.idleTicks)
    }
    notifyHeld()
    if subscription.isBehind(upTo: limit) { enqueue() }
  }

  /// The version of a view that commits do not move: nothing after it is told.
  private var limit: Snapshot? {
    guard let view = target.withLock({ $0?.view }), !view.followsCommits else { return nil }
    return view.pin.moving.retained()
  }

  /// Tells, once for each version, that there is a newer one than that of a view that commits do not move.
  private func notifyHeld() {
    guard let whenHeld = target.withLock({ $0?.whenHeld }), let limit,
      let newest = try? store.newestSnapshot(), newest.transactionID > limit.transactionID,
      passedBy.exchange(newest.transactionID, ordering: .relaxed) < newest.transactionID
    else { return }
    whenHeld()
  }
}

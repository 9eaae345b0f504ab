import Synchronization
import VarveLocks
package import VarveStorage

/// An observer that calls a closure on a queue or an actor.
///
/// Its owner is a notification token: the observer is deallocated with the token. Jobs waiting on
/// the queue reference it weakly.
///
/// Thread safety: any thread may use it. Calls are serialized, even on a concurrent queue.
package final class CallbackObserver<Tracker: ChangeTracker>: CommitListener {
  package typealias Callback = @Sendable (Delivery<Tracker>) -> Void

  /// The closure to call, and the view that is moved to the version of each delivery before the
  /// call.
  private struct Target {
    let view: View
    let callback: Callback
    let onRefreshRequired: (@Sendable () -> Void)?
  }

  package let store: Store
  package let subscription: Subscription<Tracker>
  private let job: CoalescingJob
  /// Guards the target, which is nil once the observer is invalidated.
  private let target: Lock<Target?>
  /// The newest version, by its transaction, for which `onRefreshRequired` was called because
  /// commits do not move the view. Only the job changes it.
  private let passedBy = Atomic<UInt64>(0)

  /// Starts observing.
  ///
  /// - Parameters:
  ///   - tracker: The tracker of the observed content.
  ///   - view: The view that deliveries move. It is retained until the observer is invalidated.
  ///   - snapshot: The version that the observer has already read, or nil to receive an initial
  ///     delivery: the state of the version that is the newest one now or, if commits do not move
  ///     the view, of the version that it reads.
  ///   - executor: The queue or actor to call on.
  ///   - onRefreshRequired: Called for commits that do not move the view, because the view does not
  ///     follow commits.
  /// - Throws: `.closed`.
  package init(
    _ tracker: Tracker, through view: View, since snapshot: Snapshot? = nil,
    at executor: DeliveryExecutor, onRefreshRequired: (@Sendable () -> Void)? = nil,
    _ callback: @escaping Callback
  ) throws(Failure) {
    store = view.store
    subscription = Subscription(
      tracker, of: view.store, since: snapshot,
      first: snapshot == nil ? view.observedSnapshot : nil)
    job = CoalescingJob(at: executor)
    target = Lock(Target(view: view, callback: callback, onRefreshRequired: onRefreshRequired))
    view.pin.observers.add(1, ordering: .relaxed)
    try store.notifier.add(self, of: store)
    enqueue()
  }

  deinit { invalidate() }

  /// Ends the observer: no callback begins afterwards. Releases the callback and everything that it
  /// captures.
  ///
  /// - Returns: False when the observer was already invalidated.
  @discardableResult
  package func invalidate() -> Bool {
    // Released after the lock: deinitializers of captured objects may run any code.
    let released = target.withLock { target in
      defer { target = nil }
      return target
    }
    subscription.end()
    released?.view.pin.observers.subtract(1, ordering: .relaxed)
    return released != nil
  }

  func noteCommit(_ newest: Snapshot) {
    if subscription.note(newest) { enqueue() }
  }

  func noteClosing() { invalidate() }

  var isObserver: Bool { true }

  var pins: [ListenerPin] { subscription.pins }

  func reviewPins(_ newest: Snapshot, _ budget: PinBudget) {
    subscription.review(newest, budget)
  }

  func enqueue() {
    // The actor was deallocated, so no callback can run.
    if !job.enqueue({ [weak self] in self?.deliver() }) { invalidate() }
  }

  /// The body of the job.
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
    // An unread view pins no more than the observer does, even when there is nothing to deliver.
    if let delivered = subscription.deliveredSnapshot, let view = target.withLock({ $0?.view }) {
      view.pin.advance(to: delivered, ifUnreadFor: store.idleTicks)
    }
    notifyRefreshRequired()
    if subscription.isBehind(upTo: limit) { enqueue() }
  }

  /// The version of a view that commits do not move, after which nothing is delivered; nil for
  /// other views.
  private var limit: Snapshot? {
    guard let view = target.withLock({ $0?.view }), !view.followsCommits else { return nil }
    return view.pin.moving.retained()
  }

  /// Calls `onRefreshRequired`, once per version, when there is a newer version than that of a view
  /// that commits do not move.
  private func notifyRefreshRequired() {
    guard let onRefreshRequired = target.withLock({ $0?.onRefreshRequired }), let limit,
      let newest = try? store.newestSnapshot(), newest.transactionID > limit.transactionID,
      passedBy.exchange(newest.transactionID, ordering: .relaxed) < newest.transactionID
    else { return }
    onRefreshRequired()
  }
}

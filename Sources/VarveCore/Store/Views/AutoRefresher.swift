import Synchronization
import VarveStorage

/// Moves a view to the newest version after each commit, by one job on the view's queue or actor.
///
/// The view owns it. The notifier and the jobs reference it weakly, and it references its actor
/// weakly: a dropped view pins nothing, and an actor that owns its view is deallocated.
///
/// Thread safety: any thread may use it.
package final class AutoRefresher: CommitListener {
  let store: Store
  private let pin: ViewPin
  let executor: DeliveryExecutor
  private let job: CoalescingJob

  init(_ pin: ViewPin, of store: Store, at executor: DeliveryExecutor) {
    self.pin = pin
    self.store = store
    self.executor = executor
    job = CoalescingJob(at: executor)
  }

  /// Enqueues the job, unless it is waiting already or the view is at the version.
  func noteCommit(_ newest: Snapshot) {
    guard !pin.isStationary.load(ordering: .relaxed),
      pin.moving.retained().transactionID < newest.transactionID
    else { return }
    job.enqueue { [weak self] in self?.refresh() }
  }

  /// The body of the job.
  private func refresh() {
    // The user's next refresh or write reports a version that cannot be read.
    guard !pin.isStationary.load(ordering: .relaxed), let newest = try? store.newestSnapshot()
    else {
      return
    }
    _ = pin.advance(to: newest)
  }
}

import Synchronization
import VarveStorage

/// Moves a view to the newest version, by one job on the view's queue or actor, when anybody has
/// committed.
///
/// It belongs to its view. The notifier and the jobs hold it weakly, and it holds its actor weakly: a view
/// that is dropped pins nothing, and an actor that owns its view is freed.
///
/// Thread safety: any thread may use it.
package final class AutoRefresher: CommitListener {
  let store: Store
  private let pin: ViewPin
  let place: DeliveryExecutor
  private let job: CoalescingJob

  init(_ pin: ViewPin, of store: Store, at place: DeliveryExecutor) {
    self.pin = pin
    self.store = store
    self.place = place
    job = CoalescingJob(at: place)
  }

  /// Enqueues the job, unless it waits already or the view is at the version.
  func noteCommit(_ newest: Snapshot) {
    guard !pin.isHeld.load(ordering: .relaxed),
      pin.moving.retained().transactionID < newest.transactionID
    else { return }
    job.enqueue { [weak self] in self?.refresh() }
  }

  /// The job.
  private func refresh() {
    // A version that cannot be read is told by the next refresh or write of the user.
    guard !pin.isHeld.load(ordering: .relaxed), let newest = try? store.newestSnapshot() else {
      return
    }
    _ = pin.advance(to: newest)
  }
}

import Dispatch
import VarveStorage

/// Moves a view to the newest version after each commit, as long as it has tracked reads.
///
/// The table of the view owns it, and it owns the table and the store, until nothing is tracked or
/// the store is closed.
///
/// Thread safety: any thread may use it.
final class TrackedViewRefresher: CommitListener {
  private weak let tracking: ReadTracking?
  private let table: TrackedReadTable
  private let store: Store
  /// The queue on which the view is moved and its observers are notified. No other callbacks run on
  /// it, so a callback that blocks does not prevent other views from moving.
  private let job = CoalescingJob(at: .queue(DispatchQueue(label: "varve.tracking")))

  init(_ tracking: ReadTracking, _ table: TrackedReadTable, of store: Store) {
    self.tracking = tracking
    self.table = table
    self.store = store
  }

  func noteCommit(_ newest: Snapshot) {
    // A later tracked read makes another refresher.
    guard !table.endFollowing() else { return }
    guard let current = tracking?.moving.retained(), current.transactionID < newest.transactionID
    else { return }
    enqueue()
  }

  func noteClosing() { table.release(self) }

  /// Enqueues a move of the view.
  func enqueue() { job.enqueue { [weak self] in self?.follow() } }

  /// The body of the job.
  private func follow() {
    // The user's next refresh or write reports a version that cannot be read.
    guard let tracking, tracking.tryFollow(), let newest = try? store.newestSnapshot() else {
      return
    }
    _ = tracking.advance(to: newest)
  }
}

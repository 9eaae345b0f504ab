import Dispatch
import VarveStorage

/// Moves a view to the newest version when anybody commits, as long as something is tracked in it.
///
/// The table of the view holds it, and it holds the table and the store, until nothing is tracked or the store is
/// closed.
///
/// Thread safety: any thread may use it.
final class TrackedViewRefresher: CommitListener {
  private weak let tracking: ReadTracking?
  private let table: TrackedReadTable
  private let store: Store
  /// Where the view is moved and those who track are told: none but their own callbacks run here, so that one
  /// that blocks keeps no other view from moving.
  private let job = CoalescingJob(at: .queue(DispatchQueue(label: "varve.tracking")))

  init(_ tracking: ReadTracking, _ table: TrackedReadTable, of store: Store) {
    self.tracking = tracking
    self.table = table
    self.store = store
  }

  func noteCommit(_ newest: Snapshot) {
    // Who tracks something from now on makes another follower.
    guard !table.endFollowing() else { return }
    guard let current = tracking?.moving.retained(), current.transactionID < newest.transactionID
    else { return }
    enqueue()
  }

  func noteClosing() { table.release(self) }

  /// Has the view moved.
  func enqueue() { job.enqueue { [weak self] in self?.follow() } }

  /// The job.
  private func follow() {
    // A version that cannot be read is told by the next refresh or write of the user.
    guard let tracking, tracking.tryFollow(), let newest = try? store.newestSnapshot() else {
      return
    }
    _ = tracking.advance(to: newest)
  }
}

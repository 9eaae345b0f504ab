import Observation
import Synchronization
import VarveEncoding
import VarveLocks
import VarveStorage

/// The tracked reads through one view, and the registrar of their observers.
///
/// The view has one registrar, because handles are short-lived. A read is the argument of a key
/// path into this object: ``TrackedRead``.
///
/// Thread safety: any thread may use it. No lock is held, and no snapshot announced in a hazard
/// slot, while observers are notified.
package final class ReadTracking: Sendable {
  let registrar = ObservationRegistrar()
  let table = TrackedReadTable()
  let moving: MovingSnapshot
  let store: Store
  /// Whether an automatic refresher moves the view after each commit.
  private let isRefreshed: Bool
  /// The counterpart of `ViewPin.wasRead`, which views without tracking use.
  private let wasRead = Atomic<Bool>(true)

  private struct Holding {
    var count = 0
    /// Whether the refresher found the view held.
    var isPostponed = false
  }
  /// Guards the number of threads and writes that hold the view.
  private let holding = Lock(Holding())

  init(_ moving: MovingSnapshot, of store: Store, isRefreshed: Bool) {
    self.moving = moving
    self.store = store
    self.isRefreshed = isRefreshed
  }

  /// The observable property that a read is registered under.
  subscript(read: TrackedRead) -> Bool { true }

  subscript(probe: TrackingScope.Probe) -> Bool { true }

  /// Tracks a read of the calling thread, if it is inside `withObservationTracking`.
  ///
  /// Called before the snapshot is read, so that a move in between is notified.
  /// - Precondition: The thread announces no snapshot.
  func note(_ key: @autoclosure () -> TrackedKey, _ content: @autoclosure () -> TrackedContent) {
    guard TrackingScope.isActive(self), !ProcessFork.isChild else { return }
    let (read, follower) = table.read(key(), content, at: { moving.retained() }) {
      isRefreshed ? nil : TrackedViewRefresher(self, table, of: store)
    }
    registrar.access(self, keyPath: path(of: read))
    if let follower { start(follower) }
  }

  private func start(_ follower: TrackedViewRefresher) {
    do throws(Failure) {
      try store.notifier.add(follower, of: store)
      // For a commit made before the refresher was added.
      follower.enqueue()
    } catch {
      // The store is closed: the view is not moved any more.
      table.release(follower)
    }
  }

  func path(of read: TrackedRead) -> KeyPath<ReadTracking, Bool> { \ReadTracking[read] }

  /// Prevents the refresher from moving the view until ``release()``.
  ///
  /// Every mover holds the view, and so does a write that the view takes part in and moves at its
  /// end. If the refresher moved the view in between, observers would read a version that they were
  /// not notified of.
  func hold() { holding.withLock { $0.count += 1 } }

  /// Ends ``hold()``.
  func release() {
    let wasPostponed = holding.withLock { holding in
      holding.count -= 1
      guard holding.count == 0, holding.isPostponed else { return false }
      holding.isPostponed = false
      return true
    }
    if wasPostponed { table.follower?.enqueue() }
  }

  /// Returns whether the refresher may move the view. If not, it is enqueued again when the view is
  /// no longer held.
  func tryFollow() -> Bool {
    holding.withLock { holding in
      if holding.count > 0 { holding.isPostponed = true }
      return holding.count == 0
    }
  }

  /// Records that the view is in use.
  func noteUse() {
    if !wasRead.load(ordering: .relaxed) { wasRead.store(true, ordering: .relaxed) }
  }

  /// Whether a change of a read is being tracked.
  var isWatched: Bool { !table.isEmpty }

  /// Returns whether the view was in use since the last call. A view with tracked reads is always
  /// in use: the notifier causes it to be moved.
  func takeUse() -> Bool { wasRead.exchange(false, ordering: .relaxed) || isWatched }
}

extension ReadTracking {
  /// The number of tracked reads.
  package var trackedCount: Int { table.count }
}

extension ReadTracking: Observable {}

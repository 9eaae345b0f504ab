import Observation
import Synchronization
import VarveEncoding
import VarveStorage

/// What is tracked of the reads through one view, and who is to be told.
///
/// There is one registrar for the view, since handles come and go. What is read is the argument of a key path
/// into this object: ``TrackedRead``.
///
/// Thread safety: any thread may use it. No lock is held, and no snapshot announced, while those who track
/// something are told.
package final class ReadTracking: Sendable {
  let registrar = ObservationRegistrar()
  let table = TrackedReadTable()
  let moving: MovingSnapshot
  let store: Store
  /// Whether somebody else moves the view when anybody commits.
  private let isRefreshed: Bool
  /// As `ViewPin.wasRead` of views that track nothing.
  private let wasRead = Atomic<Bool>(true)

  private struct Holding {
    var count = 0
    /// Whether the follower found the view held.
    var isPostponed = false
  }
  /// Guards who moves the view or is about to.
  private let holding = Mutex(Holding())

  init(_ moving: MovingSnapshot, of store: Store, isRefreshed: Bool) {
    self.moving = moving
    self.store = store
    self.isRefreshed = isRefreshed
  }

  /// The subject that a read is registered under.
  subscript(read: TrackedRead) -> Bool { true }

  subscript(probe: TrackingScope.Probe) -> Bool { true }

  /// Notes a read of the calling thread, if it is inside `withObservationTracking`.
  ///
  /// Called before the snapshot is looked at: a move in between is then told of.
  /// - Precondition: the thread announces no snapshot.
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
      // A commit that came before.
      follower.enqueue()
    } catch {
      // The store is closed: the view moves no more.
      table.release(follower)
    }
  }

  func path(of read: TrackedRead) -> KeyPath<ReadTracking, Bool> { \ReadTracking[read] }

  /// Keeps the follower from moving the view, until ``release()``.
  ///
  /// Whoever moves the view holds it, and so does a write that the view takes part in, which moves it at its
  /// end: if the follower came in between, those who are told would read a version that they were not told of.
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

  /// Returns whether the follower may move the view. If not, it is enqueued again when nobody holds the view.
  func tryFollow() -> Bool {
    holding.withLock { holding in
      if holding.count > 0 { holding.isPostponed = true }
      return holding.count == 0
    }
  }

  /// Notes that the view is in use.
  func noteUse() {
    if !wasRead.load(ordering: .relaxed) { wasRead.store(true, ordering: .relaxed) }
  }

  /// Whether somebody waits for a change of what was read.
  var isWatched: Bool { !table.isEmpty }

  /// Whether the view was in use since the last call. One in which something is tracked is: the notifier has
  /// it moved.
  func takeUse() -> Bool { wasRead.exchange(false, ordering: .relaxed) || isWatched }
}

extension ReadTracking {
  /// How many reads are tracked.
  package var trackedCount: Int { table.count }
}

extension ReadTracking: Observable {}

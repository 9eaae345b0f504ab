import Synchronization
import VarveLocks
package import VarveStorage

/// The snapshot that a live view reads, which moves at defined points.
///
/// Shared by the view, by the contexts of its handles and by the store's list of views.
///
/// Thread safety: any thread may read through it while another moves it.
package final class ViewPin: Sendable {
  /// The snapshot, for reading. Only ``advance(to:)`` moves it.
  package let moving: MovingSnapshot
  /// Set by every read and cleared by the housekeeper, which moves an unread view to the newest
  /// version. Never set in a view that tracks reads, so that each of its reads is noted.
  private let wasRead: Atomic<Bool>
  /// The tracked reads; nil for a view that does not track reads.
  package let tracking: ReadTracking?
  /// The serial number of the last transaction that the view took part in. Only the thread that
  /// runs a transaction of the store uses it.
  let lastTransaction = Atomic<UInt64>(0)
  /// The number of housekeeping ticks since the last read. Only the housekeeper changes it.
  let unreadTicks = Atomic<Int>(0)
  /// The version at which the housekeeper found the view behind, and for how many ticks. Only the
  /// housekeeper changes them.
  let laggingTransaction = Atomic<UInt64>(0)
  let lagTicks = Atomic<Int>(0)
  /// Whether a queue or actor moves the view after each commit.
  let isRefreshed: Bool
  /// Whether commits do not move the view: only its user does, by refreshing it and by writing.
  let isStationary = Atomic<Bool>(false)
  /// Whether everything that was reached from the view is permanently invalidated.
  let invalidation = Atomic<Bool>(false)
  /// The thread, as `ThreadIdentity`, whose begun write the view keeps open: the thread that made
  /// the view, or the last one in whose begun write it took part.
  let thread = Atomic<UInt>(ThreadIdentity.current)

  /// Whether the view was invalidated.
  package var isInvalidated: Bool { invalidation.load(ordering: .relaxed) }

  init(_ snapshot: Snapshot, of store: Store, isRefreshed: Bool, isTracking: Bool) {
    moving = MovingSnapshot(snapshot)
    tracking = isTracking ? ReadTracking(moving, of: store, isRefreshed: isRefreshed) : nil
    self.isRefreshed = isRefreshed
    wasRead = Atomic(!isTracking)
  }

  /// Moves the view to a version, unless it is there already or at a later one. Of racing movers,
  /// the one with the latest version wins.
  ///
  /// Every move uses this method: a refresh, a write that the view takes part in, a commit that its
  /// queue or actor is notified of, the housekeeper.
  ///
  /// Observers of differing reads are called on the calling thread, which must hold no lock.
  /// - Returns: Whether the view moved.
  /// - Complexity: O(threads), and an interrupt of each running thread; O(1) when it returns false.
  package func advance(to snapshot: Snapshot) -> Bool {
    guard let tracking else { return moving.advance(to: snapshot) }
    return tracking.advance(to: snapshot)
  }

  /// Moves the view as ``advance(to:)`` does, if it is idle; otherwise does nothing. Views that
  /// track reads are excluded, because they have their own mover.
  ///
  /// - Parameters:
  ///   - snapshot: The version.
  ///   - idleTicks: The number of ticks without a read after which a view is idle.
  func advanceIfIdle(to snapshot: Snapshot, idleTicks: Int) {
    guard tracking == nil, !isStationary.load(ordering: .relaxed),
      !wasRead.load(ordering: .relaxed),
      unreadTicks.load(ordering: .relaxed) >= idleTicks
    else { return }
    _ = advance(to: snapshot)
  }

  /// Whether a read must be noted: the first one after the housekeeper's check, and every one where
  /// reads are tracked.
  @inline(__always)
  var mustNoteRead: Bool {
    // Loaded first, because a word that no thread writes stays in every core's cache.
    _slowPath(!wasRead.load(ordering: .relaxed))
  }

  /// Notes that the view is in use.
  @inline(__always)
  func noteRead() {
    if mustNoteRead { noteUse() }
  }

  @inline(never)
  func noteUse() {
    if let tracking {
      tracking.noteUse()
    } else {
      wasRead.store(true, ordering: .relaxed)
    }
  }

  /// Returns whether the view was read since the last call. Only the housekeeper calls it.
  func takeUse() -> Bool {
    guard let tracking else { return wasRead.exchange(false, ordering: .relaxed) }
    return tracking.takeUse()
  }
}

/// A live view of a store: everything reached from it reads the version that it pins.
///
/// A view moves only at defined points: by `refresh()`, at the begin and the commit of a write that
/// it takes part in, by a job on its queue or actor when it was made with one, and by the
/// housekeeper when it was not read for some seconds or has been behind for longer. It never moves
/// back: of racing movers, the newest version wins.
///
/// Thread safety: any thread may use it.
package final class View: Sendable {
  package let store: Store
  package let pin: ViewPin
  private let listIndex: Int
  /// The object that moves the view after each commit; nil for a view without a queue or an actor.
  let refresher: AutoRefresher?
  /// Guards the position of this view in a chain of views that replaced each other.
  let succession = Lock<Succession.State>(.none)

  /// - Parameters:
  ///   - store: The store.
  ///   - snapshot: The version that the view begins with.
  ///   - refreshing: The queue or actor that moves the view after each commit, or nil for none.
  ///   - isTracking: Whether reads inside `withObservationTracking` are tracked.
  package init(
    store: Store, snapshot: Snapshot, refreshedAt refreshing: DeliveryExecutor? = nil,
    isTracking: Bool = false
  ) {
    self.store = store
    let pin = ViewPin(
      snapshot, of: store, isRefreshed: refreshing != nil, isTracking: isTracking)
    self.pin = pin
    listIndex = store.views.insert(pin)
    refresher = refreshing.map { AutoRefresher(pin, of: store, at: $0) }
  }

  deinit {
    // The successor takes over the begun write that this view kept open, before this view is
    // removed from the list. It is retained meanwhile: a successor that is being deallocated would
    // have handed on nothing.
    let next = _slowPath(pin.isInvalidated) ? current : nil
    if let next { store.begunWrite.handOver(from: pin, to: next.pin) }
    store.views.remove(at: listIndex)
    store.cancelManualWrite(of: pin)
    withExtendedLifetime(next) {}
  }

  /// The version that the view reads now.
  package var snapshot: Snapshot {
    pin.noteRead()
    return pin.moving.retained()
  }

  /// Moves the view to the newest version.
  ///
  /// - Returns: Whether the version changed.
  /// - Throws: A storage failure; the view then stays at its version.
  package func refresh() throws(Failure) -> Bool {
    let newest = try store.newestSnapshot()
    pin.noteRead()
    let hasMoved = pin.advance(to: newest)
    if hasMoved {
      notifyObservers()
      store.fillDefaults(upTo: newest)
    }
    return hasMoved
  }

  /// Whether commits move the view. While they do not, observers through the view are notified only
  /// up to the version that it has been moved to.
  package var followsCommits: Bool {
    get { !pin.isStationary.load(ordering: .relaxed) }
    set {
      guard pin.isStationary.exchange(!newValue, ordering: .acquiringAndReleasing) == newValue
      else {
        return
      }
      if newValue { pin.tracking?.release() } else { pin.tracking?.hold() }
      guard newValue, let newest = try? store.newestSnapshot() else { return }
      refresher?.noteCommit(newest)
      store.notifier.renotify(newest)
    }
  }

  /// The version whose state an observer that begins now receives first: the newest one or, while
  /// commits do not move the view, that of the view. Nil when the newest one cannot be read.
  var observedSnapshot: Snapshot? {
    followsCommits ? try? store.newestSnapshot() : pin.moving.retained()
  }

  /// Wakes observers that follow the version of this view, because commits do not move it.
  func notifyObservers() {
    if pin.isStationary.load(ordering: .relaxed) { store.notifier.renotify(pin.moving.retained()) }
  }
}

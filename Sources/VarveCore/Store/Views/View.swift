import Synchronization
import VarveLocks
package import VarveStorage

/// The snapshot that a live view reads, which moves at defined points.
///
/// Shared by the view, by the contexts of its handles and by the store's list of views.
///
/// Thread safety: any thread may read through it while another moves it.
package final class ViewPin: Sendable {
  /// The snapshot, for reading. ``advance(to:)`` moves it, and the moves of many views at once:
  /// of those that took part in a write, that are idle, or that are invalidated.
  package let moving: MovingSnapshot
  /// Set by every read, and cleared when the store looks for idle views. Never set in a view that
  /// tracks reads, so that each of its reads is noted.
  private let wasRead: Atomic<Bool>
  /// The tracked reads; nil for a view that does not track reads.
  package let tracking: ReadTracking?
  /// The serial number of the last transaction that the view took part in. Only the thread that
  /// runs a transaction of the store uses it.
  let lastTransaction = Atomic<UInt64>(0)
  /// The time of the last round that found the view read. Only a round changes it.
  private let lastUse = Atomic<IdleViews.Time>(0)
  /// Whether the view was idle in the last round, and was not read since.
  private let idle = Atomic<Bool>(false)
  /// The number of observers whose deliveries move the view.
  let observers = Atomic<Int>(0)
  /// The number of housekeeping ticks since the last read, of a view that does not move when it is
  /// idle. Only the housekeeper changes it.
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
  /// A refresh uses this method, a commit that the queue or actor of the view is notified of, and
  /// the housekeeper.
  ///
  /// Observers of differing reads are called on the calling thread, which must hold no lock.
  /// - Returns: Whether the view moved.
  /// - Complexity: O(threads), and an interrupt of each running thread; O(1) when it returns false.
  package func advance(to snapshot: Snapshot) -> Bool {
    guard let tracking else { return moving.advance(to: snapshot) }
    return tracking.advance(to: snapshot)
  }

  /// Whether only its user moves the view. Nobody can read an invalidated one.
  var staysUntilRefreshed: Bool { isStationary.load(ordering: .relaxed) && !isInvalidated }

  /// Whether the view is moved as soon as it is idle. Others have their own movers: observers, a
  /// queue or an actor, the tracking of reads, or only their user.
  var movesWhenIdle: Bool {
    tracking == nil && !isRefreshed && !staysUntilRefreshed
      && observers.load(ordering: .relaxed) == 0
  }

  /// Returns the time since the last round that found the view read; 0 for this round. Only a round
  /// calls it.
  func noteRound(at now: IdleViews.Time) -> IdleViews.Time {
    if takeUse() { lastUse.store(now, ordering: .relaxed) }
    return max(0, now - lastUse.load(ordering: .relaxed))
  }

  /// Whether the view has not been read since a round found it idle.
  var isIdle: Bool { idle.load(ordering: .sequentiallyConsistent) }

  /// Records the result of a round.
  ///
  /// - Returns: Whether the view is idle: false if it has been read in the meantime.
  func setIdle(_ isIdle: Bool) -> Bool {
    idle.store(isIdle, ordering: .sequentiallyConsistent)
    guard isIdle, wasRead.load(ordering: .sequentiallyConsistent) else { return isIdle }
    idle.store(false, ordering: .sequentiallyConsistent)
    return false
  }

  /// Moves the view as ``advance(to:)`` does, if it was not read for a number of ticks; otherwise
  /// does nothing. Views that track reads are excluded, because they have their own mover.
  ///
  /// - Parameters:
  ///   - snapshot: The version.
  ///   - ticks: The number of ticks.
  func advance(to snapshot: Snapshot, ifUnreadFor ticks: Int) {
    guard tracking == nil, !staysUntilRefreshed, !wasRead.load(ordering: .relaxed),
      unreadTicks.load(ordering: .relaxed) >= ticks
    else { return }
    _ = advance(to: snapshot)
  }

  /// Whether a read must be noted: the first one after a round or a tick, and every one where reads
  /// are tracked.
  @inline(__always)
  var mustNoteRead: Bool {
    // Loaded first, because a word that no thread writes stays in every core's cache.
    _slowPath(!wasRead.load(ordering: .relaxed))
  }

  /// Notes that the view is in use.
  ///
  /// - Returns: Whether it was idle, so that it must move before the read.
  func noteUse() -> Bool {
    if let tracking {
      tracking.noteUse()
      return false
    }
    // A round that does not see the read has stored `idle` before the exchange.
    wasRead.store(true, ordering: .sequentiallyConsistent)
    return idle.exchange(false, ordering: .sequentiallyConsistent) && movesWhenIdle
  }

  /// Returns whether the view was read since the last call. Only a round or the housekeeper calls
  /// it.
  func takeUse() -> Bool {
    guard let tracking else { return wasRead.exchange(false, ordering: .relaxed) }
    return tracking.takeUse()
  }
}

/// A live view of a store: everything reached from it reads the version that it pins.
///
/// A view moves only at defined points: by `refresh()`, at the begin and the commit of a write that
/// it takes part in, by a job on its queue or actor when it was made with one, with the commits
/// when it was not read for some milliseconds, and by the housekeeper when it has been behind for
/// longer. It never moves back: of racing movers, the newest version wins.
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
    store.idleViews.noteYoungView()
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
    noteRead()
    return pin.moving.retained()
  }

  @inline(__always)
  private func noteRead() {
    if pin.mustNoteRead { noteUse() }
  }

  /// Notes that the view is in use. An idle view moves to the newest version first.
  ///
  /// - Precondition: The thread announces no snapshot.
  @inline(never)
  func noteUse() {
    // A version that cannot be read is reported by the next refresh or write.
    guard pin.noteUse() else { return }
    store.idleViews.noteYoungView()
    if let newest = try? store.newestSnapshotWhileClosed() { _ = pin.advance(to: newest) }
  }

  /// Moves the view to the newest version.
  ///
  /// - Returns: Whether the version changed.
  /// - Throws: A storage failure; the view then stays at its version.
  package func refresh() throws(Failure) -> Bool {
    let newest = try store.newestSnapshot()
    if pin.noteUse() { store.idleViews.noteYoungView() }
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

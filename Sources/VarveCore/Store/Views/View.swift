import Synchronization
package import VarveStorage

/// What a live view reads: a snapshot that moves at defined points.
///
/// Shared by the view, by the contexts of its handles and by the store's list of views.
///
/// Thread safety: any thread may read through it while another moves it.
package final class ViewPin: Sendable {
  /// For reading; what moves it is ``advance(to:)``.
  package let moving: MovingSnapshot
  /// Set by every read, cleared by the housekeeper: an unread view is moved to the newest version. Never set in
  /// a view that tracks reads, so that there each of them is noted.
  private let wasRead: Atomic<Bool>
  /// What is tracked of the reads; nil for a view that does not track any.
  package let tracking: ReadTracking?
  /// The serial number of the last transaction that the view took part in. Only the thread that
  /// runs a transaction of the store touches it.
  let lastTransaction = Atomic<UInt64>(0)
  /// Housekeeping ticks since the last read. Only the housekeeper changes it.
  let unreadTicks = Atomic<Int>(0)
  /// The version that the housekeeper has seen to be behind, and at how many ticks. Only the housekeeper changes them.
  let laggingTransaction = Atomic<UInt64>(0)
  let lagTicks = Atomic<Int>(0)
  /// Whether commits are followed at a place that is told of them.
  let isRefreshed: Bool
  /// Whether commits do not move the view: only its user does, by refreshing it and by writing.
  let isHeld = Atomic<Bool>(false)
  /// Whether everything that was reached from the view is invalid for ever.
  let invalidation = Atomic<Bool>(false)
  /// The thread, as `ThreadIdentity`, whose begun write the view holds open: that which made the view, or the last one in
  /// whose begun write it took part.
  let thread = Atomic<UInt>(ThreadIdentity.current)

  /// Whether the view was invalidated.
  package var isInvalidated: Bool { invalidation.load(ordering: .relaxed) }

  init(_ snapshot: Snapshot, of store: Store, isRefreshed: Bool, isTracking: Bool) {
    moving = MovingSnapshot(snapshot)
    tracking = isTracking ? ReadTracking(moving, of: store, isRefreshed: isRefreshed) : nil
    self.isRefreshed = isRefreshed
    wasRead = Atomic(!isTracking)
  }

  /// Moves the view to a version, unless it is there already or at a later one: of movers that race, the
  /// one with the latest version wins.
  ///
  /// Nothing else moves a view, for whatever reason: a refresh, a write that it takes part in, a commit
  /// that its queue or actor is told of, the housekeeper.
  ///
  /// Those who track what differs are called on the calling thread, which must hold no lock.
  /// - Returns: whether the view moved.
  /// - Complexity: O(threads), and an interrupt of each running thread; O(1) when it returns false.
  package func advance(to snapshot: Snapshot) -> Bool {
    guard let tracking else { return moving.advance(to: snapshot) }
    return tracking.advance(to: snapshot)
  }

  /// As ``advance(to:)``, for a view that counts as idle: nothing else happens to any other. Views that track
  /// reads have somebody who moves them.
  ///
  /// - Parameters:
  ///   - snapshot: the version.
  ///   - idleTicks: after how many ticks without a read a view counts as idle.
  func advanceIfIdle(to snapshot: Snapshot, idleTicks: Int) {
    guard tracking == nil, !isHeld.load(ordering: .relaxed), !wasRead.load(ordering: .relaxed),
      unreadTicks.load(ordering: .relaxed) >= idleTicks
    else { return }
    _ = advance(to: snapshot)
  }

  /// Whether a read must be noted: the first one after the housekeeper's look, and each where reads are
  /// tracked.
  @inline(__always)
  var mustNoteRead: Bool {
    // Looked at first: a word that nobody writes stays in every core's cache.
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

  /// Whether the view was read since the last call. Only the housekeeper calls it.
  func takeUse() -> Bool {
    guard let tracking else { return wasRead.exchange(false, ordering: .relaxed) }
    return tracking.takeUse()
  }
}

/// One live view of a store: everything reached from it reads the version that it pins.
///
/// A view moves only at defined points: `refresh()`, the begin and the commit of a write that it
/// takes part in, by a job on its queue or actor when it was made with one, and by the housekeeper when it has not
/// been read for some seconds, or has been behind for longer. It never moves back: of movers that race the newest version wins.
///
/// Thread safety: any thread may use it.
package final class View: Sendable {
  package let store: Store
  package let pin: ViewPin
  private let place: Int
  /// What moves the view when anybody commits; nil for a view without a queue or an actor.
  let refresher: AutoRefresher?
  /// Guards the place of this view among those that took the places of each other.
  let succession = Mutex<Succession.Place>(.none)

  /// - Parameters:
  ///   - store: the store.
  ///   - snapshot: the version that the view begins with.
  ///   - refreshing: where it is moved when anybody commits; nil: nowhere.
  ///   - isTracking: whether reads inside `withObservationTracking` are tracked.
  package init(
    store: Store, snapshot: Snapshot, refreshedAt refreshing: DeliveryExecutor? = nil,
    isTracking: Bool = false
  ) {
    self.store = store
    let pin = ViewPin(
      snapshot, of: store, isRefreshed: refreshing != nil, isTracking: isTracking)
    self.pin = pin
    place = store.views.insert(pin)
    refresher = refreshing.map { AutoRefresher(pin, of: store, at: $0) }
  }

  deinit {
    // Its successor holds open what this view held open, before this one leaves the list. It is held meanwhile: one
    // that ends by itself would have handed on nothing.
    let next = _slowPath(pin.isInvalidated) ? current : nil
    if let next { store.begunWrite.handOver(from: pin, to: next.pin) }
    store.views.remove(at: place)
    store.cancelManualWrite(heldBy: pin)
    withExtendedLifetime(next) {}
  }

  /// The version that the view reads now.
  package var snapshot: Snapshot {
    pin.noteRead()
    return pin.moving.retained()
  }

  /// Moves the view to the newest version.
  ///
  /// - Returns: whether the version changed.
  /// - Throws: a storage failure; the view then stays where it is.
  package func refresh() throws(Failure) -> Bool {
    let newest = try store.newestSnapshot()
    pin.noteRead()
    let hasMoved = pin.advance(to: newest)
    if hasMoved { notifyHeld() }
    return hasMoved
  }

  /// Whether commits move the view. While they do not, those who observe through it are told as far as it is moved.
  package var followsCommits: Bool {
    get { !pin.isHeld.load(ordering: .relaxed) }
    set {
      guard pin.isHeld.exchange(!newValue, ordering: .acquiringAndReleasing) == newValue else {
        return
      }
      if newValue { pin.tracking?.release() } else { pin.tracking?.hold() }
      guard newValue, let newest = try? store.newestSnapshot() else { return }
      refresher?.noteCommit(newest)
      store.notifier.renotify(newest)
    }
  }

  /// Has those look who are told as far as the view has been moved.
  func notifyHeld() {
    if pin.isHeld.load(ordering: .relaxed) { store.notifier.renotify(pin.moving.retained()) }
  }
}

import Foundation
import Logging
import Synchronization
import VarveLocks
import VarveStorage

/// The thread that maintains the open stores once a second.
///
/// It moves views to the newest version that are behind for `maximumLag`, and those that were not
/// read and do not move with the commits (``IdleViews``), so that no live view pins a version
/// permanently. It also clears the reader slots of dead processes, and gives back the memory of many
/// closed stores. While a store has views that are not idle yet, it looks at them several times a
/// second.
///
/// Thread safety: any thread may use it. One thread serves all stores of the process; it is started
/// with the first store.
final class Housekeeper: Sendable {
  static let shared = Housekeeper()
  static let tick: Duration = .seconds(1)
  /// The time between two looks at views that are not idle yet.
  private static let hurriedTick: Duration = .milliseconds(10)

  private struct State {
    // Strong references: a weak reference would slow down every retain and release of a store. A
    // store is removed from the list when it is closed and has no views left.
    var stores: [Store] = []
    var isRunning = false
    /// Whether a store has views that are not idle yet.
    var isHurried = false
  }
  /// Guards the stores. The thread waits on it.
  private let state = Lock(State())

  func watch(_ store: Store) {
    let mustStart = state.withLock { state in
      state.stores.append(store)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if mustStart { start() }
  }

  func forget(_ store: Store) {
    state.withLock { state in
      state.stores.removeAll { $0 === store }
      // The array of many stores is not kept for a few.
      if state.stores.isEmpty { state.stores = [] }
    }
  }

  /// Keeps maintaining a closed store until its last view is deallocated.
  func noteClosed(_ store: Store) {
    if store.views.all.isEmpty { forget(store) }
  }

  /// Moves the live views of closed stores of a file that was opened again. Otherwise each closed
  /// store would pin a version of its own.
  func moveViewsOfClosedStores(of environment: Environment) {
    let closed = state.withLock { state in
      state.stores.filter { $0.isClosed && $0.environment === environment }
    }
    for store in closed { store.moveViewsWhileClosed() }
  }

  /// Causes the thread to look at the views several times a second; see ``IdleViews``.
  func hurry() {
    state.withLock { $0.isHurried = true }
    state.notify()
  }

  /// The number of ticks in a duration, at least one.
  static func ticks(_ time: Duration) -> Int { Int(max(1, min(time / tick, 1e9))) }

  /// The stores of one round.
  private func takeStores() -> [Store] {
    state.withLock { state in
      state.isHurried = false
      return state.stores
    }
  }

  private func start() {
    let thread = Thread { [self] in
      var next = ContinuousClock.now + Housekeeper.tick
      while true {
        let isHurried = state.wait(for: next - .now) { $0.isHurried ? () : nil } != nil
        if isHurried { Thread.sleep(forTimeInterval: Housekeeper.hurriedTick / .seconds(1)) }
        if ContinuousClock.now < next {
          for store in takeStores() { store.idleViews.runHurriedRound(store) }
        } else {
          for store in takeStores() { store.keepHouse() }
          // This thread has released the closed stores.
          Environment.trimHeapIfDue()
          next = .now + Housekeeper.tick
        }
      }
    }
    thread.name = "varve.housekeeper"
    thread.stackSize = 256 << 10
    thread.start()
  }
}

extension Store {
  /// Runs one round of housekeeping as if a second had passed, for tests.
  package func tidy() {
    idleViews.advanceClock(by: Housekeeper.tick)
    keepHouse()
  }

  /// Runs one round of housekeeping.
  fileprivate func keepHouse() {
    let moving = overdueViews()
    idleViews.tick(self)
    if isClosed {
      moveToNewest(moving)
      return Housekeeper.shared.noteClosed(self)
    }
    environment.releaseStaleSnapshot()
    moveToNewest(moving)
    reviewObservers()
    warnOfPins()
    fillDefaults()
    watchWrites(getpid(), now: Date().timeIntervalSince1970)
    watchGrowth()
    do throws(StorageError) {
      _ = try environment.clearStaleReaders()
    } catch  where error.code == .closed {
      // Closed meanwhile.
    } catch {
      logger.warning("Stale readers could not be cleared.", metadata: ["error": "\(error)"])
    }
  }

  /// Returns the views to move in this round: those that lag too far behind, or were not read
  /// within the idle limit and do not move with the commits.
  private func overdueViews() -> [ViewPin] {
    let ticksAllowed = idleTicks
    let lagging = LaggingViews(of: self)
    var moving: [ViewPin] = []
    for pin in views.all {
      let isLate = lagging?.noteTick(pin) ?? false
      if pin.movesWhenIdle {
        if isLate { moving.append(pin) }
      } else if pin.takeUse() || pin.staysUntilRefreshed {
        pin.unreadTicks.store(0, ordering: .relaxed)
        if isLate { moving.append(pin) }
      } else if pin.unreadTicks.wrappingAdd(1, ordering: .relaxed).newValue >= ticksAllowed
        || isLate
      {
        moving.append(pin)
      }
    }
    return moving
  }

  /// Moves the live views of this closed store to the newest version if another store has the file
  /// open, except views that only their user moves.
  fileprivate func moveViewsWhileClosed() {
    moveToNewest(views.all.filter { !$0.staysUntilRefreshed })
    // Each opening of a file pins its version again.
    guard let newest = try? newestSnapshotWhileClosed() else { return }
    for pin in views.all {
      let old = pin.moving.retained()
      if old !== newest, old.transactionID == newest.transactionID {
        _ = pin.moving.replace(old, with: newest)
      }
    }
  }

  /// Removes the store from the housekeeper, for tests that count the rounds.
  package func leaveHousekeeping() { Housekeeper.shared.forget(self) }

  /// The number of ticks without a read after which a view is idle.
  var idleTicks: Int { Housekeeper.ticks(options.idleLimit) }

  /// Releases the versions of observers that exceed the pin budget, and the cached differences.
  func reviewObservers() {
    differences.clear()
    guard notifier.isNeeded, let newest = try? newestSnapshot() else { return }
    notifier.reviewPins(newest, options.pinBudget)
  }

  /// Releases optional pins: versions of late observers past their budget, views that lag, and the
  /// cached snapshot and differences.
  func releasePins() {
    environment.releaseStaleSnapshot()
    let lagging = LaggingViews(of: self)
    // Moving views that track reads calls user code, which is not allowed while a write begins.
    moveToNewest(views.all.filter { $0.tracking == nil && lagging?.mayMove($0) ?? false })
    reviewObservers()
  }

  func moveToNewest(_ pins: [ViewPin]) {
    // The next refresh reports an error in the newest version.
    guard !pins.isEmpty, let newest = try? newestSnapshotWhileClosed() else { return }
    // The snapshots are retired together: each retirement interrupts every running thread.
    var replaced = RetiredReferences()
    for pin in pins where pin.tracking == nil { replaced.add(pin.moving.advanced(to: newest)) }
    replaced.retire()
    for pin in pins where pin.tracking != nil { _ = pin.advance(to: newest) }
  }
}

/// The views that have been behind the newest version for longer than a view in use may be.
///
/// Excluded are views that a queue or actor moves, that only their user moves, and that have
/// tracked reads: each of them has its own mover.
private struct LaggingViews {
  private let store: Store
  private let newest: NewestCommit
  private let ticksAllowed: Int

  /// - Returns: Nil when the newest version is unknown, because the store was closed meanwhile.
  init?(of store: Store) {
    do throws(StorageError) {
      newest = try store.environment.newestCommit()
    } catch {
      return nil
    }
    self.store = store
    ticksAllowed = Housekeeper.ticks(store.options.maximumLag)
  }

  /// Counts the ticks during which a view stayed behind at one version. Only the housekeeper calls
  /// it.
  ///
  /// - Returns: Whether it has been behind for too long or its version costs too much. Never true
  ///   before a whole tick has passed.
  func noteTick(_ pin: ViewPin) -> Bool {
    let transaction = pin.moving.retained().transactionID
    guard transaction < newest.transactionID else {
      pin.lagTicks.store(0, ordering: .relaxed)
      return false
    }
    guard pin.laggingTransaction.exchange(transaction, ordering: .relaxed) == transaction,
      pin.lagTicks.load(ordering: .relaxed) > 0
    else {
      pin.lagTicks.store(1, ordering: .relaxed)
      return false
    }
    let ticks = pin.lagTicks.wrappingAdd(1, ordering: .relaxed).newValue - 1
    guard mayMove(pin) else { return false }
    return ticks >= ticksAllowed || costsTooMuch(transaction)
  }

  /// Returns whether the version retains more than a view may, or has used up the pin budget.
  private func costsTooMuch(_ transaction: UInt64) -> Bool {
    let succession = store.environment.succession(of: transaction, newest: newest)
    if let succession, succession.growth > store.options.maximumLagBytes { return true }
    return store.options.pinBudget.isExceeded(
      by: newest.transactionID - transaction, succession)
  }

  /// Returns whether a view may be moved although it is in use, because it has been behind for a
  /// whole tick.
  func mayMove(_ pin: ViewPin) -> Bool {
    !pin.staysUntilRefreshed && !pin.isRefreshed
      && pin.tracking?.isWatched != true && pin.lagTicks.load(ordering: .relaxed) > 1
      && pin.laggingTransaction.load(ordering: .relaxed) == pin.moving.retained().transactionID
  }
}

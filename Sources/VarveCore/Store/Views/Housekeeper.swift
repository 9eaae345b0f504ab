import Logging
import Foundation
import Synchronization
import VarveStorage

/// The thread that looks after open stores once a second.
///
/// It moves views that nobody has read for the store's `idleLimit` to the newest version, and those that have been behind
/// it for `maximumLag`, so that no live view pins a version for ever, and clears the reader slots of processes that died.
///
/// Thread safety: any thread may use it. One thread serves all stores of the process; it is started
/// with the first store.
final class Housekeeper: Sendable {
  static let shared = Housekeeper()
  static let tick: Duration = .seconds(1)

  private struct State {
    // Strong: a weak reference would slow down every count of a store's references. A store leaves the
    // list when it is closed.
    var stores: [Store] = []
    var isRunning = false
  }
  /// Guards the stores.
  private let state = Mutex(State())

  func watch(_ store: Store) {
    let mustStart = state.withLock { state in
      state.stores.append(store)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if mustStart { start() }
  }

  func forget(_ store: Store) {
    state.withLock { $0.stores.removeAll { $0 === store } }
  }

  /// Looks after a store that was closed until its last view goes.
  func noteClosed(_ store: Store) {
    if store.views.all.isEmpty { forget(store) }
  }

  /// Moves the live views of closed stores of a file that was opened again: otherwise each closed store would pin a
  /// version of its own.
  func moveViewsOfClosedStores(of environment: Environment) {
    let closed = state.withLock { state in
      state.stores.filter { $0.isClosed && $0.environment === environment }
    }
    for store in closed { store.moveViewsWhileClosed() }
  }

  /// How many ticks a time takes: one at least.
  static func ticks(_ time: Duration) -> Int { Int(max(1, min(time / tick, 1e9))) }

  private func start() {
    let thread = Thread { [self] in
      while true {
        Thread.sleep(forTimeInterval: 1)
        for store in state.withLock({ $0.stores }) { store.tidy() }
      }
    }
    thread.name = "varve.housekeeper"
    thread.stackSize = 256 << 10
    thread.start()
  }
}

extension Store {
  /// One round of housekeeping; also called by tests, which do not wait for the clock.
  package func tidy() {
    let moving = overdueViews()
    if isClosed {
      moveToNewest(moving)
      return Housekeeper.shared.noteClosed(self)
    }
    environment.releaseStaleSnapshot()
    moveToNewest(moving)
    reviewObservers()
    warnOfPins()
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

  /// The views to be moved in this round: those that were not read for the idle limit, or lag too far behind.
  private func overdueViews() -> [ViewPin] {
    let ticksAllowed = idleTicks
    let lagging = LaggingViews(of: self)
    var moving: [ViewPin] = []
    for pin in views.all {
      let isLate = lagging?.noteTick(pin) ?? false
      if pin.takeUse() || pin.isHeld.load(ordering: .relaxed) {
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

  /// Moves the live views of this closed store to the newest version if another store has the file open, but for those
  /// that only their user moves.
  fileprivate func moveViewsWhileClosed() {
    moveToNewest(views.all.filter { !$0.isHeld.load(ordering: .relaxed) })
    // Each opening of a file pins its version anew.
    guard let newest = try? newestSnapshotWhileClosed() else { return }
    for pin in views.all {
      let old = pin.moving.retained()
      if old !== newest, old.transactionID == newest.transactionID {
        _ = pin.moving.replace(old, with: newest)
      }
    }
  }

  /// Takes the store from the housekeeper, for tests that count its rounds.
  package func leaveHousekeeping() { Housekeeper.shared.forget(self) }

  /// After how many ticks without a read a view counts as idle.
  var idleTicks: Int { Housekeeper.ticks(options.idleLimit) }

  /// Has observers let go of versions that cost more than they may.
  func reviewObservers() {
    differences.clear()
    guard notifier.isNeeded, let newest = try? newestSnapshot() else { return }
    notifier.reviewPins(newest, options.pinBudget)
  }

  /// Lets go of what need not be held: late observers' versions past their budget, and what is kept for the next one
  /// who asks.
  func releasePins() {
    environment.releaseStaleSnapshot()
    let lagging = LaggingViews(of: self)
    // Those that track reads have code called: not while a write begins.
    moveToNewest(views.all.filter { $0.tracking == nil && lagging?.mayMove($0) ?? false })
    reviewObservers()
  }

  func moveToNewest(_ pins: [ViewPin]) {
    // What is wrong with the newest version, the next refresh tells.
    guard !pins.isEmpty, let newest = try? newestSnapshotWhileClosed() else { return }
    // The snapshots are retired together: each retirement interrupts every running thread.
    var replaced = RetiredReferences()
    for pin in pins where pin.tracking == nil { replaced.add(pin.moving.advanced(to: newest)) }
    replaced.retire()
    for pin in pins where pin.tracking != nil { _ = pin.advance(to: newest) }
  }
}

/// Which views are behind the newest version for longer than a view that is read may be.
///
/// None is that its queue or actor moves, that its user alone moves, or whose reads somebody tracks: they have who moves
/// them.
private struct LaggingViews {
  private let store: Store
  private let newest: NewestCommit
  private let ticksAllowed: Int

  /// - Returns: nil where the newest version is not known: the store was closed meanwhile.
  init?(of store: Store) {
    do throws(StorageError) {
      newest = try store.environment.newestCommit()
    } catch {
      return nil
    }
    self.store = store
    ticksAllowed = Housekeeper.ticks(store.options.maximumLag)
  }

  /// Counts the ticks at which a view was behind in one version. Only the housekeeper calls it.
  ///
  /// - Returns: whether it has been for too long, or keeps too much: in no case before a whole tick.
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

  /// Whether the version keeps more than a view may, or has used up the pin budget.
  private func costsTooMuch(_ transaction: UInt64) -> Bool {
    let succession = store.environment.succession(of: transaction, newest: newest)
    if let succession, succession.growth > store.options.maximumLagBytes { return true }
    return store.options.pinBudget.isExceeded(
      by: newest.transactionID - transaction, succession)
  }

  /// Whether a view may be moved though it is read: it has been behind for a whole tick.
  func mayMove(_ pin: ViewPin) -> Bool {
    !pin.isHeld.load(ordering: .relaxed) && !pin.isRefreshed
      && pin.tracking?.isWatched != true && pin.lagTicks.load(ordering: .relaxed) > 1
      && pin.laggingTransaction.load(ordering: .relaxed) == pin.moving.retained().transactionID
  }
}

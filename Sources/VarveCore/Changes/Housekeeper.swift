import Logging
import Foundation
import Synchronization
import VarveStorage

/// The thread that looks after open stores once a second.
///
/// It moves views that nobody has read for the store's `idleLimit` to the newest version, so that a
/// forgotten view pins nothing, and clears the reader slots of processes that died.
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
    guard !isClosed else { return }
    let ticksAllowed = idleTicks
    var idle: [ViewPin] = []
    for pin in views.all {
      if pin.takeUse() || pin.isHeld.load(ordering: .relaxed) {
        pin.unreadTicks.store(0, ordering: .relaxed)
      } else if pin.unreadTicks.wrappingAdd(1, ordering: .relaxed).newValue >= ticksAllowed {
        idle.append(pin)
      }
    }
    environment.releaseStaleSnapshot()
    moveToNewest(idle)
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

  /// After how many ticks without a read a view counts as idle.
  var idleTicks: Int { Int(max(1, min(options.idleLimit / Housekeeper.tick, 1e9))) }

  /// Has observers let go of versions that cost more than they may.
  func reviewObservers() {
    differences.clear()
    guard notifier.isNeeded, let newest = try? newestSnapshot() else { return }
    notifier.reviewPins(newest, options.pinBudget)
  }

  /// Lets go of what need not be held: late observers' versions past their budget, and what is kept for the next one
  /// who asks.
  func letGoOfPins() {
    environment.releaseStaleSnapshot()
    reviewObservers()
  }

  private func moveToNewest(_ pins: [ViewPin]) {
    // What is wrong with the newest version, the next refresh tells.
    guard !pins.isEmpty, let newest = try? newestSnapshot() else { return }
    for pin in pins { _ = pin.advance(to: newest) }
  }
}

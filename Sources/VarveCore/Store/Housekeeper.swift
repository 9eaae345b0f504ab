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

  private struct Entry {
    weak var store: Store?
  }
  private struct State {
    var entries: [Entry] = []
    var isRunning = false
  }
  /// Guards the entries.
  private let state = Mutex(State())

  func watch(_ store: Store) {
    let mustStart = state.withLock { state in
      state.entries.removeAll { $0.store == nil }
      state.entries.append(Entry(store: store))
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if mustStart { start() }
  }

  func forget(_ store: Store) {
    state.withLock { $0.entries.removeAll { $0.store == nil || $0.store === store } }
  }

  private func start() {
    let thread = Thread { [self] in
      while true {
        Thread.sleep(forTimeInterval: 1)
        for store in state.withLock({ $0.entries.compactMap(\.store) }) { store.tidy() }
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
    let ticksAllowed = max(1, Int(options.idleLimit / Housekeeper.tick))
    var idle: [ViewPin] = []
    for pin in views.all {
      if pin.wasRead.exchange(false, ordering: .relaxed) {
        pin.unreadTicks.store(0, ordering: .relaxed)
      } else if pin.unreadTicks.wrappingAdd(1, ordering: .relaxed).newValue >= ticksAllowed {
        idle.append(pin)
      }
    }
    environment.releaseStaleSnapshot()
    guard !idle.isEmpty, let newest = try? newestSnapshot() else { return }
    for pin in idle where pin.moving.retained().serial != newest.serial {
      pin.moving.move(to: newest)
    }
    do throws(StorageError) {
      _ = try environment.clearStaleReaders()
    } catch {
      logger.warning("Stale readers could not be cleared.", metadata: ["error": "\(error)"])
    }
  }
}

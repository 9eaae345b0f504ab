import Foundation
import VarveStorage

/// The thread that tells observers, and views on queues and actors, when anybody commits.
///
/// It is started with the first of them in a store, and ends when none is left or the store is closed. It
/// waits on the commit signal, which is a hint; what counts is the newest version, which it looks at
/// after each wake-up and once in each heartbeat. What changed is worked out by those that it tells, where
/// they are called: a slow one delays nobody.
///
/// Thread safety: any thread may use it.
/// Processes: commits of all processes wake it.
package final class Notifier: Sendable {
  /// How long it relies on the signal before it looks at the version itself.
  static let heartbeat: Duration = .seconds(1)

  private struct Entry {
    weak var listener: (any CommitListener)?
  }
  private struct State {
    var entries: [Entry] = []
    /// The running thread, as `ThreadIdentity`; 0 before it runs.
    var thread: UInt = 0
    var isRunning = false
    var isStopped = false

    /// Forgets those that are gone.
    ///
    /// - Returns: those that are left.
    mutating func clear() -> [any CommitListener] {
      var alive: [any CommitListener] = []
      entries.removeAll { entry in
        guard let listener = entry.listener else { return true }
        alive.append(listener)
        return false
      }
      return alive
    }
  }
  /// Guards the listeners and the state of the thread.
  private let state = Lock(State())
  private let signal: CommitSignal

  init(_ signal: CommitSignal) { self.signal = signal }

  /// Has a listener be told from now on, as long as it lives.
  ///
  /// A commit that comes after this is noticed; one that came before may not be. In a silent store nobody is told.
  /// - Throws: `.closed` when the store is closed.
  func add(_ listener: any CommitListener, of store: Store) throws(Failure) {
    let known = signal.sequence
    let mustStart = try state.withLock { (state) throws(Failure) -> Bool in
      guard !state.isStopped else { throw store.closedFailure }
      if store.options.ignoresCommits { return false }
      state.entries.append(Entry(listener: listener))
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if mustStart { start(from: known, store) }
  }

  /// Tells all that the store is closed, ends the thread, and waits for its end. Nobody is told anything from
  /// then on.
  func stop() {
    let (listeners, mustWait) = state.withLock { state in
      state.isStopped = true
      let listeners = state.entries.compactMap(\.listener)
      state.entries = []
      // An executor to which the thread gives a job may close the store: that cannot wait for itself.
      return (listeners, state.isRunning && state.thread != ThreadIdentity.current)
    }
    for listener in listeners { listener.noteClosing() }
    guard mustWait else { return }
    signal.wake()
    waitForEnd()
  }

  /// Waits until the thread has ended, which it does when nobody is left.
  package func waitForEnd() { state.wait { $0.isRunning ? nil : () } }

  /// Whether the thread runs.
  package var isRunning: Bool { state.withLock { $0.isRunning } }

  private func start(from sequence: UInt64, _ store: Store) {
    let home = store.whileOpen
    let thread = Thread { [self] in
      state.withLock { $0.thread = ThreadIdentity.current }
      var known = sequence
      while clearAndContinue() {
        known = signal.wait(for: known, timeout: Notifier.heartbeat)
        if let store = home.store { notifyListeners(of: store) }
      }
    }
    thread.name = "varve.notifier"
    thread.stackSize = 256 << 10
    thread.start()
  }

  private func clearAndContinue() -> Bool {
    // Released after the lock: what a listener holds may do anything when it goes.
    var alive: [any CommitListener] = []
    let goesOn = state.withLock { state in
      alive = state.clear()
      if state.isStopped || state.entries.isEmpty {
        state.isRunning = false
        state.thread = 0
      }
      return state.isRunning
    }
    withExtendedLifetime(alive) {}
    if !goesOn { state.notify() }
    return goesOn
  }

  /// Tells which version is the newest.
  private func notifyListeners(of store: Store) {
    let listeners = listeners
    // What is wrong with the newest version, the next refresh or write tells.
    guard !listeners.isEmpty, let newest = try? store.newestSnapshot() else { return }
    for listener in listeners { listener.noteCommit(newest) }
  }

  /// Tells a version, which may have been told before.
  func renotify(_ newest: Snapshot) {
    for listener in listeners { listener.noteCommit(newest) }
  }

  /// The versions that the listeners hold.
  var pins: [ListenerPin] { listeners.flatMap(\.pins) }

  private var listeners: [any CommitListener] {
    state.withLock { $0.entries.compactMap(\.listener) }
  }

  /// Looks at what the listeners pin, once a second.
  func reviewPins(_ newest: Snapshot, _ budget: PinBudget) {
    for listener in listeners { listener.reviewPins(newest, budget) }
  }

  /// Whether anybody is told.
  var isNeeded: Bool { state.withLock { !$0.entries.isEmpty } }
}

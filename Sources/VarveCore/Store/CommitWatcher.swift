import Foundation
import VarveStorage

/// The thread that has views moved, on their queues and actors, when anybody commits.
///
/// It is started with the first such view of a store, and ends when none is left or the store is
/// closed. It waits on the commit signal, which is a hint; what counts is the newest version, which it
/// looks at after each wake-up and once in each heartbeat.
///
/// Thread safety: any thread may use it.
/// Processes: commits of all processes wake it.
package final class CommitWatcher: Sendable {
  /// How long it relies on the signal before it looks at the version itself.
  static let heartbeat: Duration = .seconds(1)

  private struct Entry {
    weak var refresher: ViewRefresher?
  }
  private struct State {
    var entries: [Entry] = []
    /// `entries` is cleared of what is gone when it has become as long as this.
    var clearingCount = 16
    /// The running thread, as `ThreadIdentity`; 0 before it runs.
    var thread: UInt = 0
    var isRunning = false
    var isStopped = false
  }
  /// Guards the entries and the state of the thread.
  private let state = Lock(State())
  private let signal: CommitSignal

  init(_ signal: CommitSignal) { self.signal = signal }

  /// Has a view moved from now on, as long as its refresher lives.
  ///
  /// A commit that comes after this is noticed; one that came before may not be.
  /// - Throws: `.closed` when the store is closed.
  func watch(_ refresher: ViewRefresher) throws(Failure) {
    let known = signal.sequence
    let mustStart = try state.withLock { (state) throws(Failure) -> Bool in
      guard !state.isStopped else { throw refresher.store.closedFailure }
      state.entries.append(Entry(refresher: refresher))
      if state.entries.count >= state.clearingCount {
        state.entries.removeAll { $0.refresher == nil }
        state.clearingCount = max(16, state.entries.count * 2)
      }
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if mustStart { start(from: known) }
  }

  /// Ends the thread, and waits for its end. No view can be watched from then on.
  func stop() {
    let mustWait = state.withLock { state in
      state.isStopped = true
      state.entries = []
      // An executor to which the thread gives a job may close the store: that cannot wait for itself.
      return state.isRunning && state.thread != ThreadIdentity.current
    }
    guard mustWait else { return }
    signal.wake()
    waitForEnd()
  }

  /// Waits until the thread has ended, which it does when no view is left.
  package func waitForEnd() { state.wait { $0.isRunning ? nil : () } }

  /// Whether the thread runs.
  package var isRunning: Bool { state.withLock { $0.isRunning } }

  private func start(from sequence: UInt64) {
    let thread = Thread { [self] in
      state.withLock { $0.thread = ThreadIdentity.current }
      var known = sequence
      while mustGoOn() {
        known = signal.wait(for: known, timeout: CommitWatcher.heartbeat)
        tell()
      }
    }
    thread.name = "varve.watcher"
    thread.stackSize = 256 << 10
    thread.start()
  }

  private func mustGoOn() -> Bool {
    let goesOn = state.withLock { state in
      state.entries.removeAll { $0.refresher == nil }
      if state.isStopped || state.entries.isEmpty {
        state.isRunning = false
        state.thread = 0
      }
      return state.isRunning
    }
    if !goesOn { state.notify() }
    return goesOn
  }

  /// Tells the refreshers which version is the newest.
  private func tell() {
    let refreshers = state.withLock { $0.entries.compactMap(\.refresher) }
    // What is wrong with the newest version, the next refresh or write tells.
    guard let newest = try? refreshers.first?.store.newestSnapshot() else { return }
    for refresher in refreshers { refresher.enqueue(for: newest) }
  }
}

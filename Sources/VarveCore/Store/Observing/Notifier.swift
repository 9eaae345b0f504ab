import Foundation
import Synchronization
import VarveLocks
import VarveStorage

/// The thread that notifies observers, and views on queues and actors, of commits.
///
/// It is started with the first listener of a store, and ends when no listener is left or the store
/// is closed. It waits on the commit signal, which is only a hint: the newest version decides,
/// which the thread reads after each wake-up and once per heartbeat. The listeners compute the
/// changes on their own queues and actors, so a slow listener delays no other.
///
/// A synchronous write notifies a few listeners itself, from the thread that has committed
/// (``noteOwnCommit(_:)``): the time until they are called is then that of one thread that wakes
/// up, and not of two.
///
/// Thread safety: any thread may use it.
/// Processes: commits of all processes wake it.
package final class Notifier: Sendable {
  /// The longest wait for the signal, after which the thread reads the newest version itself.
  static let heartbeat: Duration = .seconds(1)
  /// The number of listeners up to which a committing thread notifies them itself. It takes about a
  /// microsecond for each.
  private static let mostNotifiedByWriter = 16

  private struct Entry {
    weak var listener: (any CommitListener)?
  }
  private struct State {
    var entries: [Entry] = []
    /// The running thread, as `ThreadIdentity`; 0 before it runs.
    var thread: UInt = 0
    var isRunning = false
    var isStopped = false

    /// Removes the deallocated listeners.
    ///
    /// - Returns: The remaining listeners.
    mutating func clear() -> [any CommitListener] {
      var alive: [any CommitListener] = []
      entries.removeAll { entry in
        guard let listener = entry.listener, !listener.hasEnded else { return true }
        alive.append(listener)
        return false
      }
      return alive
    }
  }
  /// Guards the listeners and the state of the thread.
  private let state = Lock(State())
  private let signal: CommitSignal
  /// The version of the last commit of which the committing thread has notified all listeners.
  private let notedByWriter = Atomic<UInt64>(0)

  init(_ signal: CommitSignal) { self.signal = signal }

  /// Adds a listener, which is notified from now on, for as long as it lives.
  ///
  /// A commit after this call is noticed; an earlier commit may not be. A store that ignores
  /// commits notifies no listener.
  /// - Throws: `.closed` when the store is closed.
  func add(_ listener: any CommitListener, of store: Store) throws(Failure) {
    let lastSeen = signal.sequence
    let mustStart = try state.withLock { (state) throws(Failure) -> Bool in
      guard !state.isStopped else { throw store.closedFailure }
      if store.options.ignoresCommits { return false }
      // A listener that ends and begins again may not have been removed yet.
      let isPresent = listener.isPatient && state.entries.contains { $0.listener === listener }
      if !isPresent { state.entries.append(Entry(listener: listener)) }
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if mustStart { start(from: lastSeen, store) }
  }

  /// Notifies all listeners that the store was closed, then stops the thread and waits for its end.
  /// No listener is notified afterwards.
  func stop() {
    let (listeners, mustWait) = state.withLock { state in
      state.isStopped = true
      let listeners = state.entries.compactMap(\.listener)
      state.entries = []
      // An executor that runs the thread's job inline may close the store from the thread, which
      // cannot wait for its own end.
      return (listeners, state.isRunning && state.thread != ThreadIdentity.current)
    }
    for listener in listeners { listener.noteClosing() }
    guard mustWait else { return }
    signal.wake()
    state.notify()
    waitForEnd()
  }

  /// Waits until the thread has ended, which it does when no listener is left.
  package func waitForEnd() { state.wait { $0.isRunning ? nil : () } }

  /// Whether the thread runs.
  package var isRunning: Bool { state.withLock { $0.isRunning } }

  private func start(from sequence: UInt64, _ store: Store) {
    let reference = store.openReference
    let thread = Thread { [self] in
      state.withLock { $0.thread = ThreadIdentity.current }
      var lastSeen = sequence
      while clearAndContinue() {
        let seen = signal.wait(after: lastSeen, timeout: Notifier.heartbeat)
        if let store = reference.store { notifyListeners(of: store, isHeartbeat: seen == lastSeen) }
        lastSeen = seen
        pause()
      }
    }
    thread.name = "varve.notifier"
    thread.stackSize = 256 << 10
    thread.start()
  }

  /// Waits before the next wait for a commit if all listeners are patient. Otherwise each commit
  /// would wake this thread, which costs more than some commits.
  private func pause() {
    guard listeners.allSatisfy(\.isPatient) else { return }
    _ = state.wait(for: IdleViews.interval) { $0.isStopped ? () : nil }
  }

  private func clearAndContinue() -> Bool {
    // Released after the lock: deinitializers of objects that a listener owns may run any code.
    var alive: [any CommitListener] = []
    let continues = state.withLock { state in
      alive = state.clear()
      if state.isStopped || state.entries.isEmpty {
        state.isRunning = false
        state.thread = 0
      }
      return state.isRunning
    }
    withExtendedLifetime(alive) {}
    if !continues { state.notify() }
    return continues
  }

  /// Notifies the listeners of the newest version.
  private func notifyListeners(of store: Store, isHeartbeat: Bool) {
    let listeners = listeners
    // The next refresh or write reports an error in the newest version.
    guard !listeners.isEmpty, let newest = try? store.newestSnapshot(),
      isHeartbeat || newest.transactionID != notedByWriter.load(ordering: .acquiring)
    else { return }
    for listener in listeners { listener.noteCommit(newest) }
    store.fillDefaults(upTo: newest)
  }

  /// Notifies the listeners of a version that the calling thread has committed, except patient
  /// ones, which note their own process's commits themselves. Many listeners are left to the thread
  /// of the notifier, which the commit has woken.
  ///
  /// - Precondition: The thread holds no resource that a write needs: a listener may resume a task
  ///   whose executor runs it at once.
  func noteOwnCommit(_ newest: Snapshot) {
    let listeners = listeners
    guard !listeners.isEmpty, listeners.count <= Self.mostNotifiedByWriter else { return }
    for listener in listeners where !listener.isPatient { listener.noteCommit(newest) }
    notedByWriter.store(newest.transactionID, ordering: .releasing)
  }

  /// Notifies the listeners of a version, of which they may have been notified before.
  func renotify(_ newest: Snapshot) {
    for listener in listeners { listener.noteCommit(newest) }
  }

  /// The versions that the listeners pin.
  var pins: [ListenerPin] { listeners.flatMap(\.pins) }

  /// The number of listeners that deliver changes.
  var observerCount: Int { listeners.count { $0.isObserver } }

  private var listeners: [any CommitListener] {
    state.withLock { $0.entries.compactMap(\.listener) }
  }

  /// Reviews the pins of the listeners, once a second.
  func reviewPins(_ newest: Snapshot, _ budget: PinBudget) {
    for listener in listeners { listener.reviewPins(newest, budget) }
  }

  /// Whether there are listeners.
  var isNeeded: Bool { state.withLock { !$0.entries.isEmpty } }
}

import Dispatch
import Foundation
import Synchronization
import VarveStorage

/// One asynchronous write that waits for its turn.
struct AsyncWrite: Sendable {
  let id: UInt64
  /// Whether other writes may share its transaction.
  let mayShare: Bool
  /// When it was asked for.
  let asked: ContinuousClock.Instant
  /// Runs the closure inside the transaction; returns what tells the waiting task the outcome.
  let run: @Sendable (Transaction) throws -> Void
  /// Tells the waiting task that the write is committed, or why it is not.
  let finish: @Sendable (Result<Void, any Error>) -> Void
}

/// Asynchronous writes in the order in which they were asked for.
///
/// A chain through a dictionary: a write whose task is cancelled is taken out of the middle at once, and
/// what has been taken is held no longer.
///
/// Whoever has the writer thread to itself, be it a write of the queue or one between `beginWrite` and its
/// end, has a *turn*. The writer thread looks at no deadline during a turn: a timer does, one at a time.
///
/// Thread safety: a lock guards the queue.
final class AsyncWriteQueue: Sendable {
  /// A write and its neighbours; 0 where there is none.
  private struct Link {
    let write: AsyncWrite
    var before: UInt64
    var after: UInt64 = 0
  }

  private struct State {
    /// By the id of the write.
    var waiting: [UInt64: Link] = [:]
    /// The ids of the ends; 0 where nothing waits.
    var first: UInt64 = 0
    var last: UInt64 = 0
    var isDraining = false
    var nextID: UInt64 = 1
    /// When the running turn began; nil between turns.
    var turn: ContinuousClock.Instant?
    /// Whether a timer will look at the queue.
    var isWatched = false

    var firstWrite: AsyncWrite? { waiting[first]?.write }

    mutating func append(_ write: AsyncWrite) {
      waiting[write.id] = Link(write: write, before: last)
      if first == 0 { first = write.id }
      waiting[last]?.after = write.id
      last = write.id
    }

    mutating func remove(_ id: UInt64) -> AsyncWrite? {
      guard let link = waiting.removeValue(forKey: id) else { return nil }
      if link.before == 0 { first = link.after }
      if link.after == 0 { last = link.before }
      waiting[link.before]?.after = link.after
      waiting[link.after]?.before = link.before
      return link.write
    }
  }
  /// Guards the queue.
  private let state = Mutex(State())
  /// How long a write waits.
  private let timeout: Duration
  private let path: String

  init(timeout: Duration, path: String) {
    self.timeout = timeout
    self.path = path
  }

  /// The number of the next write; never 0.
  func newID() -> UInt64 {
    state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
  }

  /// Adds a write.
  ///
  /// - Returns: whether the caller must have the queue drained.
  func append(_ write: AsyncWrite) -> Bool {
    state.withLock { state in
      state.append(write)
      watch(&state)
      defer { state.isDraining = true }
      return !state.isDraining
    }
  }

  /// Takes the first write that waits; with `sharing`, only one that shares its transaction.
  func takeFirst(sharing: Bool = false) -> AsyncWrite? {
    state.withLock { state in
      guard let write = state.firstWrite, !sharing || write.mayShare else { return nil }
      return state.remove(write.id)
    }
  }

  /// Takes the writes that have waited too long.
  func takeOverdue() -> [AsyncWrite] {
    state.withLock { state in
      let now = ContinuousClock.now
      var overdue: [AsyncWrite] = []
      while let write = state.firstWrite, write.asked + timeout <= now {
        overdue.append(write)
        _ = state.remove(write.id)
      }
      return overdue
    }
  }

  /// Takes a write out whose task was cancelled; nil when it runs already or is done.
  ///
  /// - Complexity: O(1).
  func remove(id: UInt64) -> AsyncWrite? {
    state.withLock { $0.remove(id) }
  }

  /// When the first write has waited too long; nil when none waits.
  var firstDeadline: ContinuousClock.Instant? {
    state.withLock { $0.firstWrite.map { $0.asked + timeout } }
  }

  /// Whether a write waits or runs.
  var isBusy: Bool { state.withLock { $0.isDraining } }

  var count: Int { state.withLock { $0.waiting.count } }
  var isEmpty: Bool { state.withLock { $0.waiting.isEmpty } }

  /// Ends a drain when nothing waits.
  ///
  /// - Returns: false when writes came meanwhile, and the drain must go on.
  func endDrain() -> Bool {
    state.withLock { state in
      guard state.waiting.isEmpty else { return false }
      state.isDraining = false
      return true
    }
  }

  // MARK: Turns

  /// Somebody has the writer thread from now on.
  func beginTurn() {
    state.withLock { state in
      state.turn = .now
      watch(&state)
    }
  }

  func endTurn() { state.withLock { $0.turn = nil } }

  /// What a write is told that has waited too long for the end of a turn.
  var busyFailure: Failure {
    var failure = Failure(
      .busy, "Another write of this process holds the writer thread.", path: path)
    failure.processID = ProcessInfo.processInfo.processIdentifier
    if let turn = state.withLock({ $0.turn }) {
      failure.since = Date().timeIntervalSince1970 - (ContinuousClock.now - turn) / .seconds(1)
    }
    return failure
  }

  /// Has a timer look at the queue when the first write will have waited too long for the running turn,
  /// unless there is a timer already. Under the lock.
  private func watch(_ state: inout State) {
    guard !state.isWatched, let limit = limit(state) else { return }
    state.isWatched = true
    // Cut to a day, which no clock overflows.
    let rest = min(max(limit - .now, .zero), .seconds(86_400)) / Duration.microseconds(1)
    DispatchQueue.global(qos: .utility).asyncAfter(
      deadline: .now() + .microseconds(Int(rest) + 1)
    ) { [self] in failOverdue() }
  }

  /// When the first write has waited too long for the running turn. A queue that moves on makes nobody
  /// give up: one and the same turn must have been in the way for as long as a write waits.
  private func limit(_ state: State) -> ContinuousClock.Instant? {
    guard let turn = state.turn, let first = state.firstWrite else { return nil }
    return max(turn, first.asked) + timeout
  }

  /// Tells those that have waited too long for the running turn.
  private func failOverdue() {
    let isOver = state.withLock { state in
      state.isWatched = false
      return limit(state).map { $0 <= .now } ?? false
    }
    if isOver {
      let failure = busyFailure
      for write in takeOverdue() { write.finish(.failure(failure)) }
    }
    state.withLock { watch(&$0) }
  }
}

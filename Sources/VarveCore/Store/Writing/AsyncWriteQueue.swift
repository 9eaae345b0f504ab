import Dispatch
import Foundation
import Synchronization
import VarveLocks
import VarveStorage

/// An asynchronous write that waits for its turn.
struct AsyncWrite: Sendable {
  let id: UInt64
  /// Whether other writes may share its transaction.
  let mayShare: Bool
  /// The time at which it was requested.
  let requestedAt: ContinuousClock.Instant
  /// Runs the closure inside the transaction.
  let run: @Sendable (Transaction) throws -> Void
  /// Resumes the waiting task when the write is committed, or with the error of a failed write.
  let finish: @Sendable (Result<Void, any Error>) -> Void
}

/// Asynchronous writes in the order of their requests.
///
/// A linked list in a dictionary: a write whose task is cancelled is removed from the middle in
/// constant time, and a removed write is released at once.
///
/// A write of the queue, or one between `beginWrite` and its end, has exclusive use of the writer
/// thread during its *turn*. The writer thread checks no deadline during a turn: a timer does, one
/// at a time.
///
/// Thread safety: a lock guards the queue.
final class AsyncWriteQueue: Sendable {
  /// A write and its neighbors; 0 for none.
  private struct Link {
    let write: AsyncWrite
    var before: UInt64
    var after: UInt64 = 0
  }

  private struct State {
    /// The waiting writes, by id.
    var waiting: [UInt64: Link] = [:]
    /// The ids of the first and last write; 0 when none waits.
    var first: UInt64 = 0
    var last: UInt64 = 0
    var isDraining = false
    var nextID: UInt64 = 1
    /// The start of the running turn; nil between turns.
    var turnStart: ContinuousClock.Instant?
    /// Whether a timer is set to check the queue.
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
  private let state = Lock(State())
  /// Whether new writes are refused.
  let isRefusing = Atomic<Bool>(false)
  /// The longest time that a write waits.
  private let timeout: Duration
  private let path: String
  private let events: StoreEvents

  init(timeout: Duration, path: String, events: StoreEvents) {
    self.timeout = timeout
    self.path = path
    self.events = events
  }

  /// Returns the id of the next write; never 0.
  func newID() -> UInt64 {
    state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
  }

  /// Adds a write.
  ///
  /// - Returns: Whether the caller must start a drain of the queue.
  func append(_ write: AsyncWrite) -> Bool {
    state.withLock { state in
      state.append(write)
      watch(&state)
      defer { state.isDraining = true }
      return !state.isDraining
    }
  }

  /// Removes and returns the first waiting write. With `sharing`, only if it may share its
  /// transaction.
  func takeFirst(sharing: Bool = false) -> AsyncWrite? {
    state.withLock { state in
      guard let write = state.firstWrite, !sharing || write.mayShare else { return nil }
      return state.remove(write.id)
    }
  }

  /// Removes and returns the writes that have waited too long.
  func takeOverdue() -> [AsyncWrite] {
    state.withLock { state in
      let now = ContinuousClock.now
      var overdue: [AsyncWrite] = []
      while let write = state.firstWrite, write.requestedAt + timeout <= now {
        overdue.append(write)
        _ = state.remove(write.id)
      }
      return overdue
    }
  }

  /// Removes a write whose task was cancelled; nil when it is running or done.
  ///
  /// - Complexity: O(1).
  func remove(id: UInt64) -> AsyncWrite? {
    state.withLock { $0.remove(id) }
  }

  /// The deadline of the first write; nil when none waits.
  var firstDeadline: ContinuousClock.Instant? {
    state.withLock { $0.firstWrite.map { $0.requestedAt + timeout } }
  }

  /// Whether a write is waiting or running.
  var isBusy: Bool { state.withLock { $0.isDraining } }

  var count: Int { state.withLock { $0.waiting.count } }
  /// The number of waiting writes, and whether the writer thread waits to begin the first one.
  var waitingCount: (count: Int, isBlocked: Bool) {
    state.withLock { state in
      let count = state.waiting.count
      return (count, count > 0 && state.isDraining && state.turnStart == nil)
    }
  }
  var isEmpty: Bool { state.withLock { $0.waiting.isEmpty } }

  /// Ends a drain when no write waits.
  ///
  /// - Returns: False when writes were added meanwhile, so that the drain must continue.
  func endDrain() -> Bool {
    state.withLock { state in
      guard state.waiting.isEmpty else { return false }
      state.isDraining = false
      return true
    }
  }

  // MARK: Turns

  /// Records that a write has the writer thread from now on.
  func beginTurn() {
    state.withLock { state in
      state.turnStart = .now
      watch(&state)
    }
  }

  func endTurn() { state.withLock { $0.turnStart = nil } }

  /// The error of a write that has waited too long for the end of a turn.
  var busyFailure: Failure {
    var failure = Failure(
      .busy, "Another write of this process is using the writer thread.", path: path)
    failure.processID = ProcessInfo.processInfo.processIdentifier
    if let turnStart = state.withLock({ $0.turnStart }) {
      failure.since = Date().timeIntervalSince1970 - (ContinuousClock.now - turnStart) / .seconds(1)
    }
    return failure
  }

  /// Sets a timer for the time at which the first write will have waited too long for the running
  /// turn, unless there is a timer already. Called under the lock.
  private func watch(_ state: inout State) {
    guard !state.isWatched, let limit = limit(state) else { return }
    state.isWatched = true
    // Capped at a day, which no clock overflows.
    let remaining = min(max(limit - .now, .zero), .seconds(86_400)) / Duration.microseconds(1)
    DispatchQueue.global(qos: .utility).asyncAfter(
      deadline: .now() + .microseconds(Int(remaining) + 1)
    ) { [self] in failOverdue() }
  }

  /// Returns the time at which the first write will have waited too long for the running turn.
  /// While turns end, no write times out: a single turn must have lasted for as long as a write
  /// waits.
  private func limit(_ state: State) -> ContinuousClock.Instant? {
    guard let turnStart = state.turnStart, let first = state.firstWrite else { return nil }
    return max(turnStart, first.requestedAt) + timeout
  }

  /// Fails the writes that have waited too long for the running turn.
  private func failOverdue() {
    let isOver = state.withLock { state in
      state.isWatched = false
      return limit(state).map { $0 <= .now } ?? false
    }
    if isOver {
      let failure = busyFailure
      for write in takeOverdue() {
        events.report(.wait(.now - write.requestedAt))
        write.finish(.failure(failure))
      }
    }
    state.withLock { watch(&$0) }
  }
}

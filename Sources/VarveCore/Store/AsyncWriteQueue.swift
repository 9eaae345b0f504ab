import Foundation
import Synchronization
import VarveStorage

/// One asynchronous write that waits for its turn.
struct AsyncWrite: Sendable {
  let id: UInt64
  /// Whether other writes may share its transaction.
  let mayShare: Bool
  /// When it has waited too long for the write lock.
  let deadline: ContinuousClock.Instant
  /// Runs the closure inside the transaction; returns what tells the waiting task the outcome.
  let run: @Sendable (Transaction) throws -> Void
  /// Tells the waiting task that the write is committed, or why it is not.
  let finish: @Sendable (Result<Void, any Error>) -> Void
}

/// Asynchronous writes in the order in which they were asked for.
///
/// Thread safety: a lock guards the queue.
final class AsyncWriteQueue: Sendable {
  private struct State {
    var waiting: [AsyncWrite] = []
    var head = 0
    var isDraining = false
    var nextID: UInt64 = 1
  }
  /// Guards the queue.
  private let state = Mutex(State())

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
      state.waiting.append(write)
      defer { state.isDraining = true }
      return !state.isDraining
    }
  }

  /// Takes the first write that waits; with `sharing`, only one that shares its transaction.
  func takeFirst(sharing: Bool = false) -> AsyncWrite? {
    state.withLock { state in
      guard state.head < state.waiting.count else { return nil }
      let write = state.waiting[state.head]
      if sharing, !write.mayShare { return nil }
      state.head += 1
      if state.head == state.waiting.count {
        state.waiting.removeAll(keepingCapacity: true)
        state.head = 0
      }
      return write
    }
  }

  /// Takes the writes that have waited too long.
  func takeOverdue() -> [AsyncWrite] {
    state.withLock { state in
      let now = ContinuousClock.now
      let overdue = state.waiting.dropFirst(state.head).prefix { $0.deadline <= now }
      state.waiting.removeFirst(state.head + overdue.count)
      state.head = 0
      return Array(overdue)
    }
  }

  /// Takes a write out whose task was cancelled; nil when it runs already or is done.
  func remove(id: UInt64) -> AsyncWrite? {
    state.withLock { state in
      guard
        let place = state.waiting.indices.dropFirst(state.head).first(where: {
          state.waiting[$0].id == id
        })
      else { return nil }
      return state.waiting.remove(at: place)
    }
  }

  /// When the first write has waited too long; nil when none waits.
  var firstDeadline: ContinuousClock.Instant? {
    state.withLock { $0.head < $0.waiting.count ? $0.waiting[$0.head].deadline : nil }
  }

  var count: Int { state.withLock { $0.waiting.count - $0.head } }
  var isEmpty: Bool { state.withLock { $0.head >= $0.waiting.count } }

  /// Ends a drain when nothing waits.
  ///
  /// - Returns: false when writes came meanwhile, and the drain must go on.
  func endDrain() -> Bool {
    state.withLock { state in
      guard state.head >= state.waiting.count else { return false }
      state.isDraining = false
      return true
    }
  }
}

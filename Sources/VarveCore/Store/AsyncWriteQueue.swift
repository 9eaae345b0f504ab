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
/// A chain through a dictionary: a write whose task is cancelled is taken out of the middle at once, and
/// what has been taken is held no longer.
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
      while let write = state.firstWrite, write.deadline <= now {
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
  var firstDeadline: ContinuousClock.Instant? { state.withLock { $0.firstWrite?.deadline } }

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
}

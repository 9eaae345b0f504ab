/// Keeps objects for as long as a snapshot lives.
///
/// What was made of a snapshot's memory, and is read by threads that announce or hold that snapshot
/// without counting references to the thing itself, is handed here by whoever lets go of it.
///
/// Thread safety: any thread.
package final class SnapshotRetainer: Sendable {
  /// Nil once the snapshot has ended.
  private let kept = Lock<[any AnyObject & Sendable]?>([])

  /// Keeps an object until the snapshot ends; lets go of it at once when that has happened.
  package func keep(_ object: any AnyObject & Sendable) {
    kept.withLock { $0?.append(object) }
  }

  /// Lets go of everything: nobody announces or holds the snapshot any more.
  func end() {
    // Outside the lock: the end of an object may run any code.
    let objects = kept.withLock { kept in
      defer { kept = nil }
      return kept
    }
    _ = objects
  }
}

import VarveLocks
import VarveStorage

/// The differences most recently requested by the observers of a store. Observers at the same
/// version share them.
///
/// A difference pins its versions, so the cache is emptied when no observer can need it any more.
///
/// Thread safety: a lock guards the differences.
final class DifferenceCache: Sendable {
  private static let capacity = 4

  private struct State {
    /// The cached differences, newest last.
    var kept: [VersionDifference] = []
    var isClosed = false
  }
  /// Guards the differences. None is released under the lock, because releasing a version takes
  /// time.
  private let state = Lock(State())

  /// Returns the difference between two versions.
  func difference(from old: Snapshot, to new: Snapshot, in store: Store) -> VersionDifference {
    let (difference, dropped) = state.withLock { state in
      if let cached = state.kept.last(where: { $0.leads(from: old, to: new) }) {
        return (cached, [VersionDifference]())
      }
      let difference = VersionDifference(from: old, to: new, schema: store.schema)
      if state.isClosed { return (difference, []) }
      let before = state.kept
      // No observer advances to an older version any more.
      state.kept.removeAll { $0.new.transactionID < new.transactionID }
      if state.kept.count == DifferenceCache.capacity { state.kept.removeFirst() }
      state.kept.append(difference)
      return (difference, before)
    }
    return withExtendedLifetime(dropped) { difference }
  }

  /// Releases all differences.
  ///
  /// - Parameter isClosing: Whether no difference is cached from then on.
  func clear(isClosing: Bool = false) {
    let dropped = state.withLock { state in
      defer { state.kept = [] }
      if isClosing { state.isClosed = true }
      return state.kept
    }
    withExtendedLifetime(dropped) {}
  }
}

extension VersionDifference {
  /// Whether this is the difference between two versions, given by any snapshots of them.
  fileprivate func leads(from old: Snapshot, to new: Snapshot) -> Bool {
    self.old.transactionID == old.transactionID && self.new.transactionID == new.transactionID
  }
}

import Synchronization
import VarveStorage

/// The differences that observers of a store asked for last: those that stand at one version share them.
///
/// A difference holds its versions, so the cache is emptied when nobody can be in need of it any more.
///
/// Thread safety: a lock guards the differences.
final class DifferenceCache: Sendable {
  private static let capacity = 4

  private struct State {
    /// The newest last.
    var kept: [VersionDifference] = []
    var isClosed = false
  }
  /// Guards the differences. None is released under it: ending a version takes time.
  private let state = Mutex(State())

  /// What leads from one version to another.
  func difference(from old: Snapshot, to new: Snapshot, in store: Store) -> VersionDifference {
    let (difference, dropped) = state.withLock { state in
      if let known = state.kept.last(where: { $0.leads(from: old, to: new) }) {
        return (known, [VersionDifference]())
      }
      let difference = VersionDifference(from: old, to: new, schema: store.schema)
      if state.isClosed { return (difference, []) }
      let before = state.kept
      // Nobody goes to an older version any more.
      state.kept.removeAll { $0.new.transactionID < new.transactionID }
      if state.kept.count == DifferenceCache.capacity { state.kept.removeFirst() }
      state.kept.append(difference)
      return (difference, before)
    }
    return withExtendedLifetime(dropped) { difference }
  }

  /// Lets go of all differences.
  ///
  /// - Parameter isClosing: whether none is kept from then on.
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
  /// Whether it is between two versions, given by whichever snapshots of them.
  fileprivate func leads(from old: Snapshot, to new: Snapshot) -> Bool {
    self.old.transactionID == old.transactionID && self.new.transactionID == new.transactionID
  }
}

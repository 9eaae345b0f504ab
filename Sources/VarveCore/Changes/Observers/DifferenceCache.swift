import Synchronization
import VarveStorage

/// The differences that observers of a store asked for last: those that stand at one version share them.
///
/// A difference holds its versions, so the cache is emptied when nobody can be in need of it any more.
///
/// Thread safety: a lock guards the differences.
final class DifferenceCache: Sendable {
  private static let capacity = 4

  /// Guards the differences, the newest last.
  private let kept = Mutex<[VersionDifference]>([])

  /// What leads from one version to another.
  func difference(from old: Snapshot, to new: Snapshot, in store: Store) -> VersionDifference {
    kept.withLock { kept in
      if let known = kept.last(where: { $0.leads(from: old, to: new) }) { return known }
      let difference = VersionDifference(from: old, to: new, schema: store.schema)
      // Nobody goes to an older version any more.
      kept.removeAll { $0.new.transactionID < new.transactionID }
      if kept.count == DifferenceCache.capacity { kept.removeFirst() }
      kept.append(difference)
      return difference
    }
  }

  /// Lets go of all differences.
  func clear() { kept.withLock { $0.removeAll() } }
}

extension VersionDifference {
  /// Whether it is between two versions, given by whichever snapshots of them.
  fileprivate func leads(from old: Snapshot, to new: Snapshot) -> Bool {
    self.old.transactionID == old.transactionID && self.new.transactionID == new.transactionID
  }
}

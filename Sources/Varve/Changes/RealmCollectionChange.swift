import VarveCore

/// The notification that the observer of an ordered collection receives.
///
/// ```swift
/// let token = try dogs.observe { change in
///   switch change {
///   case .initial(let dogs): print(dogs.count)
///   case .update(let dogs, let deletions, let insertions, let modifications):
///     print(dogs.count, deletions, insertions, modifications)
///   case .error: break
///   }
/// }
/// ```
///
/// The collection is frozen at the version after the change. All indexes are in ascending order.
public enum RealmCollectionChange<Collection: Sendable>: Sendable {
  /// The whole state. Delivered by the first call, and again after the observer's pin was released;
  /// see ``RestartReason``.
  case initial(Collection)
  /// The changes since the previous call.
  ///
  /// `deletions` and `modifications` are indexes in the collection of the previous call.
  /// `insertions` are indexes in the new collection. To turn the old collection into the new one,
  /// remove the deletions from the highest index to the lowest, then insert the insertions in
  /// ascending order. The contents of modified elements may still differ. After a write that
  /// skipped this observer with `write(withoutNotifying:_:)`, the old indexes refer to the
  /// collection as that write left it.
  ///
  /// When the object that owns the collection is deleted, the last call reports all elements as
  /// deleted; for an empty collection the last call reports no changes.
  case update(Collection, deletions: [Int], insertions: [Int], modifications: [Int])
  /// Never used. Errors are thrown by the next `refresh`, write or opening of the file.
  case error(any Error)
}

extension RealmCollectionChange {
  /// The indexes, in the new collection, of the modified elements, in the order of `modifications`.
  /// Empty for an initial state.
  ///
  /// - Complexity: O(deletions + insertions + modifications).
  public var newModifications: [Int] {
    guard case .update(_, let deletions, let insertions, let modifications) = self else {
      return []
    }
    var (deleted, inserted) = (0, 0)
    return modifications.map { old in
      while deleted < deletions.count, deletions[deleted] < old { deleted += 1 }
      while inserted < insertions.count, insertions[inserted] <= old - deleted + inserted {
        inserted += 1
      }
      return old - deleted + inserted
    }
  }
}

/// The notification that the observer of a map receives. See ``RealmCollectionChange``.
public enum RealmMapChange<Collection: Sendable>: Sendable {
  /// The whole state. Delivered by the first call, and again after the observer's pin was released;
  /// see ``RestartReason``.
  case initial(Collection)
  /// The keys that changed since the previous call, in ascending order. A key that was deleted and
  /// inserted again is reported as a modification, or not at all if its value is unchanged.
  case update(Collection, deletions: [String], insertions: [String], modifications: [String])
  /// Never used.
  case error(any Error)
}

/// The reason why an observer receives the whole state again, instead of changes.
///
/// The version that an observer was last notified of stays pinned until the observer takes the next
/// changes. The configuration's ``Realm/Configuration/pinBudget`` limits this pin. Sequences
/// deliver the reason; a block receives only the state.
public enum RestartReason: Sendable, Hashable {
  /// The observer took no change for longer than ``Realm/PinBudget/age``.
  case pinAge
  /// The file grew by more than ``Realm/PinBudget/bytes`` since the observer's version.
  case pinnedBytes
  /// More versions than ``Realm/PinBudget/versions`` were committed since the observer's version.
  case pinnedVersions
  /// `write(withoutNotifying:_:)` skipped the observer for more commits than may stay pinned until
  /// the observer takes the changes between them.
  case skippedCommits
  /// The changes could not be computed. The log contains the cause.
  case failure

  init(_ reason: VarveCore.RestartReason) {
    switch reason {
    case .pinAge: self = .pinAge
    case .pinnedBytes: self = .pinnedBytes
    case .pinnedVersions: self = .pinnedVersions
    case .skippedCommits: self = .skippedCommits
    case .failure: self = .failure
    }
  }
}

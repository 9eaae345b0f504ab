import VarveCore

/// What the observer of an ordered collection is called with.
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
/// The collection is frozen at the version that the change leads to. All indexes ascend.
public enum RealmCollectionChange<Collection: Sendable>: Sendable {
  /// The state when the observer is called first; and once more when its pin was given up, see
  /// ``RestartReason``.
  case initial(Collection)
  /// What changed since the call before.
  ///
  /// `deletions` and `modifications` are places in the collection of the call before, `insertions` places in
  /// this one. Taking the deletions away, from the back, and putting the insertions in, in order, gives
  /// this collection, but for what the modified objects hold. After a write that left this observer out, the places
  /// are those of the collection that the write led to.
  ///
  /// The last call tells of the end of the object that the collection belongs to; all elements are deleted in it, and
  /// of an empty collection nothing is.
  case update(Collection, deletions: [Int], insertions: [Int], modifications: [Int])
  /// Is never used: what goes wrong is thrown by the next `refresh`, write or opening of the file.
  case error(any Error)
}

extension RealmCollectionChange {
  /// The places of the modified elements in the new collection, in the order of `modifications`; empty for a state.
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

/// What the observer of a map is called with; see ``RealmCollectionChange``.
public enum RealmMapChange<Collection: Sendable>: Sendable {
  /// The state when the observer is called first; and once more when its pin was given up, see
  /// ``RestartReason``.
  case initial(Collection)
  /// The keys of what changed since the call before, in order. A key that was deleted and inserted again is
  /// modified, or not named if its value is the old one.
  case update(Collection, deletions: [String], insertions: [String], modifications: [String])
  /// Is never used.
  case error(any Error)
}

/// Why an observer that was told changes is told the whole state once more.
///
/// Until an observer takes what has changed, the version that it was told before stays pinned. The
/// configuration's ``Realm/Configuration/pinBudget`` limits that. Sequences give the reason; a block has the state once
/// more.
public enum RestartReason: Sendable, Hashable {
  /// It had not taken a change for longer than ``Realm/PinBudget/age``.
  case pinAge
  /// The file had grown by more than ``Realm/PinBudget/bytes`` meanwhile.
  case pinnedBytes
  /// There had been more commits than ``Realm/PinBudget/versions`` meanwhile.
  case pinnedVersions
  /// More commits were left out for it, by `write(withoutNotifying:_:)`, than may stay pinned for that
  /// until it takes what lies between them.
  case skippedCommits
  /// What had changed could not be worked out; the log says why.
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

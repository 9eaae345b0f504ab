import VarveEncoding
package import VarveStorage

/// Observes a map.
package struct MapTracker: ChangeTracker {
  private let identity: CollectionIdentity
  private let watched: WatchedPathNames

  package init(_ identity: CollectionIdentity, watching watched: WatchedPathNames) {
    self.identity = identity
    self.watched = watched
  }

  package mutating func start(at snapshot: Snapshot) throws(Failure) -> Bool { true }

  package mutating func advance(
    _ difference: VersionDifference
  ) throws(Failure) -> TrackerStep<KeyChanges> {
    guard let map = identity.stored(in: difference.schema),
      let before = try map.slot(in: difference.old)
    else { return .none }
    var change = KeyChanges()
    guard let after = try map.slot(in: difference.new) else {
      change.deletions = try difference.old.dictionaryKeys(before.id)
      return .end(change)
    }
    if before != after { change = try map.keyChanges(difference, before, after) }
    if let elementModel = identity.elementModel {
      let paths = try watched.paths(of: elementModel, in: difference.schema)
      let affected = Set(try map.affectedElements(difference, in: after.id, paths))
      if !affected.isEmpty {
        let known = Set(change.insertions).union(change.modifications)
        let keys = try map.keys(of: affected, in: after.id, difference.new)
        change.modifications = (change.modifications + keys.filter { !known.contains($0) })
          .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      }
    }
    return change.isEmpty ? .none : .change(change)
  }
}

extension StoredCollection {
  /// The keys under which a map holds some objects, in order.
  ///
  /// - Complexity: O(n).
  fileprivate func keys(
    of objects: Set<UInt64>, in collectionID: UInt64, _ snapshot: Snapshot
  ) throws(Failure) -> [String] {
    try snapshot.dictionaryEntries(collectionID, property: property).compactMap { entry in
      if case .link(_, let id) = entry.value, objects.contains(id) { entry.key } else { nil }
    }
  }
}

import VarveEncoding
package import VarveStorage

/// Observes a map.
package struct MapTracker: ChangeTracker {
  private var map: OwnedCollection
  private let watched: WatchedPathNames

  /// - Parameters:
  ///   - cell: the map.
  ///   - store: the store that it belongs to.
  ///   - watched: which changes of objects in it count.
  package init(_ cell: CollectionCell, _ store: Store, _ watched: WatchedPathNames) {
    map = OwnedCollection(cell, store)
    self.watched = watched
  }

  package var subject: String { "the map \(map.identity.description)" }

  package mutating func start(at snapshot: Snapshot) throws(Failure) -> Bool {
    try map.start(at: snapshot)
  }

  package mutating func advance(
    _ difference: VersionDifference
  ) throws(Failure) -> TrackerStep<KeyChanges> {
    var change = KeyChanges()
    switch try map.advance(difference) {
    case .absent: return .none
    case .gone(let before):
      change.deletions = try difference.old.dictionaryKeys(before.id)
      return .end(change)
    case .present(let stored, let before, let after):
      if stored.mayDiffer(before, after) {
        change = try stored.keyChanges(difference, before, after)
      }
      if let elementModel = map.identity.elementModel {
        let paths = try watched.paths(of: elementModel, in: difference.schema)
        let affected = Set(try stored.affectedElements(difference, in: after.id, paths))
        if !affected.isEmpty {
          let known = Set(change.insertions).union(change.modifications)
          let keys = try stored.keys(of: affected, in: after.id, difference.new)
          change.modifications = (change.modifications + keys.filter { !known.contains($0) })
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        }
      }
      return change.isEmpty ? .none : .change(change)
    }
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

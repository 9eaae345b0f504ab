import VarveEncoding
package import VarveStorage

/// Observes a map.
package struct MapTracker: ChangeTracker {
  private var map: OwnedCollection
  private let watched: WatchedPathNames

  /// - Parameters:
  ///   - map: The map.
  ///   - store: The store that contains it.
  ///   - watched: The paths whose changes in its objects count.
  package init(_ map: CollectionIdentity, _ store: StoreFile, _ watched: WatchedPathNames) {
    self.map = OwnedCollection(map, store)
    self.watched = watched
  }

  package var subject: String { "the map \(map.identity.description)" }

  package mutating func start(at snapshot: Snapshot) throws(Failure) -> Bool {
    try map.start(at: snapshot)
  }

  package mutating func advance(
    _ difference: VersionDifference
  ) throws(Failure) -> TrackerUpdate<KeyChanges> {
    var change = KeyChanges()
    switch try map.advance(difference) {
    case .absent: return .none
    case .deleted(let before):
      change.deletions = try difference.old.dictionaryKeys(before)
      return .end(change)
    case .present(let stored, let before, let after):
      if stored.mayDiffer(before, after) {
        change = try stored.keyChanges(difference, before, after)
      }
      if let elementModel = map.identity.elementModel {
        let paths = try watched.paths(of: elementModel, in: difference.schema)
        let affected = Set(try stored.affectedElements(difference, in: after, paths))
        if !affected.isEmpty {
          change.addModifications(
            try stored.keys(in: after, difference.new) { value in
              if case .link(_, let id) = value { affected.contains(id) } else { false }
            })
        }
      }
      let mixed = try AffectedElements(stored, after, difference)
      if !mixed.isEmpty {
        change.addModifications(
          try stored.keys(in: after, difference.new) { mixed.contains($0) })
      }
      return change.isEmpty ? .none : .change(change)
    }
  }
}

extension StoredCollection {
  /// Returns the keys of a map whose values match, in order.
  ///
  /// - Complexity: O(n).
  fileprivate func keys(
    in content: CollectionContent, _ snapshot: Snapshot, _ isMatch: (Value) -> Bool
  ) throws(Failure) -> [String] {
    try snapshot.dictionaryEntries(content, property)
      .filter { isMatch($0.value) }.map(\.key)
  }
}

extension KeyChanges {
  /// Adds keys that stayed to the modifications because an object that they link to changed.
  fileprivate mutating func addModifications(_ keys: [String]) {
    let reported = Set(insertions).union(modifications)
    modifications = (modifications + keys.filter { !reported.contains($0) })
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}

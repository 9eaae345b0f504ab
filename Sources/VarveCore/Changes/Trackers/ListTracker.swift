import VarveEncoding
package import VarveStorage

/// Observes a list.
package struct ListTracker: ChangeTracker {
  private let identity: CollectionIdentity
  private let watched: WatchedPathNames

  package init(_ identity: CollectionIdentity, watching watched: WatchedPathNames) {
    self.identity = identity
    self.watched = watched
  }

  package mutating func start(at snapshot: Snapshot) throws(Failure) -> Bool { true }

  package mutating func advance(
    _ difference: VersionDifference
  ) throws(Failure) -> TrackerStep<IndexChanges> {
    guard let list = identity.stored(in: difference.schema),
      let before = try list.slot(in: difference.old)
    else { return .none }
    guard let after = try list.slot(in: difference.new) else {
      var changes = IndexChanges()
      changes.deletions.append(0..<Int(before.count))
      return .end(changes)
    }
    var changes = IndexChanges()
    if before != after { changes = try list.indexChanges(difference, before, after) }
    if let elementModel = identity.elementModel {
      let paths = try watched.paths(of: elementModel, in: difference.schema)
      let affected = try list.affectedElements(difference, in: after.id, paths)
      if !affected.isEmpty {
        changes.addModifications(
          at: try list.indexes(of: affected, in: after.id, difference.new))
      }
    }
    return changes.isEmpty ? .none : .change(changes)
  }
}

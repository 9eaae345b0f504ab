import VarveEncoding
package import VarveStorage

/// Observes a list.
package struct ListTracker: ChangeTracker {
  private var list: OwnedCollection
  private let watched: WatchedPathNames

  /// - Parameters:
  ///   - cell: the list.
  ///   - store: the store that it belongs to.
  ///   - watched: which changes of objects in it count.
  package init(_ cell: CollectionCell, _ store: Store, _ watched: WatchedPathNames) {
    list = OwnedCollection(cell, store)
    self.watched = watched
  }

  package var subject: String { "the list \(list.identity.description)" }

  package mutating func start(at snapshot: Snapshot) throws(Failure) -> Bool {
    try list.start(at: snapshot)
  }

  package mutating func advance(
    _ difference: VersionDifference
  ) throws(Failure) -> TrackerStep<IndexChanges> {
    var changes = IndexChanges()
    switch try list.advance(difference) {
    case .absent: return .none
    case .gone(let before):
      changes.deletions.append(0..<Int(before.count))
      return .end(changes)
    case .present(let stored, let before, let after):
      if before != after { changes = try stored.indexChanges(difference, before, after) }
      if let elementModel = list.identity.elementModel {
        let paths = try watched.paths(of: elementModel, in: difference.schema)
        let affected = try stored.affectedElements(difference, in: after.id, paths)
        if !affected.isEmpty {
          changes.addModifications(
            at: try stored.indexes(of: affected, in: after.id, difference.new))
        }
      }
      return changes.isEmpty ? .none : .change(changes)
    }
  }
}

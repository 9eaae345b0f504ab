import VarveEncoding
import VarveStorage

/// Observes a set.
struct SetTracker: OrderedTracker {
  private var set: OwnedCollection
  private let watched: WatchedPathNames

  /// - Parameters:
  ///   - set: the set.
  ///   - store: the store that it belongs to.
  ///   - watched: which changes of objects in it count.
  init(_ set: CollectionIdentity, _ store: StoreFile, _ watched: WatchedPathNames) {
    self.set = OwnedCollection(set, store)
    self.watched = watched
  }

  var subject: String { "the set \(set.identity.description)" }

  mutating func start(at snapshot: Snapshot) throws(Failure) -> Bool {
    try set.start(at: snapshot)
  }

  mutating func advance(
    _ difference: VersionDifference
  ) throws(Failure) -> TrackerStep<IndexChanges> {
    var changes = IndexChanges()
    switch try set.advance(difference) {
    case .absent: return .none
    case .gone(let before):
      changes.deletions.append(0..<Int(before.count))
      return .end(changes)
    case .present(let stored, let before, let after):
      if before != after { changes = try stored.setChanges(difference, before, after).indexes }
      if let elementModel = set.identity.elementModel {
        let paths = try watched.paths(of: elementModel, in: difference.schema)
        let affected = try stored.affectedElements(difference, in: after, paths)
        changes.addModifications(
          at: difference.new.indexes(of: affected, inSet: after, stored.property))
      }
      return changes.isEmpty ? .none : .change(changes)
    }
  }
}

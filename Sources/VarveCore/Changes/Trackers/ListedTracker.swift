import VarveEncoding
package import VarveStorage

/// Observes the answer of a query on a list, a map or linking objects.
///
/// It is run again when something changed that it reads.
package struct ListedTracker: ChangeTracker {
  private let query: ObjectQuery
  private let watched: WatchedPathNames
  private let store: Store
  private var ids: [UInt64] = []

  init(_ query: ObjectQuery, watching watched: WatchedPathNames, of store: Store) {
    self.query = query
    self.watched = watched
    self.store = store
  }

  package var subject: String { "results of \(query.model.name)" }

  var answer: QueryAnswer? { QueryAnswer(ids) }

  package mutating func start(at snapshot: Snapshot) throws(Failure) -> Bool {
    ids = try query.objectIDs(in: snapshot, schema: store.schema, store: store)
    return true
  }

  package mutating func advance(
    _ difference: VersionDifference
  ) throws(Failure) -> TrackerStep<IndexChanges> {
    guard let schema = difference.schema.schema(named: query.model.name) else { return .none }
    let paths = try watched.paths(of: query.model, in: difference.schema)
    let affected = try AffectedObjects(difference).ids(of: schema, paths)
    let new =
      try mayHaveChanged(difference, schema)
      ? try query.objectIDs(in: difference.new, schema: difference.schema, store: store) : ids
    var changes = new == ids ? IndexChanges() : IndexChanges(from: ids, to: new)
    if !affected.isEmpty {
      let affected = Set(affected)
      var indexes = IndexRanges()
      for (index, id) in new.enumerated() where affected.contains(id) { indexes.append(index) }
      changes.addModifications(at: indexes)
    }
    ids = new
    guard try !sourceHasGone(difference) else { return .end(changes) }
    return changes.isEmpty ? .none : .change(changes)
  }

  /// Whether the query may have another answer: its source, or what its condition and order read, changed.
  private func mayHaveChanged(
    _ difference: VersionDifference, _ schema: ClassSchema
  ) throws(Failure) -> Bool {
    if try !difference.objects(ofClass: schema.id).deleted.isEmpty { return true }
    switch query.source {
    case .all: return true
    case .list(let cell), .dictionary(let cell):
      let stored = CollectionIdentity(cell).stored(in: difference.schema)
      if try stored?.slot(in: difference.old) != stored?.slot(in: difference.new) { return true }
    case .linking:
      if difference.old.mayDiffer(from: difference.new, in: .backlinks) { return true }
    }
    let dependencies = try QueryDependencies(query, in: difference.schema)
    let affected = AffectedObjects(difference)
    for path in [dependencies.condition, dependencies.order] {
      if let path, try !affected.ids(of: schema, .paths(path)).isEmpty { return true }
    }
    return false
  }

  /// Whether the object is deleted that the list or map belongs to, or that is linked to.
  private func sourceHasGone(_ difference: VersionDifference) throws(Failure) -> Bool {
    switch query.source {
    case .all: return false
    case .list(let cell), .dictionary(let cell):
      let stored = CollectionIdentity(cell).stored(in: difference.schema)
      guard let stored, try stored.slot(in: difference.old) != nil else { return false }
      return try stored.slot(in: difference.new) == nil
    case .linking(let source):
      guard let target = source.target.binding.schema else { return false }
      return try difference.objects(ofClass: target.id).deleted.containsAscending(source.target.id)
    }
  }
}

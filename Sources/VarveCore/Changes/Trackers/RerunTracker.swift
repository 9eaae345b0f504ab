package import VarveStorage

/// Observes the answer of a query that leaves out equal objects, or all but a window.
///
/// The query is run again in each version in which something that it reads has changed: O(n) for n objects.
package struct RerunTracker: ChangeTracker {
  private let query: ObjectQuery
  /// nil for the objects of a whole class.
  private let source: ListedSource?
  private let watched: WatchedPathNames
  private let store: Store
  /// The objects in the version of the tracker.
  private var ids: [UInt64] = []
  /// Whether the object was ever there that the source belongs to.
  private var wasThere = false

  init(_ query: ObjectQuery, watching watched: WatchedPathNames, of store: Store) {
    self.query = query
    source = ListedSource(query)
    self.watched = watched
    self.store = store
  }

  package var subject: String { "results of \(query.model.name)" }

  package mutating func start(at snapshot: Snapshot) throws(Failure) -> Bool {
    ids = try query.objectIDs(in: snapshot, schema: store.schema, store: store)
    let isThere = try source?.exists(in: snapshot, store.schema) ?? true
    defer { wasThere = wasThere || isThere }
    return isThere || !wasThere
  }

  package mutating func advance(
    _ difference: VersionDifference
  ) throws(Failure) -> TrackerStep<IndexChanges> {
    guard let schema = store.schema(of: query.model, in: difference.schema, difference.new) else {
      return .none
    }
    let paths = try watched.paths(of: query.model, in: difference.schema)
    let modified = try AffectedObjects(difference).ids(of: schema, paths)
    var new = ids
    if try mayDiffer(difference, schema) {
      new = try query.objectIDs(in: difference.new, schema: difference.schema, store: store)
    }
    var changes = IndexChanges(from: ids, to: new, modified: modified)
    if query.nested.contains(where: { !$0.sortKeys.isEmpty }) {
      changes.findMoves(from: ids, to: new)
    }
    ids = new
    let isThere = try source?.exists(in: difference.new, difference.schema) ?? true
    defer { wasThere = wasThere || isThere }
    if wasThere, !isThere { return .end(changes) }
    return changes.isEmpty ? .none : .change(changes)
  }

  /// Whether objects came or went, or what the query reads of them changed.
  private func mayDiffer(
    _ difference: VersionDifference, _ schema: ClassSchema
  ) throws(Failure) -> Bool {
    guard source == nil else { return true }
    let own = try difference.objects(ofClass: schema.id)
    if !own.deleted.isEmpty || !own.inserted.isEmpty { return true }
    let affected = AffectedObjects(difference)
    let dependencies = try QueryDependencies(query, in: difference.schema)
    if try !affected.ids(of: schema, along: dependencies.condition).isEmpty { return true }
    return try !affected.ids(of: schema, along: dependencies.order).isEmpty
  }
}

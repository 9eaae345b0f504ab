package import VarveStorage

/// Observes the answer of a query on a list, a map or linking objects.
package struct ListedTracker: ChangeTracker {
  private let query: ObjectQuery
  private let source: ListedSource
  private let watched: WatchedPathNames
  private let store: Store
  /// nil before the start.
  private var results: ListedResults?
  /// Whether the object was ever there that the source belongs to.
  private var wasThere = false

  /// - Returns: nil for a query on a whole class.
  init?(_ query: ObjectQuery, watching watched: WatchedPathNames, of store: Store) {
    guard let source = ListedSource(query) else { return nil }
    self.query = query
    self.source = source
    self.watched = watched
    self.store = store
  }

  package var subject: String { "results of \(query.model.name)" }

  var answer: QueryAnswer? { results.map { QueryAnswer($0) } }

  package mutating func start(at snapshot: Snapshot) throws(Failure) -> Bool {
    results = nil
    results = try ListedResults(query, source, in: snapshot, of: store)
    let isThere = try source.exists(in: snapshot, store.schema)
    defer { wasThere = wasThere || isThere }
    return isThere || !wasThere
  }

  package mutating func advance(
    _ difference: VersionDifference
  ) throws(Failure) -> TrackerStep<IndexChanges> {
    let paths = try watched.paths(of: query.model, in: difference.schema)
    let changes = try results?.advance(difference, watching: paths) ?? IndexChanges()
    let isThere = try source.exists(in: difference.new, difference.schema)
    defer { wasThere = wasThere || isThere }
    if wasThere, !isThere { return .end(changes) }
    return changes.isEmpty ? .none : .change(changes)
  }
}

package import VarveStorage

/// Observes the answer of a query on a whole class.
package struct ResultsTracker: ChangeTracker {
  private let query: ObjectQuery
  private let watched: WatchedPathNames
  private let store: Store
  /// nil before the start.
  private var results: MaintainedResults?

  /// - Precondition: the objects of the query come from the whole class.
  init(_ query: ObjectQuery, watching watched: WatchedPathNames, of store: Store) {
    self.query = query
    self.watched = watched
    self.store = store
  }

  package var subject: String { "results of \(query.model.name)" }

  var answer: QueryAnswer? { results.map { QueryAnswer($0) } }

  package mutating func start(at snapshot: Snapshot) throws(Failure) -> Bool {
    results = nil
    results = try MaintainedResults(query, in: snapshot, of: store)
    return true
  }

  package mutating func advance(
    _ difference: VersionDifference
  ) throws(Failure) -> TrackerStep<IndexChanges> {
    let paths = try watched.paths(of: query.model, in: difference.schema)
    guard let changes = try results?.advance(difference, watching: paths), !changes.isEmpty else {
      return .none
    }
    return .change(changes)
  }
}

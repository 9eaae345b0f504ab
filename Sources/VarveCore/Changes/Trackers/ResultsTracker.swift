package import VarveStorage

/// Observes the answer of a query on a whole class.
///
/// Those who observe equal queries at one version share the answer, and what it costs to go on from there.
package struct ResultsTracker: ChangeTracker {
  private let query: ObjectQuery
  private let watched: WatchedPathNames
  private let store: Store
  /// nil before the start.
  private var kept: KeptResults?

  /// - Precondition: the objects of the query come from the whole class.
  init(_ query: ObjectQuery, watching watched: WatchedPathNames, of store: Store) {
    self.query = query
    self.watched = watched
    self.store = store
  }

  package var subject: String { "results of \(query.model.name)" }

  var answer: QueryAnswer? { kept?.answer }

  package mutating func start(at snapshot: Snapshot) throws(Failure) -> Bool {
    kept = nil
    let known = store.answers.find(query, at: snapshot, generation: store.schema.generation)
    if let known {
      kept = known
    } else {
      kept = keep(try MaintainedResults(query, in: snapshot, of: store), at: snapshot)
    }
    return true
  }

  package mutating func advance(
    _ difference: VersionDifference
  ) throws(Failure) -> TrackerStep<IndexChanges> {
    guard let kept else { return .none }
    let key = ResultsStep.Key(old: ObjectIdentifier(kept), watched: watched)
    let step = try difference.steps.result(for: key) { () throws(Failure) in
      try makeStep(from: kept, difference)
    }
    self.kept = step.new
    return step.changes.isEmpty ? .none : .change(step.changes)
  }

  private func makeStep(
    from old: KeptResults, _ difference: VersionDifference
  ) throws(Failure) -> ResultsStep {
    let paths = try watched.paths(of: query.model, in: difference.schema)
    var results = old.results
    let changes = try results.advance(difference, watching: paths, of: store)
    // The same for all, whatever they watch, so that they go on sharing.
    let new = try difference.answers.result(for: ObjectIdentifier(old)) {
      keep(results, at: difference.new)
    }
    return ResultsStep(old: old, new: new, changes: changes)
  }

  private func keep(_ results: MaintainedResults, at snapshot: Snapshot) -> KeptResults {
    let kept = KeptResults(query, results, at: snapshot)
    store.answers.note(kept)
    return kept
  }
}

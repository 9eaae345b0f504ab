import VarveStorage

/// Observes the answer of a query.
///
/// Those who observe equal queries on a whole class at one version share the answer, and the cost of advancing it.
struct ResultsTracker: OrderedTracker {
  private let query: ElementQuery
  /// nil for the objects of a whole class.
  private let source: ResultsSource?
  private let watched: WatchedPathNames
  private let store: StoreFile
  private let answers: SharedAnswers
  /// nil before the start.
  private var kept: KeptResults?
  /// Whether the object was ever there that the source belongs to.
  private var wasThere = false

  init(
    _ query: ElementQuery, watching watched: WatchedPathNames, of store: StoreFile,
    sharing answers: SharedAnswers
  ) {
    self.answers = answers
    self.query = query
    source = ResultsSource(query)
    self.watched = watched
    self.store = store
  }

  var subject: String { "results of \(query.model.name)" }

  var answer: QueryAnswer? { kept?.answer }

  mutating func start(at snapshot: Snapshot) throws(Failure) -> Bool {
    kept = nil
    let schema = store.schema
    let known =
      isShared ? answers.find(query, at: snapshot, generation: schema.generation) : nil
    if let known {
      kept = known
    } else {
      kept = keep(try MaintainedResults(query, source, in: snapshot, of: store), at: snapshot)
    }
    let isThere = try source?.exists(in: snapshot, schema) ?? true
    defer { wasThere = wasThere || isThere }
    return isThere || !wasThere
  }

  mutating func advance(
    _ difference: VersionDifference
  ) throws(Failure) -> TrackerStep<IndexChanges> {
    guard let kept else { return .none }
    let step: KeptResults.Step
    if isShared {
      let key = KeptResults.StepKey(old: ObjectIdentifier(kept), watched: watched)
      step = try difference.result(for: key) { () throws(Failure) in
        try makeStep(from: kept, difference)
      }
    } else {
      step = try makeStep(from: kept, difference)
    }
    self.kept = step.new
    let isThere = try source?.exists(in: difference.new, difference.schema) ?? true
    defer { wasThere = wasThere || isThere }
    if wasThere, !isThere { return .end(step.changes) }
    return step.changes.isEmpty ? .none : .change(step.changes)
  }

  private func makeStep(
    from old: KeptResults, _ difference: VersionDifference
  ) throws(Failure) -> KeptResults.Step {
    let paths = try watched.paths(of: query.model, in: difference.schema)
    var results = old.results
    let changes = try results.advance(difference, watching: paths, of: store)
    guard isShared else {
      return .init(old: old, new: keep(results, at: difference.new), changes: changes)
    }
    // The same for all, whatever they watch, so that they go on sharing.
    let key = KeptResults.AdvancedKey(old: ObjectIdentifier(old))
    let new = try difference.result(for: key) { keep(results, at: difference.new) }
    return .init(old: old, new: new, changes: changes)
  }

  /// Whether others may ask the same.
  private var isShared: Bool { source == nil && !query.isRerun }

  private func keep(_ results: MaintainedResults, at snapshot: Snapshot) -> KeptResults {
    let kept = KeptResults(query, results, at: snapshot)
    if isShared { answers.note(kept) }
    return kept
  }
}

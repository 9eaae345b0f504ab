import VarveStorage

/// Observes the answer of a query.
///
/// Observers of equal queries on a whole class at one version share the answer and the cost of
/// advancing it.
struct ResultsTracker: OrderedTracker {
  private let query: ElementQuery
  /// The source of the objects; nil for the objects of a whole class.
  private let source: ResultsSource?
  private let watched: WatchedPathNames
  private let store: StoreFile
  private let answers: SharedAnswers
  /// The current answer; nil before the start.
  private(set) var answer: QueryAnswer?
  /// Whether the object that owns the source has existed in any version so far.
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

  mutating func start(at snapshot: Snapshot) throws(Failure) -> Bool {
    answer = nil
    let schema = store.schema
    let shared =
      isShared ? answers.find(query, at: snapshot, generation: schema.generation) : nil
    if let shared {
      answer = shared
    } else {
      answer = keep(try MaintainedResults(query, source, in: snapshot, of: store), at: snapshot)
    }
    let isThere = try source?.exists(in: snapshot, schema) ?? true
    defer { wasThere = wasThere || isThere }
    return isThere || !wasThere
  }

  mutating func advance(
    _ difference: VersionDifference
  ) throws(Failure) -> TrackerUpdate<IndexChanges> {
    guard let answer else { return .none }
    let old = ObjectIdentifier(answer)
    let key = isShared ? QueryAnswer.UpdateKey(old: old, watched: watched) : nil
    let update = try difference.result(for: key) { () throws(Failure) in
      let paths = try watched.paths(of: query.model, in: difference.schema)
      var results = answer.results
      let changes = try results.advance(difference, watching: paths, of: store)
      // The key does not depend on the watched paths, so all observers continue to share the
      // answer.
      let key = isShared ? QueryAnswer.AdvancedKey(old: old) : nil
      let new = try difference.result(for: key) { keep(results, at: difference.new) }
      return QueryAnswer.Step(old: answer, new: new, changes: changes)
    }
    self.answer = update.new
    let isThere = try source?.exists(in: difference.new, difference.schema) ?? true
    defer { wasThere = wasThere || isThere }
    if wasThere, !isThere { return .end(update.changes) }
    return update.changes.isEmpty ? .none : .change(update.changes)
  }

  /// Whether other observers may share the answer.
  private var isShared: Bool { source == nil && !query.isRerun }

  private func keep(_ results: MaintainedResults, at snapshot: Snapshot) -> QueryAnswer {
    let answer = QueryAnswer(query, results, at: snapshot)
    if isShared { answers.note(answer) }
    return answer
  }
}

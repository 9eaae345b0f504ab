import VarveEncoding
package import VarveStorage

/// Observes an ordered collection of any kind.
package enum CollectionTracker: ChangeTracker {
  /// The answer of a query on a whole class.
  case results(ResultsTracker)
  /// The answer of a query on a list, a map, a set or linking objects.
  case listed(ListedTracker)
  case list(ListTracker)
  case set(SetTracker)
  /// The answer of a query that is run again where something may differ.
  case rerun(RerunTracker)
  /// The answer of a query on values.
  case values(ValueResultsTracker)

  /// Observes the answer of a query.
  package init(_ cell: ResultsCell, watching watched: WatchedPathNames) {
    let store = cell.context.store
    if cell.query.isRerun {
      self = .rerun(RerunTracker(cell.query, watching: watched, of: store))
    } else if let listed = ListedTracker(cell.query, watching: watched, of: store) {
      self = .listed(listed)
    } else {
      self = .results(ResultsTracker(cell.query, watching: watched, of: store))
    }
  }

  /// Observes a list or a set.
  package init(_ cell: CollectionCell, _ store: Store, _ watched: WatchedPathNames) {
    if cell.propertyDescription.kind.collection == .set {
      self = .set(SetTracker(cell, store, watched))
    } else {
      self = .list(ListTracker(cell, store, watched))
    }
  }

  /// Observes the answer of a query on values.
  package init(_ cell: ValueResultsCell) { self = .values(ValueResultsTracker(cell)) }

  package var subject: String {
    switch self {
    case .values(let tracker): tracker.subject
    case .rerun(let tracker): tracker.subject
    case .results(let tracker): tracker.subject
    case .listed(let tracker): tracker.subject
    case .list(let tracker): tracker.subject
    case .set(let tracker): tracker.subject
    }
  }

  package mutating func start(at snapshot: Snapshot) throws(Failure) -> Bool {
    switch self {
    case .results(var tracker):
      defer { self = .results(tracker) }
      return try tracker.start(at: snapshot)
    case .listed(var tracker):
      defer { self = .listed(tracker) }
      return try tracker.start(at: snapshot)
    case .list(var tracker):
      defer { self = .list(tracker) }
      return try tracker.start(at: snapshot)
    case .set(var tracker):
      defer { self = .set(tracker) }
      return try tracker.start(at: snapshot)
    case .values(var tracker):
      defer { self = .values(tracker) }
      return try tracker.start(at: snapshot)
    case .rerun(var tracker):
      defer { self = .rerun(tracker) }
      return try tracker.start(at: snapshot)
    }
  }

  package mutating func advance(
    _ difference: VersionDifference
  ) throws(Failure) -> TrackerStep<IndexChanges> {
    switch self {
    case .results(var tracker):
      defer { self = .results(tracker) }
      return try tracker.advance(difference)
    case .listed(var tracker):
      defer { self = .listed(tracker) }
      return try tracker.advance(difference)
    case .list(var tracker):
      defer { self = .list(tracker) }
      return try tracker.advance(difference)
    case .set(var tracker):
      defer { self = .set(tracker) }
      return try tracker.advance(difference)
    case .values(var tracker):
      defer { self = .values(tracker) }
      return try tracker.advance(difference)
    case .rerun(var tracker):
      defer { self = .rerun(tracker) }
      return try tracker.advance(difference)
    }
  }

  /// The objects at the version of the tracker; nil where they are read from the version itself.
  package var answer: QueryAnswer? {
    switch self {
    case .results(let tracker): tracker.answer
    case .listed(let tracker): tracker.answer
    case .list, .set, .values, .rerun: nil
    }
  }
}

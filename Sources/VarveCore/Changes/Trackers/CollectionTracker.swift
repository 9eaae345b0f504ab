import VarveEncoding
package import VarveStorage

/// Observes an ordered collection whose changes are told by index.
protocol OrderedTracker: ChangeTracker where Change == IndexChanges {
  /// The objects at the version of the tracker; nil where they are read from the version itself.
  var answer: QueryAnswer? { get }
}

extension OrderedTracker {
  var answer: QueryAnswer? { nil }
}

/// Observes an ordered collection of any kind.
package struct CollectionTracker: ChangeTracker {
  private var tracker: any OrderedTracker

  /// Observes the answer of a query.
  package init(_ cell: ResultsCell, watching watched: WatchedPathNames) {
    tracker =
      cell.query.isOfValues
      ? ValueResultsTracker(cell)
      : ResultsTracker(cell.query, watching: watched, of: cell.context.store)
  }

  /// Observes a list or a set.
  package init(_ cell: CollectionCell, _ store: Store, _ watched: WatchedPathNames) {
    if cell.propertyDescription.kind.collection == .set {
      tracker = SetTracker(cell, store, watched)
    } else {
      tracker = ListTracker(cell, store, watched)
    }
  }

  package var subject: String { tracker.subject }

  package mutating func start(at snapshot: Snapshot) throws(Failure) -> Bool {
    try tracker.start(at: snapshot)
  }

  package mutating func advance(
    _ difference: VersionDifference
  ) throws(Failure) -> TrackerStep<IndexChanges> {
    try tracker.advance(difference)
  }

  /// The objects at the version of the tracker; nil where they are read from the version itself.
  package var answer: QueryAnswer? { tracker.answer }
}

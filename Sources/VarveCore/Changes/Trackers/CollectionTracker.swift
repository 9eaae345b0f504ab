import VarveEncoding
package import VarveStorage

/// Observes an ordered collection whose changes are reported by index.
protocol OrderedTracker: ChangeTracker where Change == IndexChanges {
  /// The objects at the tracker's version; nil if they are read from the version itself.
  var answer: QueryAnswer? { get }
}

extension OrderedTracker {
  var answer: QueryAnswer? { nil }
}

/// Observes an ordered collection of any kind.
package struct CollectionTracker: ChangeTracker {
  private var tracker: any OrderedTracker

  /// Observes the answer of a query. Observers of the store share their answers through `answers`.
  package init(
    _ query: ElementQuery, watching watched: WatchedPathNames, of store: StoreFile,
    sharing answers: SharedAnswers
  ) {
    tracker =
      query.isOfValues
      ? ValueResultsTracker(query, of: store)
      : ResultsTracker(query, watching: watched, of: store, sharing: answers)
  }

  /// Observes a list or a set.
  package init(
    _ collection: CollectionIdentity, _ store: StoreFile, _ watched: WatchedPathNames
  ) {
    tracker = ListTracker(collection, store, watched)
  }

  package var subject: String { tracker.subject }

  package mutating func start(at snapshot: Snapshot) throws(Failure) -> Bool {
    try tracker.start(at: snapshot)
  }

  package mutating func advance(
    _ difference: VersionDifference
  ) throws(Failure) -> TrackerUpdate<IndexChanges> {
    try tracker.advance(difference)
  }

  /// The objects at the tracker's version; nil if they are read from the version itself.
  package var answer: QueryAnswer? { tracker.answer }
}

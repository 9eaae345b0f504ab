import VarveLocks
import VarveStorage

/// The results of a query, and the property that was read of its objects, if any.
///
/// It pins no version permanently.
///
/// Thread safety: a lock guards the tracker and its version.
final class TrackedResults: Sendable {
  private struct Base {
    var tracker: ResultsTracker
    /// The version of the tracker, by its serial number; 0 before the first comparison.
    var serial: UInt64 = 0
  }
  private let query: ElementQuery
  private let watched: WatchedPathNames
  /// Guards the tracker of the results of a list, a map, a set, links or a limited query; nil for
  /// the results of a class. Locked during a comparison.
  private let base: Lock<Base?>

  init(_ query: ElementQuery, path: [String], _ store: Store) {
    self.query = query
    watched = .paths(path.isEmpty ? [] : [path])
    let isLimited = query.nested.contains { $0.limitClause != nil }
    let tracker =
      isLimited || ResultsSource(query) != nil
      ? ResultsTracker(query, watching: watched, of: store, sharing: store.answers) : nil
    base = Lock(tracker.map { Base(tracker: $0) })
  }

  /// Returns whether two versions differ in the objects, or in the property of one.
  ///
  /// For the objects of a class it suffices that a sort property differs, or that very many objects
  /// changed.
  func differ(
    _ schema: ClassSchema, _ difference: VersionDifference, _ store: Store
  ) throws(Failure) -> Bool {
    if let differ = try listedDiffer(difference) { return differ }
    guard var update = try ResultsUpdate(query, nil, nil, schema, difference, store) else {
      return true
    }
    let paths = try watched.paths(of: query.model, in: difference.schema)
    let modified = try AffectedObjects(difference).ids(of: schema, paths)
    return try !update.edits(watched: modified).isEmpty
  }

  /// Returns the same as `differ` for the results of a list, a map, a set, links or a limited
  /// query; nil for the results of a class.
  private func listedDiffer(_ difference: VersionDifference) throws(Failure) -> Bool? {
    try base.withLock { (base) throws(Failure) in
      guard var now = base else { return nil }
      // A tracker that failed is started again.
      base?.serial = 0
      if now.serial != difference.old.serial { _ = try now.tracker.start(at: difference.old) }
      let update = try now.tracker.advance(difference)
      now.serial = difference.new.serial
      base = now
      if case .none = update { return false }
      return true
    }
  }
}

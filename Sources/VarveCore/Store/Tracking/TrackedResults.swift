import Synchronization
import VarveStorage

/// The results of a query, and the property that was read of its objects, if any.
///
/// It pins no version permanently.
///
/// Thread safety: a lock guards the tracker and its version.
final class TrackedResults: Sendable {
  private struct Known {
    var tracker: ResultsTracker
    /// The version of the tracker, by its serial number; 0 before the first comparison.
    var serial: UInt64 = 0
  }
  private let query: ElementQuery
  private let watched: WatchedPathNames
  /// Guards the tracker of the results of a list, a map, a set, links or a limited query; nil for
  /// the results of a class. Locked during a comparison.
  private let known: Mutex<Known?>

  init(_ query: ElementQuery, path: [String], _ store: Store) {
    self.query = query
    watched = .paths(path.isEmpty ? [] : [path])
    let isLimited = query.nested.contains { $0.limitClause != nil }
    let tracker =
      isLimited || ResultsSource(query) != nil
      ? ResultsTracker(query, watching: watched, of: store, sharing: store.answers) : nil
    known = Mutex(tracker.map { Known(tracker: $0) })
  }

  /// Returns whether two versions differ in the objects, or in the property of one.
  ///
  /// For the objects of a class it suffices that a sort property differs, or that very many objects
  /// changed.
  func differ(
    _ schema: ClassSchema, _ difference: VersionDifference, _ store: Store
  ) throws(Failure) -> Bool {
    if let differ = try listedDiffer(difference) { return differ }
    guard var step = try ResultsStep(query, nil, nil, schema, difference, store) else {
      return true
    }
    let paths = try watched.paths(of: query.model, in: difference.schema)
    let modified = try AffectedObjects(difference).ids(of: schema, paths)
    return try !step.edits(watched: modified).isEmpty
  }

  /// Returns the same as `differ` for the results of a list, a map, a set, links or a limited
  /// query; nil for the results of a class.
  private func listedDiffer(_ difference: VersionDifference) throws(Failure) -> Bool? {
    try known.withLock { (known) throws(Failure) in
      guard var now = known else { return nil }
      // A tracker that failed is started again.
      known?.serial = 0
      if now.serial != difference.old.serial { _ = try now.tracker.start(at: difference.old) }
      let step = try now.tracker.advance(difference)
      now.serial = difference.new.serial
      known = now
      if case .none = step { return false }
      return true
    }
  }
}

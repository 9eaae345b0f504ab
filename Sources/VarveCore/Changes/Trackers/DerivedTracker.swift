package import VarveStorage

/// Observes an ordered collection together with a value derived from it, version by version.
///
/// The derived value advances with each version, also if the observer is not notified.
package struct DerivedTracker<Derived: Sendable, Change: Sendable>: ChangeTracker {
  /// The collection.
  package private(set) var collection: CollectionTracker
  /// The derived value at the collection's version; nil until the tracker is started.
  package private(set) var derived: Derived?

  private let make: @Sendable (CollectionTracker, Snapshot) -> Derived
  private let advance:
    @Sendable (inout Derived, CollectionTracker, Snapshot, IndexChanges) -> Change?
  private let nothing: Change

  /// Derives a value from a collection.
  ///
  /// `make` computes the value from the tracker at a version. `advance` updates the value of the
  /// previous version and returns the change, or nil if there is none to report. In that case the
  /// last change is `nothing`.
  package init(
    _ collection: CollectionTracker, nothing: Change,
    make: @escaping @Sendable (CollectionTracker, Snapshot) -> Derived,
    advance:
      @escaping @Sendable (inout Derived, CollectionTracker, Snapshot, IndexChanges) -> Change?
  ) {
    self.collection = collection
    self.nothing = nothing
    self.make = make
    self.advance = advance
  }

  package var subject: String { collection.subject }

  package mutating func start(at snapshot: Snapshot) throws(Failure) -> Bool {
    let exists = try collection.start(at: snapshot)
    derived = make(collection, snapshot)
    return exists
  }

  package mutating func advance(
    _ difference: VersionDifference
  ) throws(Failure) -> TrackerUpdate<Change> {
    switch try collection.advance(difference) {
    case .none: .none
    case .change(let changes): change(changes, difference).map { .change($0) } ?? .none
    case .end(let changes): .end(change(changes, difference) ?? nothing)
    }
  }

  private mutating func change(
    _ changes: IndexChanges, _ difference: VersionDifference
  ) -> Change? {
    guard var derived else { return nil }
    // Cleared so that the value is modified in place.
    self.derived = nil
    defer { self.derived = derived }
    return advance(&derived, collection, difference.new, changes)
  }
}

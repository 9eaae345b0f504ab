package import VarveStorage

/// Observes an ordered collection together with something that is made of it, version by version.
///
/// What is made goes on with each version, also where the observer is not told.
package struct DerivedTracker<Derived: Sendable, Change: Sendable>: ChangeTracker {
  /// The collection.
  package private(set) var collection: CollectionTracker
  /// What is made of it, at its version; nil until the tracker is started.
  package private(set) var derived: Derived?

  private let make: @Sendable (CollectionTracker, Snapshot) -> Derived
  private let advance:
    @Sendable (inout Derived, CollectionTracker, Snapshot, IndexChanges) -> Change?
  private let nothing: Change

  /// Derives from a collection.
  ///
  /// `make` is given the tracker at a version. `advance` changes what was made for the version before, and gives the
  /// change; nil when there is nothing to tell. `nothing` is told at the end in that case.
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
  ) throws(Failure) -> TrackerStep<Change> {
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
    // So that it is changed where it is.
    self.derived = nil
    defer { self.derived = derived }
    return advance(&derived, collection, difference.new, changes)
  }
}

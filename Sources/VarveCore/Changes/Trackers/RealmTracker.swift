package import VarveStorage

/// Observes every commit.
package struct RealmTracker: ChangeTracker {
  package init() {}

  package var subject: String { "the store" }

  package mutating func start(at snapshot: Snapshot) -> Bool { true }

  package mutating func advance(_ difference: VersionDifference) -> TrackerUpdate<Snapshot> {
    .change(difference.new)
  }
}

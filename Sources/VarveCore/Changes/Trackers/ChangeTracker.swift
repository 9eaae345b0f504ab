package import VarveStorage

/// What is observed, as far as it must be known to tell what changes in it from version to version.
///
/// A tracker is at one version. Its user starts it at one, and has it go on from there.
package protocol ChangeTracker: Sendable {
  associatedtype Change: Sendable

  /// What is observed, for the log.
  var subject: String { get }

  /// Puts the tracker at a version, wherever it was.
  ///
  /// - Returns: false when what was observed before does not exist any more. What did not exist yet is waited for.
  /// - Throws: `.corrupted`, or what is wrong with a query.
  mutating func start(at snapshot: Snapshot) throws(Failure) -> Bool

  /// Goes on to the new version of a difference, whose old version is where the tracker is.
  ///
  /// - Throws: `.corrupted`; the tracker must then be started anew.
  mutating func advance(_ difference: VersionDifference) throws(Failure) -> TrackerStep<Change>
}

/// What came of going on to another version.
package enum TrackerStep<Change: Sendable>: Sendable {
  /// Nothing that is observed changed.
  case none
  case change(Change)
  /// The last change: what was observed does not exist any more.
  case end(Change)
}

/// The change of one object.
package struct ObjectChange: Sendable {
  /// The properties of the model that differ, or were set to the value that they had, in its order; empty for a
  /// deletion.
  package let propertyNames: [String]
  package let old: Snapshot
  package let new: Snapshot
}

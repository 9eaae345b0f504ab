package import VarveStorage

/// The state of an observed object or collection that is needed to compute its changes from version
/// to version.
///
/// A tracker is at one version. Its owner starts it at a version and then advances it.
package protocol ChangeTracker: Sendable {
  associatedtype Change: Sendable

  /// The description of the observed object or collection, for the log.
  var subject: String { get }

  /// Moves the tracker to a version, regardless of its current state.
  ///
  /// - Returns: false if the observed object no longer exists. An object that does not exist yet
  ///   returns true.
  /// - Throws: `.corrupted`, or the error of an invalid query.
  mutating func start(at snapshot: Snapshot) throws(Failure) -> Bool

  /// Advances to the new version of a difference. The tracker must be at the old version.
  ///
  /// - Throws: `.corrupted`; the tracker must then be started again.
  mutating func advance(_ difference: VersionDifference) throws(Failure) -> TrackerUpdate<Change>
}

/// The result of advancing to another version.
package enum TrackerUpdate<Change: Sendable>: Sendable {
  /// Nothing observed changed.
  case none
  case change(Change)
  /// The last change: the observed object no longer exists.
  case end(Change)
}

/// The change of one object.
package struct ObjectChange: Sendable {
  /// The declared names of the properties that differ, or were set to their previous value, in the
  /// model's order. Empty for a deletion.
  package let propertyNames: [String]
  package let old: Snapshot
  package let new: Snapshot
}

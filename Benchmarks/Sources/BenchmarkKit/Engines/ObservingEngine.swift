/// Tells of changes.
package protocol ObservingEngine: Engine {
  /// Begins to observe, and returns when the observer has been called with the state.
  ///
  /// - Parameter collection: What to observe.
  /// - Returns: The observation.
  /// - Throws: ``NotOffered`` for a collection that the engine does not have; what the engine throws.
  func observe(_ collection: ObservedCollection) throws -> any Observation
}

/// An observer, and who commits what it hears of.
package protocol Observation {
  /// Commits a change, and waits until the observer has heard of it.
  ///
  /// - Parameter change: What to do, in one transaction.
  /// - Returns: The commit.
  /// - Throws: What the engine throws.
  func commit(_ change: CollectionChange) throws -> ObservedCommit

  /// Ends it.
  func end()
}

/// What one commit changes.
package enum CollectionChange: Sendable {
  /// Adds ``ObservedCollection/raise`` to the scores of ten persons, deletes one and inserts one.
  case persons(raised: [Int], deleted: Int, inserted: Person)
  /// Inserts into the list.
  case list(element: Int, index: Int)
  /// Sets a value of the dictionary.
  case map(key: String, value: Int)
}

/// A commit, as its observer heard of it.
package struct ObservedCommit: Sendable {
  /// When it began and returned, by ``SharedClock``.
  package var commit: TimedCommit
  /// When the observer was called.
  package var heard: Double
  package var told: Told

  /// What the observer was told.
  package enum Told: Equatable, Sendable {
    /// How many elements were deleted or modified, and how many were inserted or modified.
    case changes(old: Int, new: Int)
    /// All elements: their number, and the sum of their scores or values.
    case state(count: Int, sum: Double)
  }

  package init(_ commit: TimedCommit, heard: Double, told: Told) {
    self.commit = commit
    self.heard = heard
    self.told = told
  }
}

/// Tells of what another process commits.
package protocol ListeningEngine: PersonEngine {
  /// Observes all persons while another process calls ``PersonEngine/setAge(ofPerson:to:)`` of person 0.
  ///
  /// - Parameters:
  ///   - last: The age that is set last.
  ///   - work: Has the other process commit, and returns when it is done.
  /// - Returns: The calls, up to that which has the last commit.
  /// - Throws: What the work and the engine throw.
  func listen(upTo last: Int, while work: () throws -> Void) throws -> [HeardNumber]
}

/// What an observer heard: the number that was committed last, and when it was called.
package struct HeardNumber: Sendable {
  package var number: Int
  /// By ``SharedClock``.
  package var time: Double

  package init(number: Int, time: Double) {
    self.number = number
    self.time = time
  }
}

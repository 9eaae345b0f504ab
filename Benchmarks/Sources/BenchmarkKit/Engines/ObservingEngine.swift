/// Notifies observers of changes.
package protocol ObservingEngine: Engine {
  /// Begins to observe a collection, and returns after the observer has received the initial state.
  ///
  /// - Throws: ``NotOffered`` if the engine does not have the collection.
  func observe(_ collection: ObservedCollection) throws -> any Observation
}

/// An observer, and the writer whose commits it observes.
package protocol Observation {
  /// Commits a change in one transaction, and waits until the observer has been notified of it.
  func commit(_ change: CollectionChange) throws -> ObservedCommit

  /// Ends the observation.
  func end()
}

/// The changes of one commit.
package enum CollectionChange: Sendable {
  /// Adds ``ObservedCollection/raise`` to the scores of ten persons, deletes one and inserts one.
  case persons(raised: [Int], deleted: Int, inserted: Person)
  /// Inserts an element into the list.
  case list(element: Int, index: Int)
  /// Sets a value in the dictionary.
  case map(key: String, value: Int)
}

/// A commit, and the resulting call of the observer.
package struct ObservedCommit: Sendable {
  /// The times at which the commit began and returned, by ``SharedClock``.
  package var commit: TimedCommit
  /// The time at which the observer was called.
  package var calledAt: Double
  package var content: Content

  /// The content of the observer's notification.
  package enum Content: Equatable, Sendable {
    /// The number of deleted or modified elements, and the number of inserted or modified elements.
    case changes(old: Int, new: Int)
    /// The whole state: the number of elements, and the sum of their scores or values.
    case state(count: Int, sum: Double)
  }

  package init(_ commit: TimedCommit, calledAt: Double, content: Content) {
    self.commit = commit
    self.calledAt = calledAt
    self.content = content
  }
}

/// Notifies observers of commits of another process.
package protocol ListeningEngine: PersonEngine {
  /// Observes all persons while another process calls ``PersonEngine/setAge(ofPerson:to:)`` for
  /// person 0.
  ///
  /// - Parameters:
  ///   - last: The last age that is set.
  ///   - work: Makes the other process commit, and returns when it is done.
  /// - Returns: The calls, up to the one for the last commit.
  func listen(upTo last: Int, while work: () throws -> Void) throws -> [ObservedNumber]
}

/// A call of an observer: the most recently committed number, and the time of the call.
package struct ObservedNumber: Sendable {
  package var number: Int
  /// The time, by ``SharedClock``.
  package var time: Double

  package init(number: Int, time: Double) {
    self.number = number
    self.time = time
  }
}

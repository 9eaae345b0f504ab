/// Reads from versions that do not change any more.
package protocol FreezingEngine: PersonEngine {
  /// Holds the version that there is now, looks a person up in it and reads the age.
  ///
  /// - Parameter id: The person.
  /// - Returns: The age.
  /// - Throws: What the engine throws.
  func freezeAndReadAge(ofPerson id: Int) throws -> Int
}

/// Opens views.
package protocol ViewEngine: PersonEngine {
  /// Opens that many views, one after another, on the store that is open already.
  ///
  /// - Parameters:
  ///   - count: How many views.
  ///   - persons: How many persons there are.
  /// - Returns: The number that saw all persons.
  /// - Throws: What the engine throws.
  func openViews(_ count: Int, persons: Int) throws -> Int
}

/// Compares versions.
package protocol ComparingEngine: PersonEngine {
  /// Compares two versions of the persons, several times.
  ///
  /// - Parameters:
  ///   - isChanged: Whether one person differs, or something else does.
  ///   - count: How many persons there are.
  ///   - times: How often to compare.
  /// - Returns: The seconds of each comparison, and how many persons it found.
  /// - Throws: What the engine throws.
  func compare(isChanged: Bool, count: Int, times: Int) throws -> [ComparedVersions]
}

/// One comparison of two versions.
package struct ComparedVersions: Sendable {
  package var seconds: Double
  /// How many persons differ.
  package var differing: Int

  package init(seconds: Double, differing: Int) {
    self.seconds = seconds
    self.differing = differing
  }
}

/// Has an observer hold a version while others are committed.
package protocol GrowingEngine: Engine {
  /// Makes commits of one changed property to a new store.
  ///
  /// - Parameters:
  ///   - count: How many commits to make.
  ///   - isObserved: Whether an observer lives meanwhile.
  /// - Returns: The bytes that its file has afterwards.
  /// - Throws: What the engine throws.
  func grow(commits count: Int, isObserved: Bool) throws -> Int
}

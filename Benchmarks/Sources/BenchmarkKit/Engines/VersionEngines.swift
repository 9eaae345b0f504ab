/// Reads from frozen versions.
package protocol FreezingEngine: PersonEngine {
  /// Pins the current version, looks up a person in it and reads the age.
  func freezeAndReadAge(ofPerson id: Int) throws -> Int
}

/// Opens live views of the store.
package protocol ViewEngine: PersonEngine {
  /// Opens `count` views, one after another, on the store that is already open.
  ///
  /// - Parameter persons: The number of persons in the store.
  /// - Returns: The number of views that see all persons.
  func openViews(_ count: Int, persons: Int) throws -> Int
}

/// Compares versions.
package protocol ComparingEngine: PersonEngine {
  /// Compares two versions of the persons several times.
  ///
  /// - Parameters:
  ///   - isChanged: Whether the versions differ in one person, or only in other objects.
  ///   - count: The number of persons.
  ///   - times: The number of comparisons.
  /// - Returns: The duration in seconds of each comparison, and the number of persons it found.
  func compare(isChanged: Bool, count: Int, times: Int) throws -> [ComparedVersions]
}

/// One comparison of two versions.
package struct ComparedVersions: Sendable {
  package var seconds: Double
  /// The number of persons that differ.
  package var differing: Int

  package init(seconds: Double, differing: Int) {
    self.seconds = seconds
    self.differing = differing
  }
}

/// Measures the growth of a file while an observer pins a version.
package protocol GrowingEngine: Engine {
  /// Makes commits of one changed property to a new store.
  ///
  /// - Parameters:
  ///   - count: The number of commits.
  ///   - isObserved: Whether an observer is active during the commits.
  /// - Returns: The size of the file afterwards, in bytes.
  func grow(commits count: Int, isObserved: Bool) throws -> Int
}

/// Changes its schema.
package protocol MigratingEngine: PersonEngine {
  /// Gives the persons another schema: the score becomes a text, and the age gets another name.
  ///
  /// - Throws: What the engine throws.
  func migrate() throws

  /// Goes through all persons after ``migrate()`` and reads their ages.
  ///
  /// - Returns: The ages of those whose scores are right.
  /// - Throws: What the engine throws.
  func readMigratedAges() throws -> Checksum
}

/// Stores what is there already.
package protocol UpdatingEngine: PersonEngine {
  /// Stores all persons once more, by their ids and with every property, as ``Person/updated(id:)``.
  ///
  /// - Parameters:
  ///   - count: How many persons there are.
  ///   - onlyDifferences: Whether properties that are as they were are left alone.
  /// - Throws: What the engine throws.
  func updatePersons(_ count: Int, onlyDifferences: Bool) throws
}

/// Writes and reads itself as text.
package protocol TextEngine: PersonEngine {
  /// Writes the store as text into a file.
  ///
  /// - Throws: What the engine throws.
  func exportText() throws

  /// Stores what ``exportText()`` wrote in another store.
  ///
  /// - Throws: What the engine throws.
  func importText() throws

  /// Goes through all persons of the other store after ``importText()`` and reads their ages.
  ///
  /// - Returns: The ages of those whose names and scores are right.
  /// - Throws: What the engine throws.
  func readImportedAges() throws -> Checksum
}

/// Changes its schema.
package protocol MigratingEngine: PersonEngine {
  /// Migrates the persons to another schema: the score becomes a string, and the age gets another
  /// name.
  func migrate() throws

  /// Iterates all persons after ``migrate()`` and reads their ages.
  ///
  /// - Returns: The checksum of the ages of the persons with the correct score.
  func readMigratedAges() throws -> Checksum
}

/// Stores existing objects again.
package protocol UpdatingEngine: PersonEngine {
  /// Stores all persons again, by id and with every property, as ``Person/updated(id:)``.
  ///
  /// - Parameters:
  ///   - count: The number of persons.
  ///   - onlyDifferences: Whether unchanged properties are not written.
  func updatePersons(_ count: Int, onlyDifferences: Bool) throws
}

/// Exports and imports the store as text.
package protocol TextEngine: PersonEngine {
  /// Exports the store as text into a file.
  func exportText() throws

  /// Imports the text of ``exportText()`` into another store.
  func importText() throws

  /// Iterates all persons of the other store after ``importText()`` and reads their ages.
  ///
  /// - Returns: The checksum of the ages of the persons with the correct name and score.
  func readImportedAges() throws -> Checksum
}

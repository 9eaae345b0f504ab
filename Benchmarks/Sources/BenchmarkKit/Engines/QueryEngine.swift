/// Answers questions about persons.
package protocol QueryEngine: PersonEngine {
  /// Stores persons 0, 1, … in one transaction in a class, a table, that has indexes of name, age and score.
  ///
  /// - Parameter count: How many.
  /// - Throws: ``NotOffered`` by an engine without indexes; what the engine throws.
  func insertIndexedPersons(_ count: Int) throws

  /// A reader with a view of its own.
  ///
  /// - Parameter isIndexed: Whether it asks the persons that have indexes.
  /// - Returns: It sees what was committed before.
  /// - Throws: What the engine throws.
  func makeQueryReader(isIndexed: Bool) throws -> any QueryReader
}

/// Answers each question anew, as a query where the engine has queries.
package protocol QueryReader {
  /// The sum of the ages of all persons.
  func sumOfAges() throws -> Int

  /// How many persons are older.
  func countPersons(olderThan age: Int) throws -> Int

  /// How many persons have that age.
  func countPersons(ofAge age: Int) throws -> Int

  /// How many persons have a name with one of these prefixes.
  func countPersons(beginningWith prefixes: [String]) throws -> Int

  /// How many persons have one of these names.
  func countPersons(named names: [String]) throws -> Int

  /// Sorts all persons by their scores, those of the same score by their ids, and reads the ids of the first.
  func idsOfLowestScores(_ count: Int) throws -> [Int]
}

/// Tells how it would answer.
package protocol PlanningEngine: QueryEngine {
  /// Parses and plans `age > 50 AND name BEGINSWITH 'user12'` of the persons with indexes, again and again.
  ///
  /// - Parameter times: How often.
  /// - Returns: How many plans were made.
  /// - Throws: What the engine throws.
  func plan(times: Int) throws -> Int
}

/// Answers queries of persons.
package protocol QueryEngine: PersonEngine {
  /// Stores the first `count` persons in one transaction, in a class or table with indexes of name,
  /// age and score.
  ///
  /// - Throws: ``NotOffered`` if the engine has no indexes.
  func insertIndexedPersons(_ count: Int) throws

  /// Creates a reader of the currently committed version.
  ///
  /// - Parameter isIndexed: Whether the reader queries the persons with indexes.
  func makeQueryReader(isIndexed: Bool) throws -> any QueryReader
}

/// Answers each query from scratch, with a query of the store if the engine has queries.
package protocol QueryReader {
  /// The sum of the ages of all persons.
  func sumOfAges() throws -> Int

  /// The number of older persons.
  func countPersons(olderThan age: Int) throws -> Int

  /// The number of persons of an age.
  func countPersons(ofAge age: Int) throws -> Int

  /// The number of persons whose name has one of these prefixes.
  func countPersons(beginningWith prefixes: [String]) throws -> Int

  /// The number of persons with one of these names.
  func countPersons(named names: [String]) throws -> Int

  /// Sorts all persons by score, and by id for equal scores, and reads the ids of the first.
  func idsOfLowestScores(_ count: Int) throws -> [Int]
}

/// Plans queries without running them.
package protocol PlanningEngine: QueryEngine {
  /// Parses and plans `age > 50 AND name BEGINSWITH 'user12'` on the persons with indexes
  /// repeatedly.
  ///
  /// - Returns: The number of plans.
  func plan(times: Int) throws -> Int
}

/// Stores persons by their ids.
package protocol PersonEngine: Engine {
  /// Stores new persons, the last of a range perhaps in a smaller transaction.
  ///
  /// - Parameters:
  ///   - ids: The persons.
  ///   - perTransaction: How many of them share a transaction.
  /// - Throws: What the engine throws.
  func insertPersons(_ ids: Range<Int>, perTransaction: Int) throws

  /// Stores persons 0, 1, …, each in a transaction of its own, from several tasks or threads at once.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - writers: How many tasks.
  /// - Throws: What the engine throws.
  func insertPersonsConcurrently(_ count: Int, writers: Int) throws

  /// Changes the age of a person in a transaction of its own.
  ///
  /// - Parameters:
  ///   - id: The person.
  ///   - age: The new age.
  /// - Throws: What the engine throws.
  func setAge(ofPerson id: Int, to age: Int) throws

  /// A reader with a view of its own, for one thread; may be called from any.
  ///
  /// - Returns: It sees what was committed before.
  /// - Throws: What the engine throws.
  func makePersonReader() throws -> any PersonReader
}

/// Reads persons. One reader is used by one thread.
package protocol PersonReader {
  /// Looks each person up and reads name, age and score.
  ///
  /// - Parameter ids: The persons.
  /// - Returns: What was read.
  /// - Throws: What the engine throws.
  func lookUp(ids: [Int]) throws -> Checksum

  /// Goes through all persons and reads their ages.
  ///
  /// - Returns: What was read.
  /// - Throws: What the engine throws.
  func readAges() throws -> Checksum

  /// Reads all of a person; not part of any measured work.
  ///
  /// - Parameter id: The person.
  /// - Returns: As it is stored; nil when there is none.
  /// - Throws: What the engine throws.
  func readPerson(_ id: Int) throws -> Person?
}

/// Stores persons by their names: the primary key is a string.
package protocol NamedPersonEngine: Engine {
  /// Stores persons 0, 1, … in one transaction.
  ///
  /// - Parameter count: How many.
  /// - Throws: What the engine throws.
  func insertNamedPersons(_ count: Int) throws

  /// A reader with a view of its own.
  ///
  /// - Returns: It sees what was committed before.
  /// - Throws: What the engine throws.
  func makeNamedPersonReader() throws -> any NamedPersonReader
}

/// Reads persons by their names.
package protocol NamedPersonReader {
  /// Looks each person up and reads name, age and score.
  ///
  /// - Parameter names: The persons.
  /// - Returns: What was read.
  /// - Throws: What the engine throws.
  func lookUp(names: [String]) throws -> Checksum
}

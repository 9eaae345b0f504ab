/// Stores persons by id.
package protocol PersonEngine: Engine {
  /// Stores new persons. The last transaction of a range may be smaller.
  ///
  /// - Parameter perTransaction: The number of persons in a transaction.
  func insertPersons(_ ids: Range<Int>, perTransaction: Int) throws

  /// Stores the first `count` persons, each in a separate transaction, from several tasks or
  /// threads concurrently.
  ///
  /// - Parameter writers: The number of tasks or threads.
  func insertPersonsConcurrently(_ count: Int, writers: Int) throws

  /// Changes the age of a person in a separate transaction.
  func setAge(ofPerson id: Int, to age: Int) throws

  /// Creates a reader of the currently committed version, for one thread. It can be called from any
  /// thread.
  func makePersonReader() throws -> any PersonReader
}

/// Stores persons from their values, where ``PersonEngine`` stores objects.
package protocol ValueEngine: PersonEngine {
  /// Stores the first `count` persons in one transaction.
  func insertPersonValues(_ count: Int) throws
}

/// Reads persons. A reader is used by one thread.
package protocol PersonReader {
  /// Looks up each person and reads the name, age and score.
  ///
  /// - Returns: The checksum of the values.
  func lookUp(ids: [Int]) throws -> Checksum

  /// Iterates all persons and reads their ages.
  ///
  /// - Returns: The checksum of the values.
  func readAges() throws -> Checksum

  /// Reads all values of a person; nil when there is none. This is not part of any measured work.
  func readPerson(_ id: Int) throws -> Person?
}

/// Stores persons by name: the primary key is a string.
package protocol NamedPersonEngine: Engine {
  /// Stores the first `count` persons in one transaction.
  func insertNamedPersons(_ count: Int) throws

  /// Creates a reader of the currently committed version.
  func makeNamedPersonReader() throws -> any NamedPersonReader
}

/// Reads persons by name.
package protocol NamedPersonReader {
  /// Looks up each person and reads the name, age and score.
  ///
  /// - Returns: The checksum of the values.
  func lookUp(names: [String]) throws -> Checksum
}

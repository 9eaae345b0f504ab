/// Stores one list of integers.
package protocol ListEngine: Engine {
  /// Appends 0, 1, … up to `count` elements in one transaction.
  func appendToList(_ count: Int) throws

  /// Inserts elements in one transaction.
  ///
  /// - Parameter insertions: The elements, each with its index in the list at the time of its
  ///   insertion.
  /// - Throws: ``NotOffered`` if the engine's list does not support insertions.
  func insertIntoList(_ insertions: [(element: Int, index: Int)]) throws

  /// Removes elements in one transaction.
  ///
  /// - Parameter indexes: The indexes, each in the list at the time of its removal.
  /// - Throws: ``NotOffered`` if the engine's list does not support removals.
  func removeFromList(at indexes: [Int]) throws

  /// Creates a reader of the currently committed version.
  func makeListReader() throws -> any ListReader
}

/// Reads the list.
package protocol ListReader {
  /// Reads the elements at the indexes, in the given order.
  ///
  /// - Returns: A checksum that depends on the order.
  func readList(at indexes: [Int]) throws -> Checksum
}

/// Stores one dictionary with string keys and integer values.
package protocol MapEngine: Engine {
  /// Inserts `keys[i]` → i in one transaction.
  ///
  /// - Parameter keys: Distinct keys.
  func insertIntoMap(_ keys: [String]) throws

  /// Creates a reader of the currently committed version.
  func makeMapReader() throws -> any MapReader
}

/// Reads the dictionary.
package protocol MapReader {
  /// Reads the values of the keys, in the given order.
  ///
  /// - Returns: A checksum that depends on the order.
  func readMap(keys: [String]) throws -> Checksum

  /// Iterates all keys and values, in any order.
  ///
  /// - Returns: The bytes of the keys and the sum of the values.
  func readWholeMap() throws -> Checksum
}

/// Stores one list of integers.
package protocol ListEngine: Engine {
  /// Appends 0, 1, … in one transaction.
  ///
  /// - Parameter count: How many.
  /// - Throws: What the engine throws.
  func appendToList(_ count: Int) throws

  /// Inserts in one transaction.
  ///
  /// - Parameter insertions: Elements, each with its index among those that are there by then.
  /// - Throws: ``NotOffered`` where a list cannot be inserted into; what the engine throws.
  func insertIntoList(_ insertions: [(element: Int, index: Int)]) throws

  /// Removes in one transaction.
  ///
  /// - Parameter indexes: Each among the elements that are there by then.
  /// - Throws: ``NotOffered`` where a list cannot be removed from; what the engine throws.
  func removeFromList(at indexes: [Int]) throws

  /// A reader with a view of its own.
  ///
  /// - Returns: It sees what was committed before.
  /// - Throws: What the engine throws.
  func makeListReader() throws -> any ListReader
}

/// Reads the list.
package protocol ListReader {
  /// Reads the elements at these indexes.
  ///
  /// - Parameter indexes: In this order.
  /// - Returns: A checksum in which the order counts.
  /// - Throws: What the engine throws.
  func readList(at indexes: [Int]) throws -> Checksum
}

/// Stores one dictionary of strings and integers.
package protocol MapEngine: Engine {
  /// Inserts `keys[i]` → i in one transaction.
  ///
  /// - Parameter keys: All different.
  /// - Throws: What the engine throws.
  func insertIntoMap(_ keys: [String]) throws

  /// A reader with a view of its own.
  ///
  /// - Returns: It sees what was committed before.
  /// - Throws: What the engine throws.
  func makeMapReader() throws -> any MapReader
}

/// Reads the dictionary.
package protocol MapReader {
  /// Reads the values of these keys.
  ///
  /// - Parameter keys: In this order.
  /// - Returns: A checksum in which the order counts.
  /// - Throws: What the engine throws.
  func readMap(keys: [String]) throws -> Checksum

  /// Goes through all keys and values, in any order.
  ///
  /// - Returns: The bytes of the keys and the sum of the values.
  /// - Throws: What the engine throws.
  func readWholeMap() throws -> Checksum
}

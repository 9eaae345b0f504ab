/// Stores objects that each have a list of a few strings.
package protocol SmallListEngine: Engine {
  /// Stores new objects with the ids 0, 1, …, one for each list. The last transaction may be
  /// smaller.
  ///
  /// - Parameter perTransaction: The number of objects in a transaction.
  func insertSmallLists(_ lists: [[String]], perTransaction: Int) throws

  /// Replaces elements.
  ///
  /// - Parameter perTransaction: The number of changes in a transaction.
  func changeSmallLists(_ changes: [SmallListChange], perTransaction: Int) throws

  /// Reads all lists, in the order of the ids. This is not part of any measured work.
  func readSmallLists() throws -> [[String]]
}

/// Stores objects that each have a dictionary with a few string keys and integer values.
package protocol SmallMapEngine: Engine {
  /// Stores new objects with the ids 0, 1, …, one for each dictionary. The last transaction may be
  /// smaller.
  ///
  /// - Parameter perTransaction: The number of objects in a transaction.
  func insertSmallMaps(_ maps: [[SmallMapEntry]], perTransaction: Int) throws

  /// Sets values of existing keys.
  ///
  /// - Parameter perTransaction: The number of changes in a transaction.
  func changeSmallMaps(_ changes: [SmallMapChange], perTransaction: Int) throws

  /// Increments the value of an existing key repeatedly, each time in a separate transaction.
  func incrementInSmallMap(_ id: Int, key: String, times: Int) throws

  /// Reads all dictionaries, in the order of the ids. This is not part of any measured work.
  func readSmallMaps() throws -> [[String: Int]]
}

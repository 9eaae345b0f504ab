import VarveEncoding
import VarveStorage

/// Whole contents of collections inside a write transaction.
extension FileEditor {
  /// Returns the keys of a dictionary.
  package func keys(_ collection: EditedCollection) throws(Failure) -> [String] {
    try storage.dictionaryKeys(try content(of: collection))
  }

  /// Returns the elements of a list.
  ///
  /// - Complexity: O(n).
  func elements(_ collection: EditedCollection) throws(Failure) -> [Value] {
    let list = try list(collection)
    var elements: [Value] = []
    // Limited because the count may be damaged.
    elements.reserveCapacity(min(list.count, 1 << 16))
    for index in 0..<list.count {
      elements.append(try element(list, collection.property, at: index))
    }
    return elements
  }

  /// Returns the index of the first element with the given bits, in a packed list.
  func firstIndex(
    ofBits bits: UInt64, _ collection: EditedCollection
  ) throws(Failure) -> Int? {
    let list = try list(collection)
    return try engine { () throws(StorageError) in try list.firstIndex(ofBits: bits) }
  }

  /// Fills the properties of a new row that the model lacks because another process added them.
  package func fillUnknown(
    _ schema: ClassSchema, _ binding: ClassBinding, object id: UInt64
  ) throws(Failure) {
    guard schema.properties.count > binding.boundCount else { return }
    if schema.mayLackDefaults { leavesDefaults = true }
    let modelIDs = Set(binding.properties.compactMap { $0?.id })
    for property in schema.properties where !modelIDs.contains(property.id) {
      try fill(schema, property, property.constant, object: id)
    }
  }
}

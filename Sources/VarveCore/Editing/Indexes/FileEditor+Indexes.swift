import VarveEncoding
package import VarveStorage

extension FileEditor {
  var fileKey: FileKey { file.fileKey }

  /// Inserts a value into the property's index.
  ///
  /// - Throws: `.duplicatePrimaryKey` when the index is unique and another object has the value.
  func enterIndex(
    _ property: StoredProperty, _ value: Value, object id: UInt64, in schema: ClassSchema
  ) throws(Failure) {
    guard property.indexID != 0 else { return }
    if property.isPrimaryKey {
      let other = try storage.uniqueObject(
        indexID: property.indexID, value, fileKey: fileKey)
      guard other == nil || other == id else { throw duplicateKey(value, property, schema) }
    }
    IndexKey.encode(
      value, propertyType: property.kind.type, indexID: property.indexID, objectID: id,
      isInKey: !property.isPrimaryKey, fileKey: fileKey, key: &scratchKey, entry: &scratchValue)
    try putScratch(.indexes)
  }

  /// Removes a value from the property's index.
  func leaveIndex(_ property: StoredProperty, _ value: Value, object id: UInt64) throws(Failure) {
    guard property.indexID != 0 else { return }
    _ = IndexKey.encodeKey(
      value, propertyType: property.kind.type, indexID: property.indexID,
      objectID: property.isPrimaryKey ? nil : id, fileKey: fileKey, into: &scratchKey)
    try deleteScratchKey(.indexes)
  }

  func duplicateKey(
    _ value: Value, _ property: StoredProperty, _ schema: ClassSchema
  ) -> Failure {
    Failure(
      .duplicatePrimaryKey, "An object with this primary key exists already.",
      className: schema.name, propertyName: schema.declaredName(of: property), value: value.text)
  }

  /// Stores `scratchValue` under `scratchKey`.
  ///
  /// `append`: whether the key is expected to be greater than all others.
  func putScratch(_ table: Table, append: Bool = false) throws(Failure) {
    try change { () throws(StorageError) in
      try scratchKey.withUnsafeBytes { (key) throws(StorageError) in
        try scratchValue.withUnsafeBytes { (value) throws(StorageError) in
          try storage.put(table, key: key, value, append: append)
        }
      }
    }
  }

  /// Removes the entry under `scratchKey`.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  func deleteScratchKey(_ table: Table) throws(Failure) -> Bool {
    guard _fastPath(!hasLeftEngine) else { return false }
    return try engine { () throws(StorageError) in
      try scratchKey.withUnsafeBytes { (key) throws(StorageError) in
        try storage.delete(table, key: key)
      }
    }
  }

  /// Inserts every stored object into a new index.
  ///
  /// - Complexity: O(objects of the class).
  func buildIndex(_ property: StoredProperty, of schema: ClassSchema) throws(Failure) {
    for id in try objectIDs(of: schema) {
      guard let value = try storage.value(schema, id, property) else { continue }
      try enterIndex(property, value, object: id, in: schema)
    }
  }

  /// Returns the ids of all objects of a class, in order.
  func objectIDs(of schema: ClassSchema) throws(Failure) -> [UInt64] {
    try flush()
    return reader.objectIDs(of: schema)
  }
}

extension TableReader {
  /// Returns the ids of all objects of a class, in order.
  package func objectIDs(of schema: ClassSchema) -> [UInt64] {
    ids(schema.table, in: 0...UInt64.max)
  }
}

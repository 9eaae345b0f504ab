import VarveEncoding

extension FileEditor {
  /// Returns the collection of a property, or one nested below it, in the transaction's state.
  ///
  /// - Throws: `.invalidatedObject` when the owner, or the nested collection, does not exist.
  func collection(
    _ schema: ClassSchema, _ id: UInt64, _ property: StoredProperty, nested: NestedIdentity?
  ) throws(Failure) -> EditedCollection {
    guard let nested else { return try collection(schema, id, property) }
    let key = CollectionKey(
      owner: RowKey(classID: schema.id, objectID: id), propertyID: property.id,
      nestedID: nested.id)
    return try nestedCollection(schema, property, key)
  }

  /// Returns the collection with a key. See ``collection(_:_:_:nested:)``.
  func collection(
    _ schema: ClassSchema, _ property: StoredProperty, _ key: CollectionKey
  ) throws(Failure) -> EditedCollection {
    guard key.nestedID == 0 else { return try nestedCollection(schema, property, key) }
    return try collection(schema, key.owner.objectID, property)
  }

  /// Returns a stored collection in the transaction's state. See ``collection(_:_:_:nested:)``.
  func collection(_ stored: StoredCollection) throws(Failure) -> EditedCollection {
    let property = stored.schema.property(id: stored.property.id) ?? stored.property
    return try collection(stored.schema, stored.ownerID, property, nested: stored.nested)
  }
}

import VarveEncoding

extension FileEditor {
  /// A stored collection as the transaction has it.
  ///
  /// - Throws: `.invalidatedObject` when the owner, or the nested collection, does not exist.
  func collection(_ stored: StoredCollection) throws(Failure) -> EditedCollection {
    guard let nested = stored.nested else {
      return try collection(stored.schema, stored.ownerID, stored.property)
    }
    let property = stored.property
    let key = CollectionKey(
      owner: RowKey(classID: stored.schema.id, objectID: stored.ownerID), propertyID: property.id,
      nestedID: nested.id)
    return try nestedCollection(
      stored.schema, stored.schema.property(id: property.id) ?? property, key)
  }
}

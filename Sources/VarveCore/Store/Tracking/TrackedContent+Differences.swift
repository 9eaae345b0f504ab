import VarveEncoding
import VarveStorage

extension TrackedContent {
  /// Returns whether a read differs between two versions.
  ///
  /// As for observers, a property that was set to its current value counts as different.
  /// - Throws: `.corrupted`.
  /// - Complexity: That of the changes in the class, once for all reads. For the results of a list,
  ///   a map or links the query may be run.
  func differs(
    _ key: TrackedKey, _ difference: VersionDifference, _ store: Store
  ) throws(Failure) -> Bool {
    guard let schema = difference.schema.schema(named: model.name) else { return false }
    switch key {
    case .property(_, let slot, let id):
      let objects = try difference.objects(ofClass: schema.id)
      if objects.hasOneSided(id) { return true }
      guard let property = schema.property(named: model.properties[slot].name) else { return false }
      return objects.modification(of: id)?.propertyIDs.contains(property.id) ?? false
    case .existence(_, let id):
      return try difference.objects(ofClass: schema.id).hasOneSided(id)
    case .primaryKey(_, let value):
      guard let key = schema.primaryKey.map(KeyTraits.init) else { return false }
      return try difference.old.objectID(key, value, schema, store)
        != difference.new.objectID(key, value, schema, store)
    case .allObjects:
      let objects = try difference.objects(ofClass: schema.id)
      return !objects.inserted.isEmpty || !objects.deleted.isEmpty
    case .results:
      return try results?.differ(schema, difference, store) ?? false
    }
  }
}

extension ObjectChanges {
  /// Whether an object exists in only one of the versions.
  fileprivate func hasOneSided(_ id: UInt64) -> Bool {
    deleted.containsAscending(id) || inserted.containsAscending(id)
  }
}

extension Snapshot {
  /// Returns the object with a primary key.
  fileprivate func objectID(
    _ key: KeyTraits, _ value: Value, _ schema: ClassSchema, _ store: Store
  ) throws(Failure) -> UInt64? {
    guard key.kind.accepts(value) else { return nil }
    guard key.isObjectID else {
      return try uniqueObject(indexID: key.indexID, value, fileKey: store.fileKey)
    }
    guard case .int(let integer) = value else { return nil }
    let id = ObjectKey.objectID(forInteger: integer)
    return find(schema.table, id: id) == nil ? nil : id
  }
}

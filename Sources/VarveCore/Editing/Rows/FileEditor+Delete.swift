import VarveEncoding
import VarveStorage

extension FileEditor {
  /// Deletes objects.
  ///
  /// Links to them become null, also in mixed values. Lists and sets of objects lose them;
  /// dictionaries keep their keys with null values. The targets are grouped by collection, and each
  /// collection is visited once. Objects embedded in the deleted ones become orphans, and are
  /// deleted before the operation ends.
  /// - Complexity: O(objects + links to and from them + elements of the collections that contain
  ///   them).
  package func delete(_ keys: some Sequence<RowKey>) throws(Failure) {
    let deleted = Set(keys)
    var affected: [CollectionKey: Set<RowKey>] = [:]
    var greatest: [UInt32: UInt64] = [:]
    for key in deleted {
      let schema = try classSchema(key.classID)
      guard exists(schema, key.objectID) else { continue }
      if schema.generatesKeys {
        greatest[schema.id] = max(greatest[schema.id] ?? 0, key.objectID)
      }
      try releaseProperties(schema, key.objectID)
      try cutIncomingLinks(to: key, deleting: deleted, affected: &affected)
      rows.forget(key)
      try change { () throws(StorageError) in
        _ = try storage.delete(schema.table, id: key.objectID)
      }
      if hasLeftEngine { deletedInMemory.insert(key) }
    }
    for (key, targets) in affected where !deleted.contains(key.owner) {
      try removeTargets(targets, from: key)
    }
    highestObjectIDs.removeAll()
    for (classID, id) in greatest { try noteDeletedKey(id, try classSchema(classID)) }
  }

  /// Releases the object's data outside its row: index entries, backlinks of its link targets,
  /// blobs and collections.
  private func releaseProperties(_ schema: ClassSchema, _ id: UInt64) throws(Failure) {
    if !schema.indexes.isEmpty { try leaveClassIndexes(schema, id) }
    for property in schema.properties {
      if property.kind.collection == .none, property.indexID != 0,
        let value = try value(schema, id, property)
      {
        try leaveIndex(property, value, object: id)
      }
      try release(property, schema, id)
    }
  }

  /// Releases one property's data outside the row, except its index entry. The row is not changed.
  func release(
    _ property: StoredProperty, _ schema: ClassSchema, _ id: UInt64
  ) throws(Failure) {
    guard property.kind.collection == .none else {
      return try deleteCollection(schema, id, property)
    }
    guard property.kind.hasDataOutsideRow, let row = try editedRow(schema, id),
      let field = schema.currentLayout.field(forProperty: property.id)
    else { return }
    let stored = try format { () throws(FormatError) in try row.buffer.reader.value(field) }
    try release(stored, of: property, RowKey(classID: schema.id, objectID: id))
  }

  /// Sets the to-one links to an object to null, collects the collections that contain it, and
  /// removes its backlinks.
  func cutIncomingLinks(
    to target: RowKey, deleting deleted: Set<RowKey>, affected: inout [CollectionKey: Set<RowKey>]
  ) throws(Failure) {
    for link in try incomingLinks(to: target) {
      link.key.encode(into: &scratchKey)
      try deleteScratchKey(.backlinks)
      guard !deleted.contains(link.origin) else { continue }
      let schema = try classSchema(link.origin.classID)
      guard let property = schema.property(id: link.key.originProperty) else { continue }
      if let key = link.collectionKey(property) {
        affected[key, default: []].insert(target)
        continue
      }
      guard let field = schema.currentLayout.field(forProperty: property.id),
        let row = try editedRow(schema, link.origin.objectID)
      else { continue }
      try changeIndexes(
        schema, link.origin.objectID, property,
        from: .link(classID: target.classID, objectID: target.objectID), to: .null)
      row.buffer.setNull(field)
      try noteSet(row, property, isEqual: false)
    }
  }

  /// Removes deleted objects from one collection, in one pass.
  func removeTargets(
    _ targets: Set<RowKey>, from key: CollectionKey
  ) throws(Failure) {
    let schema = try classSchema(key.owner.classID)
    guard let property = schema.property(id: key.propertyID) else { return }
    let collection = try collection(schema, property, key)
    switch collection.property.kind.collection {
    case .list where property.kind.type == .mixed, .dictionary:
      try replaceElements(of: collection) { $0.links(toAnyOf: targets) ? .null : nil }
    case .list:
      let list = try changedList(collection)
      let ids = Set(targets.map(\.objectID))
      _ = try engine { () throws(StorageError) in try list.removeAll { ids.contains($0) } }
    case .set:
      for target in targets {
        try removeElement(
          .link(classID: target.classID, objectID: target.objectID), collection)
      }
    case .none: break
    }
  }

  /// Deletes every object of every class.
  package func deleteAll() throws(Failure) {
    // Embedded objects last: most are deleted with their parents.
    let (embedded, others) = (
      schema.classes.filter(\.record.isEmbedded), schema.classes.filter { !$0.record.isEmbedded }
    )
    for schema in others + embedded {
      let ids = try objectIDs(of: schema)
      try delete(ids.map { RowKey(classID: schema.id, objectID: $0) })
    }
  }
}

extension Value {
  /// Whether the value is a link to one of the given objects.
  fileprivate func links(toAnyOf targets: Set<RowKey>) -> Bool {
    guard case .link(let classID, let id) = self else { return false }
    return targets.contains(RowKey(classID: classID, objectID: id))
  }
}

extension PropertyKind {
  /// Whether values of the kind may be stored, or counted, outside the row.
  var hasDataOutsideRow: Bool { collection != .none || type == .link || isVariable }
}

package import VarveEncoding
import VarveStorage

extension TableReader {
  /// Returns the record of a nested collection, or nil if the collection does not exist.
  ///
  /// - Throws: `.corrupted`.
  func collectionRecord(_ id: UInt64) throws(Failure) -> CollectionRecord? {
    var key = OrderedKey()
    CollectionRecord.encodeKey(collectionID: id, into: &key)
    guard let bytes = key.withUnsafeBytes({ find(.collections, key: $0) }) else { return nil }
    return try Failure.decoding(
      "The record of a collection is damaged.", try CollectionRecord(decoding: bytes))
  }

  /// Whether a nested collection exists.
  func hasCollection(_ id: UInt64) -> Bool {
    var key = OrderedKey()
    CollectionRecord.encodeKey(collectionID: id, into: &key)
    return key.withUnsafeBytes { find(.collections, key: $0) } != nil
  }
}

/// Collections nested in mixed values, inside a write transaction.
///
/// A nested collection is found by its id. The slot in the value that contains it has a revision,
/// so that comparisons of rows, lists and dictionaries detect a change of a collection at any
/// depth: the first change of a collection increments the revision in its slot, and the revisions
/// of all enclosing collections.
extension FileEditor {
  /// Returns a nested collection for reading or changing inside the transaction.
  ///
  /// - Parameters:
  ///   - schema: The class of the object that contains it.
  ///   - property: The property that contains it.
  ///   - key: The key of the collection.
  /// - Returns: The collection; the enclosing collections are cached too.
  /// - Throws: `.invalidatedObject` when it does not exist.
  /// - Complexity: O(depth) lookups.
  package func nestedCollection(
    _ schema: ClassSchema, _ property: StoredProperty, _ key: CollectionKey
  ) throws(Failure) -> EditedCollection {
    if let collection = collections.all[key] { return collection }
    let chain = try chain(schema, property, key)
    // Room for all is made at once: a cached collection requires its enclosing ones to be cached.
    try makeRoomForCollections(for: chain.count + 1)
    var parent: EditedCollection?
    if property.kind.collection != .none {
      parent = try hold(
        schema, property, CollectionKey(owner: key.owner, propertyID: key.propertyID))
    }
    for nested in chain.reversed() {
      var nestedKey = key
      nestedKey.nestedID = nested.id
      parent = try hold(nested, nestedKey, in: parent, schema, property)
    }
    guard let collection = parent else { throw missing(schema, property) }
    return collection
  }

  /// Returns a collection and its enclosing ones, the innermost first, without the collection of
  /// the property.
  private func chain(
    _ schema: ClassSchema, _ property: StoredProperty, _ key: CollectionKey
  ) throws(Failure) -> [NestedIdentity] {
    guard exists(schema, key.owner.objectID) else { throw missing(schema, property) }
    var chain: [NestedIdentity] = []
    var id = key.nestedID
    repeat {
      guard let record = try reader.collectionRecord(id) else { throw missing(schema, property) }
      guard record.ownerClassID == key.owner.classID, record.ownerPropertyID == property.id,
        record.ownerObjectID == key.owner.objectID, chain.count < NestedContent.maximumDepth
      else { throw misplaced(schema, property) }
      chain.append(NestedIdentity(id: id, kind: record.kind.collection))
      id = record.parentID
    } while id != 0
    return chain
  }

  private func hold(
    _ nested: NestedIdentity, _ key: CollectionKey, in parent: EditedCollection?,
    _ schema: ClassSchema, _ property: StoredProperty
  ) throws(Failure) -> EditedCollection {
    if let collection = collections.all[key] { return collection }
    let collection = EditedCollection(
      key: key, schema: schema, property: property.nested(nested.kind),
      slot: CollectionSlot(id: nested.id, revision: 0, count: 0), location: NestedLocation(parent))
    collections.insert(collection)
    if nested.kind == .list { _ = try list(collection) } else { collection.isCounted = false }
    return collection
  }

  private func missing(_ schema: ClassSchema, _ property: StoredProperty) -> Failure {
    Failure(
      .invalidatedObject, "The collection has been removed, or its object deleted.",
      className: schema.name, propertyName: schema.declaredName(of: property))
  }

  private func misplaced(_ schema: ClassSchema, _ property: StoredProperty) -> Failure {
    Failure(
      .corrupted, "A nested collection is not at the location in its record.",
      className: schema.name, propertyName: schema.declaredName(of: property))
  }

  // MARK: Changing

  /// Increments the revision of a nested collection in its slot, and the revisions of the enclosing
  /// collections.
  ///
  /// - Complexity: O(depth · log n); O(n) if the collection is no longer at the position found
  ///   last.
  func beginChange(_ collection: EditedCollection, at location: NestedLocation) throws(Failure) {
    let revision: UInt32
    if let parent = location.parent {
      try beginChange(parent)
      revision = try raiseRevision(of: collection, in: parent)
    } else {
      revision = try raiseRevisionInRow(of: collection)
    }
    collection.slot = CollectionSlot(
      id: collection.slot.id, revision: revision, count: collection.slot.count)
    collection.isChanged = true
  }

  private func raiseRevisionInRow(of collection: EditedCollection) throws(Failure) -> UInt32 {
    guard let (row, field) = try editedField(of: collection) else {
      throw missing(collection.schema, collection.property)
    }
    let stored = try format { () throws(FormatError) in try row.buffer.reader.value(field) }
    guard let raised = stored.raised(collection.slot.id) else {
      throw misplaced(collection.schema, collection.property)
    }
    try format { () throws(FormatError) in try row.buffer.set(raised.value, field) }
    row.isChanged = true
    return raised.revision
  }

  private func raiseRevision(
    of collection: EditedCollection, in parent: EditedCollection
  ) throws(Failure) -> UInt32 {
    if parent.property.kind.collection == .dictionary {
      return try raiseRevision(of: collection, inDictionary: parent)
    }
    let id = collection.slot.id
    let list = try list(parent)
    for isKnown in [true, false] {
      if !isKnown { try findPositions(in: list, of: parent) }
      guard let index = parent.positions.indexes[id], index < list.count,
        let raised = try storedElement(list, parent.property, at: index).raised(id)
      else { continue }
      try replaceElement(list, parent.property, at: index, by: raised.value)
      return raised.revision
    }
    throw misplaced(collection.schema, collection.property)
  }

  /// Finds the positions of all collections nested in a list at once, so that changing each of them
  /// costs O(n) in total.
  private func findPositions(
    in list: ListEditor, of collection: EditedCollection
  ) throws(Failure) {
    var indexes: [UInt64: Int] = [:]
    for index in 0..<list.count {
      let stored = try storedElement(list, collection.property, at: index)
      if case .value(.nested(_, let slot)) = stored { indexes[slot.id] = index }
    }
    collection.positions.indexes = indexes
  }

  private func raiseRevision(
    of collection: EditedCollection, inDictionary parent: EditedCollection
  ) throws(Failure) -> UInt32 {
    let id = collection.slot.id
    for isKnown in [true, false] {
      if !isKnown { try findPositions(inDictionary: parent) }
      guard let key = parent.positions.keys[id],
        let raised = try reader.storedDictionaryValue(
          try content(of: parent), key, parent.property, fileKey: fileKey)?.raised(id)
      else { continue }
      try putEntry(raised.value, parent, key)
      return raised.revision
    }
    throw misplaced(collection.schema, collection.property)
  }

  private func findPositions(inDictionary collection: EditedCollection) throws(Failure) {
    var keys: [UInt64: String] = [:]
    for key in try self.keys(collection) {
      let stored = try reader.storedDictionaryValue(
        try content(of: collection), key, collection.property, fileKey: fileKey)
      if case .value(.nested(_, let slot)) = stored { keys[slot.id] = key }
    }
    collection.positions.keys = keys
  }

  // MARK: Removing

  /// Removes a detached nested collection and everything in it.
  ///
  /// Collections at deeper levels are queued instead of removed recursively.
  func deleteNested(_ nested: NestedIdentity, below key: CollectionKey) throws(Failure) {
    var key = key
    key.nestedID = nested.id
    removedNested.append((key, nested.kind))
    guard removedNested.count == 1 else { return }
    // The first entry stays until all are removed: while it is there, others are only appended.
    defer { removedNested.removeAll() }
    var next = 0
    while next < removedNested.count {
      let (key, kind) = removedNested[next]
      try deleteRemoved(key, kind)
      next += 1
    }
  }

  private func deleteRemoved(_ key: CollectionKey, _ kind: CollectionKind) throws(Failure) {
    let schema = try classSchema(key.owner.classID)
    guard let property = schema.property(id: key.propertyID) else { return }
    let collection =
      collections.all[key]
      ?? EditedCollection(
        key: key, schema: schema, property: property.nested(kind),
        slot: CollectionSlot(id: key.nestedID, revision: 0, count: 0), location: NestedLocation(nil)
      )
    collections.insert(collection)
    if kind == .dictionary { collection.isCounted = false } else { _ = try list(collection) }
    // It is no longer in a slot whose revision could be incremented.
    collection.isChanged = true
    try deleteContent(collection)
    collections.forget(key)
  }
}

extension StoredValue {
  /// Returns a nested collection with its next revision, or nil if it does not have the given id.
  fileprivate func raised(_ id: UInt64) -> (value: Value, revision: UInt32)? {
    guard case .value(.nested(let kind, let slot)) = self, slot.id == id else { return nil }
    let revision = slot.revision &+ 1
    return (.nested(kind, CollectionSlot(id: id, revision: revision, count: 0)), revision)
  }
}

import VarveEncoding
import VarveStorage

/// A change of an object's id.
struct ObjectMove {
  var from: UInt64
  var to: UInt64
}

/// An integer key is the object id. If a class gains or loses an integer key, its objects are
/// moved.
extension SchemaMigration {
  /// Moves objects, with their collections, their index entries, and all links from and to them.
  ///
  /// - Complexity: O(objects, links from and to them, elements of the collections that contain
  ///   them). Takes 32 bytes of memory for each object.
  func move(_ moves: [ObjectMove], classID: UInt32) throws(Failure) {
    let schema = try transaction.classSchema(classID)
    let moves = moves.filter { $0.from != $0.to }
    guard moves.contains(where: { transaction.exists(schema, $0.to) }) else {
      return try moveToFreeIDs(moves, classID)
    }
    // Some target ids are in use: move all objects to unused ids first.
    let between = moves.map { ObjectMove(from: $0.from, to: transaction.nextObjectID()) }
    try moveToFreeIDs(between, classID)
    try moveToFreeIDs(
      zip(between, moves).map { ObjectMove(from: $0.to, to: $1.to) }, classID)
  }

  private func moveToFreeIDs(_ moves: [ObjectMove], _ classID: UInt32) throws(Failure) {
    try transaction.flush()
    transaction.highestObjectIDs.removeAll()
    let schema = try transaction.classSchema(classID)
    for move in moves { try moveRow(move, schema) }
    let targets = Dictionary(
      moves.map { ($0.from, $0.to) }, uniquingKeysWith: { first, _ in first })
    var holders: Set<CollectionKey> = []
    for move in moves { try moveIncomingLinks(move, schema, &holders) }
    for holder in holders { try replaceLinks(in: holder, to: classID, targets) }
    try transaction.flush()
    transaction.highestObjectIDs.removeAll()
  }

  private func moveRow(_ move: ObjectMove, _ schema: ClassSchema) throws(Failure) {
    guard let row = try transaction.editedRow(schema, move.from) else { return }
    for property in schema.properties {
      try moveContent(of: property, move, schema)
      guard property.kind.collection == .none, property.indexID != 0,
        let value = try transaction.value(schema, move.from, property)
      else { continue }
      try transaction.leaveIndex(property, value, object: move.from)
      try transaction.enterIndex(property, value, object: move.to, in: schema)
    }
    let bytes = row.buffer.finish(classID: schema.id, objectID: move.to)
    try transaction.change { () throws(StorageError) in
      try transaction.storage.put(schema.table, id: move.to, bytes)
      _ = try transaction.storage.delete(schema.table, id: move.from)
    }
    transaction.rows.forget(row.key)
  }

  /// Reassigns the collections of a property, and the links in it, to the object's new id.
  private func moveContent(
    of property: StoredProperty, _ move: ObjectMove, _ schema: ClassSchema
  ) throws(Failure) {
    guard property.kind.collection != .none || property.kind.type.mayLink else { return }
    let key = CollectionKey(
      owner: RowKey(classID: schema.id, objectID: move.from), propertyID: property.id)
    var collections: [CollectionKey] = []
    if property.kind.collection == .none {
      let value = try transaction.value(schema, move.from, property) ?? .null
      try moveValue(value, move, schema, property, &collections, key)
    } else {
      let collection = try transaction.collection(schema, move.from, property)
      guard collection.slot.id != 0 else { return transaction.collections.forget(key) }
      collections.append(key)
    }
    // Read all collections before changing an owner: a nested collection is found through the
    // owners of its enclosing collections.
    var index = 0
    while index < collections.count {
      let key = collections[index]
      let collection = try transaction.collection(schema, property, key)
      if property.kind.type.mayLink {
        for value in try transaction.elementValues(collection) {
          try moveValue(value, move, schema, property, &collections, key)
        }
      }
      index += 1
    }
    for key in collections { transaction.collections.forget(key) }
    for key in collections where key.nestedID != 0 {
      try transaction.setOwner(ofNested: key.nestedID, to: move.to)
    }
  }

  /// Reassigns the backlink of a link to the object's new id, and records a nested collection.
  private func moveValue(
    _ value: Value, _ move: ObjectMove, _ schema: ClassSchema,
    _ property: StoredProperty, _ nested: inout [CollectionKey], _ key: CollectionKey
  ) throws(Failure) {
    switch value {
    case .link(let target, let id):
      try moveOrigin(
        move, schema, property, RowKey(classID: target, objectID: id), key.nestedID)
    case .nested(_, let slot):
      nested.append(
        CollectionKey(owner: key.owner, propertyID: key.propertyID, nestedID: slot.id))
    default: break
    }
  }

  /// Reassigns the backlink of one link to the object's new id.
  private func moveOrigin(
    _ move: ObjectMove, _ schema: ClassSchema, _ property: StoredProperty, _ target: RowKey,
    _ nestedID: UInt64
  ) throws(Failure) {
    for (id, change) in [(move.from, -1), (move.to, 1)] {
      try transaction.changeBacklink(
        target: target, origin: RowKey(classID: schema.id, objectID: id), property: property.id,
        nested: nestedID, by: change)
    }
  }

  /// Updates the to-one links to an object, and records the collections that contain it.
  private func moveIncomingLinks(
    _ move: ObjectMove, _ schema: ClassSchema, _ holders: inout Set<CollectionKey>
  ) throws(Failure) {
    for link in try transaction.incomingLinks(
      to: RowKey(classID: schema.id, objectID: move.from))
    {
      let target = RowKey(classID: schema.id, objectID: move.to)
      let origin = try transaction.classSchema(link.origin.classID)
      guard let property = origin.property(id: link.key.originProperty) else { continue }
      // A set removes the old element and inserts the new one, which updates the backlinks of both.
      guard property.kind.collection != .set else {
        holders.insert(CollectionKey(owner: link.origin, propertyID: property.id))
        continue
      }
      let holder = link.collectionKey(property)
      link.key.encode(into: &transaction.scratchKey)
      try transaction.deleteScratchKey(.backlinks)
      try transaction.changeBacklink(
        target: target, origin: link.origin, property: link.key.originProperty,
        nested: link.key.nestedID, by: link.count)
      if let holder {
        holders.insert(holder)
        continue
      }
      guard let field = origin.currentLayout.field(forProperty: property.id),
        let row = try transaction.editedRow(origin, link.origin.objectID)
      else { continue }
      let value = Value.link(classID: target.classID, objectID: target.objectID)
      try transaction.changeIndexes(
        origin, link.origin.objectID, property,
        from: .link(classID: schema.id, objectID: move.from), to: value)
      try transaction.format { () throws(FormatError) in try row.buffer.set(value, field) }
      row.isChanged = true
    }
  }

  /// Replaces the links of a collection. Their backlinks have already been moved.
  private func replaceLinks(
    in key: CollectionKey, to classID: UInt32, _ targets: [UInt64: UInt64]
  ) throws(Failure) {
    func moved(_ value: Value) -> Value? {
      guard case .link(classID, let id) = value else { return nil }
      return targets[id].map { .link(classID: classID, objectID: $0) }
    }
    let schema = try transaction.classSchema(key.owner.classID)
    guard let property = schema.property(id: key.propertyID) else { return }
    let collection = try transaction.collection(schema, property, key)
    switch collection.property.kind.collection {
    case .list, .dictionary: try transaction.replaceElements(of: collection, by: moved)
    case .set:
      let old = try transaction.setElements(collection).filter { moved($0) != nil }
      for value in old { try transaction.removeElement(value, collection) }
      try transaction.insertElements(old.compactMap(moved), collection)
    case .none: break
    }
  }
}

extension FileEditor {
  /// The elements of a collection.
  fileprivate func elementValues(_ collection: EditedCollection) throws(Failure) -> [Value] {
    switch collection.property.kind.collection {
    case .list: try elements(collection)
    case .set: try setElements(collection)
    case .dictionary:
      try storage.dictionaryEntries(try content(of: collection), collection.property).map(\.value)
    case .none: []
    }
  }

  /// Stores a new owner in the record of a nested collection.
  fileprivate func setOwner(ofNested id: UInt64, to ownerID: UInt64) throws(Failure) {
    guard let record = try storage.collectionRecord(id) else { return }
    CollectionRecord.encodeKey(collectionID: id, into: &scratchKey)
    CollectionRecord(
      kind: record.kind, ownerClassID: record.ownerClassID, ownerObjectID: ownerID,
      ownerPropertyID: record.ownerPropertyID, parentID: record.parentID
    ).encode(into: &scratchValue)
    try putScratch(.collections)
  }
}

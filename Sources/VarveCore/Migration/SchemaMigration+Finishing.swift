import VarveEncoding
import VarveStorage

extension SchemaMigration {
  /// Completes the migration: removes dropped properties and classes, sets up primary keys and
  /// indexes, and stores the new schema version.
  ///
  /// - Throws: `.duplicatePrimaryKey` with class, property and value. `.invalidInput` if a property
  ///   still links to a removed class, or if an object that becomes embedded does not have exactly
  ///   one owner.
  func finish(version: UInt64) throws(Failure) {
    try prepare()
    try transaction.flush()
    for schema in schema.classes { try drop(schema) }
    try transaction.deleteOrphans()
    try removeClasses()
    for model in models {
      if let stored = schema.schema(named: model.name) {
        try transaction.restate(model.restated(in: stored), model.name)
      }
      try forgetLastKey(model)
      try setUpKey(model)
      try setAutoIncrement(model)
      try setUpIndexes(model)
      try setUpClassIndexes(model)
    }
    let embedded = models.filter(\.isEmbedded)
    let added = embedded.filter { schema.schema(named: $0.name)?.record.isEmbedded == false }
    for model in embedded { try embed(model) }
    if !added.isEmpty { try checkRoots(of: embedded) }
    try forgetModels()
    transaction.storage.root.userSchemaVersion = version
    if schema.mayLackDefaults { transaction.leavesDefaults = true }
    transaction.schema = schema.with(version: version)
    transaction.registered = models.map(\.hash)
    if let listedHash { try transaction.noteModel(listedHash) }
    transaction.classes.removeAll()
  }

  /// Releases the data of the hidden properties of a class and removes these properties.
  private func drop(_ schema: ClassSchema) throws(Failure) {
    let dropped = schema.properties.filter(\.isHidden)
    guard !dropped.isEmpty else { return }
    let releasing = dropped.filter(\.kind.hasDataOutsideRow)
    if !releasing.isEmpty {
      try forEachID(schema.id) { (schema, id) throws(Failure) in
        for property in releasing { try transaction.release(property, schema, id) }
      }
    }
    for property in dropped where property.indexID != 0 {
      try transaction.deleteIndex(property.indexID)
    }
    var record = schema.record
    record.properties.removeAll(where: \.isHidden)
    try record.addLayout()
    try transaction.save(record)
  }

  private func removeClasses() throws(Failure) {
    guard !removedClasses.isEmpty else { return }
    for schema in schema.classes where !removedClasses.contains(schema.id) {
      for property in schema.properties where removedClasses.contains(property.linkedClassID) {
        throw Failure(
          .invalidInput, "A property still links to a removed class.",
          className: schema.name, propertyName: schema.declaredName(of: property),
          value: self.schema.schema(ofClass: property.linkedClassID)?.name)
      }
    }
    for id in removedClasses {
      for property in try transaction.classSchema(id).properties where property.indexID != 0 {
        try transaction.deleteIndex(property.indexID)
      }
      for index in try transaction.classSchema(id).indexes { try transaction.deleteIndex(index.id) }
      CatalogKey.classRecord(id: id).encode(into: &transaction.scratchKey)
      try transaction.deleteScratchKey(.catalog)
      try transaction.forgetLastKey(ofClass: id)
    }
    transaction.schema = schema.without(removedClasses)
  }

  // MARK: Primary keys

  private func setUpKey(_ model: ClassDescription) throws(Failure) {
    guard let schema = schema.schema(named: model.name) else { return }
    let wasInteger = formerIntegerKeys.contains(schema.id)
    guard newKeys.contains(schema.id), let slot = model.primaryKeySlot,
      let property = schema.property(named: model.properties[slot].name)
    else {
      if wasInteger { try moveToNewIDs(schema) }
      return
    }
    if property.kind.isIntegerKey {
      let isGenerated = model.generatesKeys
      return try setUpIntegerKey(schema, property, isGenerated: isGenerated)
    }
    if wasInteger { try moveToNewIDs(schema) }
    try transaction.deleteIndex(property.indexID)
    var record = schema.record
    guard let index = record.propertyIndex(of: property.id) else { return }
    record.properties[index].isPrimaryKey = true
    record.properties[index].indexID = transaction.newIndexID()
    record.primaryKeyPropertyID = property.id
    try transaction.save(record)
    try buildIndex(record.properties[index].id, schema.id)
  }

  /// Moves objects to the ids that equal their keys, and removes the key from the rows.
  ///
  /// - Parameter isGenerated: Whether objects with the key 0 get the next generated keys, in id
  ///   order.
  private func setUpIntegerKey(
    _ schema: ClassSchema, _ property: StoredProperty, isGenerated: Bool
  ) throws(Failure) {
    var moves: [ObjectMove] = []
    try forEachID(schema.id) { (schema, id) throws(Failure) in
      guard case .int(let key)? = try transaction.value(schema, id, property) else { return }
      moves.append(ObjectMove(from: id, to: ObjectKey.objectID(forInteger: key)))
    }
    if isGenerated { try numberObjects(&moves, schema, property) }
    moves.sort { $0.to < $1.to }
    for (first, second) in zip(moves, moves.dropFirst()) where first.to == second.to {
      let key = Value.int(ObjectKey.integer(forObjectID: first.to))
      throw transaction.duplicateKey(key, property, schema)
    }
    try transaction.deleteIndex(property.indexID)
    var record = schema.record
    guard let index = record.propertyIndex(of: property.id) else { return }
    record.properties[index] = StoredProperty(
      id: record.nextPropertyID, name: property.name, kind: property.kind, isPrimaryKey: true,
      isAutoIncremented: isGenerated)
    record.primaryKeyPropertyID = record.nextPropertyID
    record.nextPropertyID += 1
    // They are built again with the new object ids.
    try transaction.deleteIndexes(of: &record)
    try record.addLayout()
    try transaction.save(record)
    try move(moves, classID: schema.id)
  }

  private func moveToNewIDs(_ schema: ClassSchema) throws(Failure) {
    let moves = try transaction.objectIDs(of: schema).map {
      ObjectMove(from: $0, to: transaction.nextObjectID())
    }
    try move(moves, classID: schema.id)
  }

  // MARK: Indexes

  private func setUpIndexes(_ model: ClassDescription) throws(Failure) {
    guard let schema = schema.schema(named: model.name) else { return }
    var record = schema.record
    var added: [UInt32] = []
    for property in model.properties where property.isStored && !property.isPrimaryKey {
      guard let index = record.propertyIndex(named: property.name) else { continue }
      let indexID = record.properties[index].indexID
      if property.isIndexed, indexID == 0 {
        record.properties[index].indexID = transaction.newIndexID()
        added.append(record.properties[index].id)
      } else if !property.isIndexed, indexID != 0 {
        try transaction.deleteIndex(indexID)
        record.properties[index].indexID = 0
      }
    }
    guard record != schema.record else { return }
    try transaction.save(record)
    for id in added { try buildIndex(id, schema.id) }
  }

  /// Creates the class indexes that the program declares, and deletes all others.
  ///
  /// The indexes of classes that the migration changed were already deleted when it began.
  private func setUpClassIndexes(_ model: ClassDescription) throws(Failure) {
    guard var record = schema.schema(named: model.name)?.record else { return }
    let kept = model.indexes.compactMap { record.index($0)?.id }
    for index in record.indexes where !kept.contains(index.id) {
      try transaction.deleteIndex(index.id)
    }
    let added = model.indexes.filter { record.index($0) == nil }
    record.indexes.removeAll { !kept.contains($0.id) }
    if record != schema.schema(named: model.name)?.record { try transaction.save(record) }
    if !added.isEmpty { try transaction.addIndexes(added, model.name) }
  }

  private func buildIndex(_ propertyID: UInt32, _ classID: UInt32) throws(Failure) {
    let schema = try transaction.classSchema(classID)
    guard let property = schema.property(id: propertyID) else { return }
    try transaction.buildIndex(property, of: schema)
  }

  // MARK: The catalog

  /// Deletes the records of the models that were compatible with the previous schema.
  private func forgetModels() throws(Failure) {
    var prefix = OrderedKey()
    CatalogKey.beginModels(&prefix)
    try transaction.deleteEntries(of: .catalog, beginningWith: prefix)
  }
}

extension FileEditor {
  /// Deletes every entry of an index. An id of 0 means no index.
  func deleteIndex(_ id: UInt32) throws(Failure) {
    guard id != 0 else { return }
    var prefix = OrderedKey()
    prefix.append(uint32: id)
    try deleteEntries(of: .indexes, beginningWith: prefix)
  }

  /// Removes the class indexes of a class, with their entries.
  func deleteIndexes(of record: inout StoredClass) throws(Failure) {
    for index in record.indexes { try deleteIndex(index.id) }
    record.indexes = []
  }

  /// Deletes the entries whose keys begin with a prefix.
  ///
  /// - Complexity: O(deleted entries).
  func deleteEntries(of table: Table, beginningWith prefix: OrderedKey) throws(Failure) {
    while true {
      // In batches, with the keys read first: a cursor is not valid after changes.
      let keys = entryKeys(of: table, beginningWith: prefix, limit: 1024)
      guard !keys.isEmpty else { return }
      for key in keys {
        scratchKey = key
        try deleteScratchKey(table)
      }
    }
  }

  private func entryKeys(
    of table: Table, beginningWith prefix: OrderedKey, limit: Int
  ) -> [OrderedKey] {
    var keys: [OrderedKey] = []
    var cursor = storage.cursor(table)
    var isPresent = prefix.withUnsafeBytes { cursor.seek(key: $0) }
    while isPresent, keys.count < limit, cursor.key.starts(with: prefix.bytes) {
      keys.append(OrderedKey(cursor.key))
      isPresent = cursor.next()
    }
    return keys
  }
}

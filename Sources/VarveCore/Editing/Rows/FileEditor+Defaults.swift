import VarveEncoding
import VarveStorage

/// The defaults of added properties that a transaction has made for the objects of a class.
struct FilledClass {
  /// The number of values in ``MadeDefaults`` before.
  let madeCount: Int
  /// The hashes of the defaults, by property and object.
  var hashes: [UInt32: [UInt64: Int]] = [:]
}

/// Defaults that rows lack.
extension FileEditor {
  /// Makes the defaults of added properties that differ from object to object, once for each stored
  /// object.
  func fillAdded(_ added: [PropertyDescription], _ className: String) throws(Failure) {
    let made = added.filter { $0.defaultExpression?.isPerObject ?? false }
    guard !made.isEmpty, let added = schema.schema(named: className) else { return }
    var filled = filledClasses[added.id] ?? FilledClass(madeCount: file.madeDefaults.count)
    for id in try objectIDs(of: added) {
      let key = RowKey(classID: added.id, objectID: id)
      // Runs code of the model, which may itself write, before the row is read.
      let values = made.map { property in
        (
          property.name,
          file.madeDefaults.made(
            MadeDefaults.Key(object: key, propertyName: property.name), in: base.transactionID)
            ?? property.makeDefault()
        )
      }
      guard let schema = schema.schema(named: className), let row = try editedRow(schema, id) else {
        continue
      }
      for (name, value) in values {
        guard let stored = schema.property(named: name),
          let field = schema.currentLayout.field(forProperty: stored.id)
        else { continue }
        try store(value, field, stored, in: row.buffer)
        row.isChanged = true
        filled.hashes[stored.id, default: [:]][id] = value.hashValue
      }
    }
    try flush()
    filledClasses[added.id] = filled
  }

  /// Stores the defaults that readers have made since those of added properties were made, unless the
  /// write has changed them. Until ``MadeDefaults/unseal()``, readers make no others.
  ///
  /// A value of a unique property may be taken: it is forgotten, and the one of the transaction stays.
  func storeLateDefaults() throws(Failure) {
    for (key, value) in file.madeDefaults.seal(filledClasses.mapValues(\.madeCount)) {
      guard let schema = schema.schema(ofClass: key.object.classID),
        let property = schema.property(named: key.propertyName), property.mayLackDefault,
        let stored = try self.value(schema, key.object.objectID, property),
        filledClasses[schema.id]?.hashes[property.id]?[key.object.objectID] == stored.hashValue,
        !stored.isIdentical(to: value)
      else { continue }
      if schema.hasUniqueIndex(on: property) {
        file.madeDefaults.remove(key)
      } else {
        try set(schema, key.object.objectID, property, value)
      }
    }
    try flush()
  }

  /// Whether the transaction has made the default of an added property of an object.
  func hasFilled(_ key: MadeDefaults.Key) -> Bool {
    let property = schema.schema(ofClass: key.object.classID)?.property(named: key.propertyName)
    return property.flatMap {
      filledClasses[key.object.classID]?.hashes[$0.id]?[key.object.objectID]
    } != nil
  }

  /// Stores the defaults that an object lacks.
  ///
  /// - Parameter model: Declares the defaults.
  /// - Throws: `.duplicateValue` when another object has the values of a unique index.
  func fillLacking(_ model: ClassDescription, _ id: UInt64) throws(Failure) {
    guard let schema = schema.schema(named: model.name) else { return }
    for property in model.properties {
      guard let stored = schema.property(named: property.name), stored.mayLackDefault,
        stored.kind == property.kind, let value = try value(schema, id, stored),
        stored.lacksDefault(value)
      else { continue }
      let key = MadeDefaults.Key(
        object: RowKey(classID: schema.id, objectID: id), propertyName: property.name)
      let made =
        file.madeDefaults.value(key, in: base.transactionID, after: nil) {
          property.makeDefault()
        } ?? property.makeDefault()
      // The default may have changed the schema.
      guard let schema = self.schema.schema(named: model.name) else { return }
      try storeDefault(schema, id, stored, made)
    }
  }

  /// Replaces the mark of a property that lacks its default. Change sets report the property.
  func storeDefault(
    _ schema: ClassSchema, _ id: UInt64, _ property: StoredProperty, _ value: Value
  ) throws(Failure) {
    guard let current = schema.property(id: property.id),
      let now = try self.value(schema, id, current),
      current.lacksDefault(now), !current.lacksDefault(value)
    else { return }
    try set(schema, id, current, value)
  }

  /// Makes rows of older layouts contain properties as they read them, before their constants
  /// change.
  private func settle(_ properties: [StoredProperty], of schema: ClassSchema) throws(Failure) {
    for id in try objectIDs(of: schema) {
      guard let row = try reader.row(schema, id),
        properties.contains(where: { row.layout.field(forProperty: $0.id) == nil })
      else { continue }
      try editedRow(schema, id)?.isChanged = true
    }
    try flush()
  }

  /// Gives properties the constants of their declared defaults. Stored objects keep the values that
  /// they read.
  ///
  /// Such properties were added by a release of Varve that stored zero for a default that is not a
  /// literal.
  func restate(_ properties: [PropertyDescription], _ className: String) throws(Failure) {
    guard !properties.isEmpty, let schema = schema.schema(named: className) else { return }
    let stored = properties.compactMap { schema.property(named: $0.name) }
    try settle(stored, of: schema)
    var record = schema.record
    for property in properties {
      guard let index = record.propertyIndex(named: property.name) else { continue }
      let constant = property.storedConstant
      record.properties[index].addedConstant = constant.isNull ? nil : constant
      // Rows may have the mark, if they were imported.
      if record.properties[index].mayLackDefault { leavesDefaults = true }
    }
    try save(record)
  }
}

extension ClassDescription {
  /// Returns the properties whose constants in a file are zero, because a release of Varve stored
  /// no constant for a default that is not a literal.
  func restated(in stored: ClassSchema) -> [PropertyDescription] {
    properties.filter { property in
      guard property.defaultExpression != nil, !property.isPrimaryKey, property.isStored,
        let old = stored.property(named: property.name), old.kind == property.kind,
        old.constant == old.kind.zero
      else { return false }
      return !property.storedConstant.isIdentical(to: old.constant)
    }
  }
}

extension PropertyKind {
  /// The value of a property without any default.
  fileprivate var zero: Value { hasNullBit || collection != .none ? .null : type.zeroValue }
}

import VarveEncoding
import VarveStorage

/// Stores salvaged objects under the ids that they had.
struct SalvageWriter {
  let transaction: Transaction

  /// - Throws: `.duplicatePrimaryKey`, `.duplicateValue`, or another reason why the object cannot
  ///   be stored. The transaction must then be rolled back.
  func store(_ object: SalvagedObject) throws(Failure) {
    let (schema, id) = (object.schema, object.id)
    var values: [Value] = []
    // Embedded objects first: the transaction fills one row at a time.
    for (property, part) in zip(schema.properties, object.parts) {
      let isSingle = property.kind.collection == .none
      values.append(isSingle ? try stored(part, property, schema, id) : .null)
    }
    if schema.hasIntegerPrimaryKey {
      let key = Value.int(ObjectKey.integer(forObjectID: id))
      _ = try transaction.newObjectID(schema, primaryKey: key)
    } else {
      try transaction.takeObjectID(schema, id)
    }
    transaction.beginRow(schema)
    for (property, value) in zip(schema.properties, values)
    where property.kind.collection == .none {
      if property.isPrimaryKey {
        try transaction.enterIndex(property, value, object: id, in: schema)
      }
      try transaction.fill(schema, property, value, object: id)
    }
    try transaction.insertRow(schema, id)
    for (property, part) in zip(schema.properties, object.parts)
    where property.kind.collection != .none {
      try setCollection(part, property, schema, id)
    }
  }

  private func stored(
    _ part: SalvagedObject.Part, _ property: StoredProperty, _ schema: ClassSchema, _ id: UInt64
  ) throws(Failure) -> Value {
    switch part {
    case .value(let value): return value
    case .nested(let content): return try transaction.stored(content, schema, id, property)
    case .embedded(let object):
      try store(object)
      return .link(classID: object.schema.id, objectID: object.id)
    case .elements, .entries: return .null
    }
  }

  private func setCollection(
    _ part: SalvagedObject.Part, _ property: StoredProperty, _ schema: ClassSchema, _ id: UInt64
  ) throws(Failure) {
    switch part {
    case .entries(let entries):
      guard !entries.isEmpty else { return }
      let values = try elements(entries.map(\.part), property, schema, id)
      let collection = try transaction.collection(schema, id, property)
      try transaction.setValues(
        zip(entries, values).map { ($0.key, $1) }, collection, replacing: false)
    case .elements(let parts):
      guard !parts.isEmpty else { return }
      let values = try elements(parts, property, schema, id)
      let collection = try transaction.collection(schema, id, property)
      if property.kind.collection == .set {
        try transaction.insertElements(values, collection)
      } else {
        try transaction.insert(values, collection, at: 0)
      }
    case .value, .embedded, .nested: break
    }
  }

  private func elements(
    _ parts: [SalvagedObject.Part], _ property: StoredProperty, _ schema: ClassSchema,
    _ id: UInt64
  ) throws(Failure) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(parts.count)
    for part in parts {
      if case .nested(let content) = part {
        let collection = try transaction.collection(schema, id, property)
        values.append(try transaction.stored(content, in: collection))
      } else {
        values.append(try stored(part, property, schema, id))
      }
    }
    return values
  }
}

extension FileEditor {
  /// Cuts the links to objects that do not exist: links become null, lists and sets lose them, and
  /// dictionaries keep their keys with null values.
  ///
  /// - Returns: The number of links.
  func cutLinks(to missing: Set<RowKey>) throws(Failure) -> Int {
    var affected: [CollectionKey: Set<RowKey>] = [:]
    var count = 0
    for target in missing {
      count += try incomingLinks(to: target).reduce(0) { $0 + $1.count }
      try cutIncomingLinks(to: target, deleting: [], affected: &affected)
    }
    for (key, targets) in affected { try removeTargets(targets, from: key) }
    return count
  }
}

package import VarveEncoding
import VarveStorage

/// A row that a transaction changes, held until it is flushed.
final class EditedRow {
  let key: RowKey
  let schema: ClassSchema
  let buffer: RowBuffer
  /// Set when the buffer holds what is not written yet.
  var isChanged = false

  init(key: RowKey, schema: ClassSchema, buffer: RowBuffer) {
    self.key = key
    self.schema = schema
    self.buffer = buffer
  }
}

extension Transaction {
  /// Rows held before they are written early, so that memory stays bounded.
  private static let maximumEditedRows = 20_000

  /// Whether the object exists in this transaction.
  package func exists(_ schema: ClassSchema, _ id: UInt64) -> Bool {
    if _slowPath(hasLeftEngine),
      deletedInMemory.contains(RowKey(classID: schema.id, objectID: id))
    {
      return false
    }
    if let lastRow, lastRow.key.objectID == id, lastRow.key.classID == schema.id { return true }
    if storage.failure != nil { return base.find(schema.table, id: id) != nil }
    return storage.find(schema.table, id: id) != nil
  }

  /// The row for changing; nil when the object does not exist.
  func editedRow(_ schema: ClassSchema, _ id: UInt64) throws(Failure) -> EditedRow? {
    if let lastRow, lastRow.key.objectID == id, lastRow.key.classID == schema.id { return lastRow }
    let key = RowKey(classID: schema.id, objectID: id)
    if let row = rows[key] {
      lastRow = row
      return row
    }
    // Before the row is looked up: writing the others moves pages. Only rows: this is called while
    // collections are being written.
    if rows.count >= Transaction.maximumEditedRows { try flushRows() }
    guard let bytes = storage.find(schema.table, id: id) else { return nil }
    let row = EditedRow(
      key: key, schema: schema, buffer: RowBuffer(layout: schema.currentLayout))
    try format { () throws(FormatError) in
      let reader = try schema.reader(for: bytes)
      if reader.layout.id == schema.currentLayout.id {
        try row.buffer.load(from: reader)
      } else {
        try row.buffer.load(from: reader, converting: schema.currentLayout) { field in
          schema.property(id: field.propertyID)?.addedConstant
        }
      }
    }
    rows[key] = row
    lastRow = row
    return row
  }

  /// Reads one property inside the transaction.
  ///
  /// - Returns: nil when the object does not exist.
  package func value(
    _ schema: ClassSchema, _ id: UInt64, _ property: StoredProperty
  ) throws(Failure) -> Value? {
    if property.isPrimaryKey, property.kind.isIntegerKey {
      return exists(schema, id) ? .int(ObjectKey.integer(forObjectID: id)) : nil
    }
    if storage.failure != nil {
      return try base.value(schema, id, property)
    }
    let key = RowKey(classID: schema.id, objectID: id)
    let held = lastRow?.key == key ? lastRow : rows[key]
    guard let held else { return try storage.value(schema, id, property) }
    guard let field = schema.currentLayout.field(forProperty: property.id) else {
      return property.constant
    }
    let value = try format { () throws(FormatError) in try held.buffer.value(field) }
    return try storage.resolve(value, property: property)
  }

  /// The slot of a collection property inside the transaction; nil when the object does not exist.
  func collectionSlot(
    _ schema: ClassSchema, _ id: UInt64, _ property: StoredProperty
  ) throws(Failure) -> CollectionSlot? {
    let key = RowKey(classID: schema.id, objectID: id)
    if let held = lastRow?.key == key ? lastRow : rows[key] {
      guard let field = schema.currentLayout.field(forProperty: property.id) else {
        return CollectionSlot.none
      }
      return held.buffer.collectionSlot(field)
    }
    return try reader.collectionSlot(schema, id, property)
  }

  /// Notes that a property was set, for change sets: a property set to its own value, or set more
  /// than once in a transaction, is reported even if the row ends as it was.
  func noteSet(_ row: EditedRow, _ property: StoredProperty, isEqual: Bool) {
    row.isChanged = true
    if isEqual {
      row.buffer.touch(propertyID: property.id, versionLow: newVersionLow)
    } else if !changedFields[row.key, default: []].insert(property.id).inserted {
      row.buffer.touch(propertyID: property.id, versionLow: newVersionLow)
    }
  }

  /// The low half of the version that this transaction makes.
  var newVersionLow: UInt32 { UInt32(truncatingIfNeeded: base.root.counter &+ 1) }

  /// Writes the changed rows.
  func flushRows() throws(Failure) {
    for row in rows.values where row.isChanged {
      let bytes = row.buffer.finish()
      try change { () throws(StorageError) in
        try storage.put(row.schema.table, id: row.key.objectID, bytes)
      }
    }
    rows.removeAll(keepingCapacity: true)
    lastRow = nil
  }

  /// Takes a row out of what is held: its object is deleted.
  func forgetRow(_ key: RowKey) {
    rows[key] = nil
    changedFields[key] = nil
    if lastRow?.key == key { lastRow = nil }
  }
}

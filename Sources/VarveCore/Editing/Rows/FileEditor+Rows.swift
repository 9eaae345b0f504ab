package import VarveEncoding
import VarveStorage

/// A row that a transaction changes, held until it is flushed.
final class EditedRow {
  let key: RowKey
  let schema: ClassSchema
  let buffer: RowBuffer
  /// Set when the buffer holds what is not written yet.
  var isChanged = false
  /// The row as it was before the write, once it was looked up: nil for an object that is new.
  var before: RowReader??

  init(key: RowKey, schema: ClassSchema, buffer: RowBuffer) {
    self.key = key
    self.schema = schema
    self.buffer = buffer
  }
}

extension FileEditor {
  /// Whether the object exists in this transaction.
  package func exists(_ schema: ClassSchema, _ id: UInt64) -> Bool {
    if _slowPath(hasLeftEngine),
      deletedInMemory.contains(RowKey(classID: schema.id, objectID: id))
    {
      return false
    }
    if rows.last(schema, id) != nil { return true }
    if storage.hasFailed { return base.find(schema.table, id: id) != nil }
    return storage.find(schema.table, id: id) != nil
  }

  /// The row for changing; nil when the object does not exist.
  func editedRow(_ schema: ClassSchema, _ id: UInt64) throws(Failure) -> EditedRow? {
    if let last = rows.last(schema, id) { return last }
    let key = RowKey(classID: schema.id, objectID: id)
    if let row = rows.find(key) { return row }
    // Before the row is looked up: writing the others moves pages. Only rows: this is called while
    // collections are being written.
    if rows.isFull { try flushRows() }
    guard let bytes = storage.find(schema.table, id: id) else { return nil }
    let row = EditedRow(
      key: key, schema: schema,
      buffer: RowBuffer(layout: schema.currentLayout, capacity: bytes.count + 64))
    try format { () throws(FormatError) in
      let reader = try schema.reader(for: bytes)
      // Nothing was written to the table as yet: the bytes are those of the version before.
      if !storage.hasChanged(schema.table) { row.before = .some(reader) }
      if reader.layout.id == schema.currentLayout.id {
        try row.buffer.load(from: reader)
      } else {
        try row.buffer.load(from: reader, converting: schema.currentLayout) { field in
          schema.property(id: field.propertyID)?.addedConstant
        }
      }
    }
    rows.hold(row)
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
    if storage.hasFailed {
      return try base.value(schema, id, property)
    }
    let key = RowKey(classID: schema.id, objectID: id)
    guard let held = rows[key] else { return try storage.value(schema, id, property) }
    guard let field = schema.currentLayout.field(forProperty: property.id) else {
      return property.constant
    }
    let value = try format { () throws(FormatError) in try held.buffer.reader.value(field) }
    return try storage.resolve(value, property: property)
  }

  /// The slot of a collection property inside the transaction; nil when the object does not exist.
  func collectionSlot(
    _ schema: ClassSchema, _ id: UInt64, _ property: StoredProperty
  ) throws(Failure) -> CollectionSlot? {
    let key = RowKey(classID: schema.id, objectID: id)
    if let held = rows[key] {
      guard let field = schema.currentLayout.field(forProperty: property.id) else {
        return CollectionSlot.none
      }
      return held.buffer.collectionSlot(field)
    }
    return try reader.collectionSlot(schema, id, property)
  }

  /// Notes that a property was set, for change sets: a property that was set to its own value, or that
  /// has its value of before the write again, is reported though nothing can be seen of it.
  ///
  /// `isEqual`: whether the value is the one that the property had.
  func noteSet(
    _ row: EditedRow, _ property: StoredProperty, isEqual: Bool
  ) throws(Failure) {
    row.isChanged = true
    if !isEqual, try !hasValueOfBefore(row, property) { return }
    row.buffer.touch(propertyID: property.id, versionLow: newVersionLow)
  }

  /// Notes that a property of a stored object was set to what it held.
  package func noteSet(
    _ schema: ClassSchema, _ id: UInt64, _ property: StoredProperty
  ) throws(Failure) {
    guard let row = try editedRow(schema, id) else { return }
    try noteSet(row, property, isEqual: true)
  }

  /// Whether a property has the value that it had before the write. Of two blobs only the lengths are
  /// compared: one noted too many does no harm.
  private func hasValueOfBefore(
    _ row: EditedRow, _ property: StoredProperty
  ) throws(Failure) -> Bool {
    guard let before = try rowBefore(row),
      let field = row.schema.currentLayout.field(forProperty: property.id)
    else { return false }
    return try format { () throws(FormatError) in
      var old = StoredValue.value(property.constant)
      if let field = before.layout.field(forProperty: property.id) { old = try before.value(field) }
      switch (old, try row.buffer.reader.value(field)) {
      case (.blob(let old, _), .blob(let new, _)): return old.byteCount == new.byteCount
      case (let old, let new): return old == new
      }
    }
  }

  /// The row in the version before the write, which holds its bytes; nil when it is not there.
  private func rowBefore(_ row: EditedRow) throws(Failure) -> RowReader? {
    if let before = row.before { return before }
    let before = try base.row(row.schema, row.key.objectID)
    row.before = .some(before)
    return before
  }

  /// The low half of the version that this transaction makes.
  var newVersionLow: UInt32 { UInt32(truncatingIfNeeded: base.root.counter &+ 1) }

  /// Writes the changed rows, in the order of their keys: the engine then goes from page to page, and pages that are
  /// split stay full.
  func flushRows() throws(Failure) {
    if rows.all.isEmpty { return }
    if rows.all.count == 1, let only = rows.last {
      if only.isChanged { try write(only) }
    } else {
      var changed: [(key: RowKey, row: Unmanaged<EditedRow>)] = []
      changed.reserveCapacity(rows.all.count)
      for (key, row) in rows.all where row.isChanged { changed.append((key, .passUnretained(row))) }
      changed.sort {
        ($0.key.classID, $0.key.objectID) < ($1.key.classID, $1.key.objectID)
      }
      // Safe because `rows` holds them until all are written.
      for (_, row) in changed { try write(row.takeUnretainedValue()) }
    }
    rows.removeAll(keepingCapacity: true)
  }

  private func write(_ row: EditedRow) throws(Failure) {
    let bytes = row.buffer.finish()
    try change { () throws(StorageError) in
      try storage.put(row.schema.table, id: row.key.objectID, bytes)
    }
  }
}

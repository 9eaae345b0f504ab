package import VarveEncoding
import VarveStorage

/// A row that a transaction changes, buffered until it is flushed.
final class EditedRow {
  let key: RowKey
  let schema: ClassSchema
  let buffer: RowBuffer
  /// Whether the buffer contains changes that are not written yet.
  var isChanged = false
  /// The row in the version before the write, once it was looked up: nil for a new object.
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

  /// Returns the row for changing, or nil if the object does not exist.
  func editedRow(_ schema: ClassSchema, _ id: UInt64) throws(Failure) -> EditedRow? {
    if let last = rows.last(schema, id) { return last }
    let key = RowKey(classID: schema.id, objectID: id)
    if let row = rows.find(key) { return row }
    // Flushes before the row is looked up, because writing other rows moves pages. Flushes only
    // rows: this is called while collections are being written.
    if rows.isFull { try flushRows() }
    guard let bytes = storage.find(schema.table, id: id) else { return nil }
    let row = EditedRow(
      key: key, schema: schema,
      buffer: RowBuffer(layout: schema.currentLayout, capacity: bytes.count + 64))
    try format { () throws(FormatError) in
      let reader = try schema.reader(for: bytes)
      // Nothing has been written to the table yet: the bytes belong to the version before.
      if !storage.hasChanged(schema.table) { row.before = .some(reader) }
      if reader.layout.id == schema.currentLayout.id {
        try row.buffer.load(from: reader)
      } else {
        try row.buffer.load(from: reader, converting: schema.currentLayout) { field in
          schema.property(id: field.propertyID)?.addedConstant
        }
      }
    }
    rows.insert(row)
    return row
  }

  /// Buffers a row that is about to be changed, if there is room.
  func bufferRow(_ schema: ClassSchema, _ id: UInt64) throws(Failure) {
    guard !hasLeftEngine, !rows.isFull else { return }
    _ = try editedRow(schema, id)
  }

  /// Reads one property inside the transaction.
  ///
  /// - Returns: The value, or nil if the object does not exist.
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
    guard let edited = rows[key] else { return try storage.value(schema, id, property) }
    guard let field = schema.currentLayout.field(forProperty: property.id) else {
      return property.constant
    }
    let value = try format { () throws(FormatError) in try edited.buffer.reader.value(field) }
    return try storage.resolve(value, property: property)
  }

  /// Copies a range of the bytes of a string or of data inside the transaction.
  ///
  /// - Parameter range: It is clamped to the bytes.
  /// - Returns: Nil if the object does not exist; an inner nil for null.
  func copyBytes(
    _ schema: ClassSchema, _ id: UInt64, _ property: StoredProperty, in range: Range<Int>
  ) throws(Failure) -> LentBytes?? {
    var stored: RowReader?
    if !storage.hasFailed, let edited = rows[RowKey(classID: schema.id, objectID: id)] {
      stored = edited.buffer.reader
    } else {
      stored = try reader.row(schema, id)
    }
    guard let row = stored else { return nil }
    guard let field = row.layout.field(forProperty: property.id) else {
      return try LentBytes.copy(of: property.constant, in: range)
    }
    if row.isNull(field) { return .some(nil) }
    let bytes = try format { () throws(FormatError) in try row.bytes(at: field) }
    return try reader.copy(bytes, in: range)
  }

  /// Returns the content of a collection property inside the transaction, or nil if the object does
  /// not exist.
  func collectionContent(
    _ schema: ClassSchema, _ id: UInt64, _ property: StoredProperty
  ) throws(Failure) -> CollectionContent? {
    let key = RowKey(classID: schema.id, objectID: id)
    if let edited = rows[key] { return edited.buffer.reader.content(of: property) }
    return try reader.collectionContent(schema, id, property)
  }

  /// Records that a property was set, for change sets. A property that was set to its current
  /// value, or back to its value before the write, is reported although its value does not differ.
  ///
  /// `isEqual`: whether the new value equals the property's previous value.
  func noteSet(
    _ row: EditedRow, _ property: StoredProperty, isEqual: Bool
  ) throws(Failure) {
    row.isChanged = true
    if !isEqual, try !hasValueOfBefore(row, property) { return }
    row.buffer.touch(propertyID: property.id, versionLow: newVersionLow)
  }

  /// Records that a property of a stored object was set to its current value.
  package func noteSet(
    _ schema: ClassSchema, _ id: UInt64, _ property: StoredProperty
  ) throws(Failure) {
    guard let row = try editedRow(schema, id) else { return }
    try noteSet(row, property, isEqual: true)
  }

  /// Whether a property has its value before the write. Blobs are compared by length and checksum
  /// only: an unnecessary record does no harm.
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
      case (.blob(let old, _), .blob(let new, _)):
        return old.byteCount == new.byteCount && old.checksum == new.checksum
      case (let old, let new): return old == new
      }
    }
  }

  /// Returns the row in the version before the write, which owns its bytes, or nil if it is not
  /// there.
  private func rowBefore(_ row: EditedRow) throws(Failure) -> RowReader? {
    if let before = row.before { return before }
    let before = try base.row(row.schema, row.key.objectID)
    row.before = .some(before)
    return before
  }

  /// The low half of the version that this transaction creates.
  var newVersionLow: UInt32 { UInt32(truncatingIfNeeded: base.root.counter &+ 1) }

  /// Writes the changed rows in key order, so that the engine visits pages sequentially and split
  /// pages stay full.
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
      // Safe because `rows` retains them until all are written.
      for (_, row) in changed { try write(row.takeUnretainedValue()) }
    }
    rows.removeAll(keepingCapacity: true)
  }

  private func write(_ row: EditedRow) throws(Failure) {
    let bytes = row.buffer.finish(classID: row.key.classID, objectID: row.key.objectID)
    try change { () throws(StorageError) in
      try storage.put(row.schema.table, id: row.key.objectID, bytes)
    }
  }
}

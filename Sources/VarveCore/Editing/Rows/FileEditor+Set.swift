package import VarveEncoding
import VarveStorage

extension FileEditor {
  /// Sets one property of a stored object.
  ///
  /// Index entries, backlinks and blobs are updated. Setting a property to its current value is
  /// recorded, so that change sets report it.
  /// - Throws: `.invalidatedObject` when the object does not exist, `.primaryKeyChanged`,
  ///   `.missingValue`, `.typeMismatch`, `.alreadyEmbedded`, `.duplicateValue`, or an engine
  ///   failure. Nothing is changed then.
  package func set(
    _ schema: ClassSchema, _ id: UInt64, _ property: StoredProperty, _ value: Value
  ) throws(Failure) {
    try check(value, property, schema)
    guard let row = try editedRow(schema, id) else {
      throw .invalidatedObject(schema.name, schema.declaredName(of: property))
    }
    if property.isPrimaryKey { return try setPrimaryKey(row, property, value) }
    guard let field = schema.currentLayout.field(forProperty: property.id) else {
      throw .unknownProperty(schema.declaredName(of: property), schema.name)
    }
    let old = try format { () throws(FormatError) in try row.buffer.reader.value(field) }
    let isEqual = old == .value(value) || isSameLink(old, value, property)
    // An embedded object that is assigned to its current property stays there.
    if isEqual, _slowPath(isEmbedded(value)) { return }
    if !isEqual {
      try checkParent(for: value, property, schema)
      try replace(old, by: value, row, field, property)
    } else if value.mayDifferFromEqual {
      // Equal values have the same index entries.
      try store(value, field, property, in: row.buffer)
    }
    try noteSet(row, property, isEqual: isEqual)
  }

  /// Whether a link has the same target as before. The target class of the property is not stored
  /// in rows.
  private func isSameLink(
    _ old: StoredValue, _ value: Value, _ property: StoredProperty
  ) -> Bool {
    guard property.kind.type == .link, case .value(.link(_, let before)) = old,
      case .link(_, let after) = value
    else { return false }
    return before == after
  }

  private func replace(
    _ old: StoredValue, by value: Value, _ row: EditedRow, _ field: RowField,
    _ property: StoredProperty
  ) throws(Failure) {
    let schema = row.schema
    if property.indexID != 0 || !schema.indexes.isEmpty {
      try changeIndexes(
        schema, row.key.objectID, property, from: try storage.resolve(old, property: property),
        to: value)
    }
    try store(value, field, property, in: row.buffer)
    try release(old, of: property, row.key)
    try changeBacklink(of: value, in: property, row.key, by: 1)
  }

  /// Releases a value's data outside the row: its blob, its backlink, its nested collections.
  func release(
    _ stored: StoredValue, of property: StoredProperty, _ owner: RowKey
  ) throws(Failure) {
    switch stored {
    case .blob(let reference, _): try deleteBlob(reference)
    case .value(.nested(let kind, let slot)):
      try deleteNested(
        NestedIdentity(id: slot.id, kind: kind),
        below: CollectionKey(owner: owner, propertyID: property.id))
    case .value(let value): try changeBacklink(of: value, in: property, owner, by: -1)
    }
  }

  /// Sets the primary key of a stored object, which cannot change. Setting it to itself is
  /// recorded.
  private func setPrimaryKey(
    _ row: EditedRow, _ property: StoredProperty, _ value: Value
  ) throws(Failure) {
    let old = try self.value(row.schema, row.key.objectID, property)
    guard old == value else {
      throw Failure(
        .primaryKeyChanged, "The primary key of a stored object cannot be changed.",
        className: row.schema.name, propertyName: row.schema.declaredName(of: property),
        value: value.text)
    }
    try noteSet(row, property, isEqual: true)
  }
}

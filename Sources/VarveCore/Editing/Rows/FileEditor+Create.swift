import Foundation
package import VarveEncoding
import VarveStorage

extension FileEditor {
  /// Returns the object with a primary key, or nil if there is none or the class has no primary
  /// key.
  package func object(_ schema: ClassSchema, primaryKey value: Value) throws(Failure) -> UInt64? {
    guard let property = schema.primaryKey else { return nil }
    if property.kind.isIntegerKey {
      guard case .int(let key) = value else { return nil }
      let id = ObjectKey.objectID(forInteger: key)
      return exists(schema, id) ? id : nil
    }
    return try reader.uniqueObject(indexID: property.indexID, value, fileKey: fileKey)
  }

  /// Reserves the id of an object that is about to be stored, and inserts its primary key into the
  /// index.
  ///
  /// - Throws: `.duplicatePrimaryKey` when another object has the key.
  package func newObjectID(
    _ schema: ClassSchema, primaryKey value: Value?
  ) throws(Failure) -> UInt64 {
    guard let property = schema.primaryKey else { return nextObjectID() }
    guard let value else {
      throw Failure(
        .missingValue, "The primary key has no value.", className: schema.name,
        propertyName: schema.declaredName(of: property), value: Value.null.text)
    }
    if property.kind.isIntegerKey {
      guard case .int(let key) = value else {
        throw Failure(
          .typeMismatch, "The primary key is not an integer.", className: schema.name,
          propertyName: schema.declaredName(of: property), value: value.text)
      }
      let id = ObjectKey.objectID(forInteger: key)
      guard id > highestID(schema) || !exists(schema, id) else {
        throw duplicateKey(value, property, schema)
      }
      return id
    }
    let id = nextObjectID()
    try enterIndex(property, value, object: id, in: schema)
    return id
  }

  /// Reserves an id that another store assigned, for an object of a class without a primary key.
  ///
  /// - Throws: `.invalidInput` when the id is 0 or too great, or another object has it.
  package func takeObjectID(_ schema: ClassSchema, _ id: UInt64) throws(Failure) {
    guard id > 0, id < RootRecord.counterLimit / 2, id > highestID(schema) || !exists(schema, id)
    else {
      throw Failure(
        .invalidInput, "The id of an object is out of range, or another object has it.",
        className: schema.name, value: "\(id)")
    }
    storage.root.nextObjectID = max(storage.root.nextObjectID, id + 1)
  }

  /// The greatest id that an object has had; 0 in a new store.
  package var lastObjectID: UInt64 { storage.root.nextObjectID - 1 }

  /// Returns an id that no object has had.
  func nextObjectID() -> UInt64 { storage.takeObjectID() }

  /// Returns the highest object id of a class: a new object above it needs no lookup and is
  /// appended.
  func highestID(_ schema: ClassSchema) -> UInt64 {
    if let highest = highestObjectIDs[schema.id] { return highest }
    var cursor = storage.cursor(schema.table)
    let highest = cursor.seekLast() ? cursor.id : 0
    highestObjectIDs[schema.id] = highest
    return highest
  }

  /// Stores a new row.
  ///
  /// `scratchRow` contains the row: begun by ``beginRow(_:)``, filled by ``fill(_:_:_:object:)``.
  /// - Throws: `.duplicateValue` when another object has the values of a unique index.
  package func insertRow(_ schema: ClassSchema, _ id: UInt64) throws(Failure) {
    let highest = highestID(schema)
    let isAppended = id > highest
    if !schema.indexes.isEmpty { try enterNewRow(schema, id) }
    let bytes = scratchRow.finish(classID: schema.id, objectID: id)
    try change { () throws(StorageError) in
      try storage.put(schema.table, id: id, bytes, append: isAppended)
    }
    if isAppended { highestObjectIDs[schema.id] = id }
  }

  /// Begins a new row in `scratchRow`. Unfilled properties read as they do in rows written before
  /// the properties were added.
  package func beginRow(_ schema: ClassSchema) {
    if schema.mayLackDefaults { leavesDefaults = true }
    scratchRow.begin(layout: schema.currentLayout)
  }

  /// Fills one property of the new row, and adds its index entry and its backlink.
  ///
  /// - Throws: `.typeMismatch` or `.missingValue` when the value is not valid for the property.
  package func fill(
    _ schema: ClassSchema, _ property: StoredProperty, _ value: Value, object id: UInt64
  ) throws(Failure) {
    guard property.kind.collection == .none,
      let field = RowTemplate.Field(property, slot: -1, in: schema, self.schema)
    else { return }
    try fill(field, value, object: id, in: schema)
  }

  /// Fills one property of the new row through its template field. See ``fill(_:_:_:object:)``.
  @inline(__always)
  package func fill(
    _ target: RowTemplate.Field, _ value: Value, object id: UInt64, in schema: ClassSchema
  ) throws(Failure) {
    switch (target.field.kind.type, value) {
    case (.int64, .int(let value)): scratchRow.setInt64(value, target.field)
    case (.double, .double(let value)): scratchRow.setDouble(value, target.field)
    case (.float, .float(let value)): scratchRow.setFloat(value, target.field)
    case (.bool, .bool(let value)): scratchRow.setBool(value, target.field)
    case (.date, .date(let value)): scratchRow.setDate(value, target.field)
    case (.uuid, .uuid(let value)): scratchRow.setUUID(value, target.field)
    case (.objectId, .objectId(let value)): scratchRow.setObjectId(value, target.field)
    case (.string, .string(let value)) where value.utf8.count <= Row.maximumInlineBytes:
      scratchRow.setString(value, target.field)
    case (.data, .data(let value)) where value.count <= Row.maximumInlineBytes:
      value.withUnsafeBytes { scratchRow.setBytes($0, target.field) }
    default:
      let property = schema.properties[target.index]
      try check(value, property, schema)
      try store(value, target.field, property, in: scratchRow)
    }
    if target.content != .value, case .link(_, let linked) = value {
      let owner = RowKey(classID: schema.id, objectID: id)
      if target.content == .link {
        try enterBacklink(
          target: RowKey(classID: target.linkedClassID, objectID: linked), origin: owner,
          property: target.field.propertyID, count: 1)
      } else {
        try changeBacklink(of: value, in: schema.properties[target.index], owner, by: 1)
      }
    }
    guard target.indexID != 0 else { return }
    IndexKey.encode(
      value, propertyType: target.field.kind.type, indexID: target.indexID, objectID: id,
      isInKey: true, fileKey: fileKey, key: &scratchKey, entry: &scratchValue)
    try putScratch(.indexes)
  }

  /// Writes a value into a field of an edited row; large values go to a blob.
  func store(
    _ value: Value, _ field: RowField, _ property: StoredProperty, in buffer: RowBuffer
  ) throws(Failure) {
    guard value.byteCount > Row.maximumInlineBytes else {
      return try format { () throws(FormatError) in try buffer.set(value, field) }
    }
    if property.kind.type == .mixed {
      try encodeElement(value)
      scratchValue.withUnsafeBytes { buffer.setBytes($0, field) }
    } else {
      let blob = try value.withWholeKey { (bytes) throws(Failure) in try writeBlob(bytes) }
      buffer.setBlob(blob, field)
    }
  }

  /// Checks that a value is valid for a property, or for an element of a collection property.
  package func check(
    _ value: Value, _ property: StoredProperty, _ schema: ClassSchema
  ) throws(Failure) {
    if property.kind.accepts(value) {
      guard value.byteCount <= Blob.maximumBytes else {
        throw Failure(
          .valueTooLarge, "A value is larger than 1 GiB.", className: schema.name,
          propertyName: schema.declaredName(of: property), value: value.text)
      }
      if case .link(let classID, _) = value, property.kind.type == .link,
        classID != property.linkedClassID
      {
        throw Failure(
          .typeMismatch, "The object is not of the class that the property links to.",
          className: schema.name, propertyName: schema.declaredName(of: property),
          value: text(of: value))
      }
      if property.kind.type == .mixed, isEmbedded(value) {
        throw Failure(
          .invalidInput, "A mixed value cannot contain an embedded object.",
          className: schema.name, propertyName: schema.declaredName(of: property),
          value: text(of: value))
      }
      return
    }
    if value.isNull {
      throw Failure(
        .missingValue, "Null was given for a value that cannot be null.",
        className: schema.name, propertyName: schema.declaredName(of: property), value: value.text)
    }
    throw Failure(
      .typeMismatch, "The value is of another type than the property.", className: schema.name,
      propertyName: schema.declaredName(of: property), value: text(of: value))
  }

  /// Returns a value as text for an error; for an object the name of its class.
  func text(of value: Value) -> String {
    guard case .link(let classID, _) = value, let schema = schema.schema(ofClass: classID) else {
      return value.text
    }
    return "object of class \(schema.name)"
  }
}

extension PropertyKind {
  /// Whether `value` is valid as a single value, or an element, of this kind.
  package func accepts(_ value: Value) -> Bool {
    switch (type, value) {
    case (_, .null): isNullable || type == .mixed || (type == .link && collection == .none)
    case (.bool, .bool), (.float, .float), (.double, .double), (.string, .string): true
    case (.int64, .int): true
    case (.int8, .int(let int)): Int8(exactly: int) != nil
    case (.int16, .int(let int)): Int16(exactly: int) != nil
    case (.int32, .int(let int)): Int32(exactly: int) != nil
    case (.data, .data), (.date, .date), (.uuid, .uuid), (.objectId, .objectId): true
    case (.mixed, .nested): collection != .set
    case (.decimal128, .decimal), (.link, .link), (.mixed, _): true
    default: false
    }
  }
}

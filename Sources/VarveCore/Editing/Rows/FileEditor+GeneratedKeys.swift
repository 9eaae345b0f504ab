import VarveEncoding
import VarveStorage

/// Primary keys that the store generates: one more than the greatest key that an object of the
/// class has ever had.
///
/// The greatest key of the existing objects is the last key of the class's table. The catalog has a
/// record only if the table does not show the greatest key, because its object was deleted. An
/// insertion therefore writes only the row, and a rollback, also of a nested transaction, reverts
/// the keys generated in it.
extension FileEditor {
  /// Reserves the id of a new object of a class whose primary key is generated.
  ///
  /// - Throws: `.valueTooLarge` when the greatest key of the type has been used, `.corrupted`.
  /// - Complexity: O(1); O(log n) the first time in the transaction and after deletions.
  package func generatedObjectID(_ schema: ClassSchema) throws(Failure) -> UInt64 {
    guard let property = schema.primaryKey else {
      throw Failure(.noPrimaryKey, "The class has no primary key.", className: schema.name)
    }
    let last = max(try lastGenerated(schema), highestID(schema))
    let next = try nextKey(after: last, property, schema)
    generatedIDs[schema.id] = next
    return next
  }

  /// Returns the id after another one.
  ///
  /// - Throws: `.valueTooLarge` when `last` is the greatest key of the type.
  func nextKey(
    after last: UInt64, _ property: StoredProperty, _ schema: ClassSchema
  ) throws(Failure) -> UInt64 {
    guard last < property.kind.type.greatestObjectID else {
      throw Failure(
        .valueTooLarge, "The greatest primary key of the type has been used.",
        className: schema.name, propertyName: schema.declaredName(of: property),
        value: "\(ObjectKey.integer(forObjectID: last))")
    }
    return last + 1
  }

  /// Reserves the id of a new object, without reference counting from the second object on. See
  /// ``generatedObjectID(_:)-(ClassSchema)``.
  package func generatedObjectID(
    _ template: UnsafePointer<RowTemplate>
  ) throws(Failure) -> UInt64 {
    let classID = template.pointee.classID
    if let highest = highestObjectIDs[classID], let generated = generatedIDs[classID] {
      let last = max(highest, generated)
      if last < template.pointee.greatestGeneratedID {
        generatedIDs[classID] = last + 1
        return last + 1
      }
    }
    return try generatedObjectID(template.pointee.schema.takeUnretainedValue())
  }

  /// Makes the keys generated from now on greater than a key that an object is about to get.
  package func reserveKey(_ key: Int64, _ schema: ClassSchema) throws(Failure) {
    let id = ObjectKey.objectID(forInteger: key)
    if id > (try lastGenerated(schema)) { generatedIDs[schema.id] = id }
  }

  /// Records that objects of a class were deleted, up to this id.
  ///
  /// Written only if the table no longer shows that the key was used.
  func noteDeletedKey(_ id: UInt64, _ schema: ClassSchema) throws(Failure) {
    guard id > highestID(schema) else { return }
    try raiseLastKey(to: ObjectKey.integer(forObjectID: id), schema)
  }

  /// Makes the keys generated from now on, also in later transactions, greater than a key.
  package func raiseLastKey(to key: Int64, _ schema: ClassSchema) throws(Failure) {
    guard key > (try reader.lastKey(ofClass: schema.id) ?? 0) else { return }
    CatalogKey.lastKey(classID: schema.id).encode(into: &scratchKey)
    LastKeyRecord(key: key).encode(into: &scratchValue)
    try putScratch(.catalog)
    try reserveKey(key, schema)
  }

  /// Removes the record of the greatest key of a class's deleted objects.
  func forgetLastKey(ofClass id: UInt32) throws(Failure) {
    generatedIDs[id] = nil
    CatalogKey.lastKey(classID: id).encode(into: &scratchKey)
    try deleteScratchKey(.catalog)
  }

  /// Returns the greatest id that was generated or reserved in this transaction, or that a deleted
  /// object had.
  private func lastGenerated(_ schema: ClassSchema) throws(Failure) -> UInt64 {
    if let id = generatedIDs[schema.id] { return id }
    let id = ObjectKey.objectID(forInteger: try reader.lastKey(ofClass: schema.id) ?? 0)
    generatedIDs[schema.id] = id
    return id
  }
}

extension TableReader {
  /// Returns the recorded greatest primary key of a class's deleted objects, or nil without a
  /// record, which is omitted as long as the existing objects show the key.
  ///
  /// - Throws: `.corrupted`.
  package func lastKey(ofClass id: UInt32) throws(Failure) -> Int64? {
    var key = OrderedKey()
    CatalogKey.lastKey(classID: id).encode(into: &key)
    guard let bytes = key.withUnsafeBytes({ find(.catalog, key: $0) }) else { return nil }
    return try Failure.decoding(
      "A record of the catalog is damaged.", try LastKeyRecord(decoding: bytes).key)
  }
}

extension PropertyType {
  /// The object id of the greatest value of an integer type.
  var greatestObjectID: UInt64 {
    let greatest =
      switch self {
      case .int8: Int64(Int8.max)
      case .int16: Int64(Int16.max)
      case .int32: Int64(Int32.max)
      default: Int64.max
      }
    return ObjectKey.objectID(forInteger: greatest)
  }
}

extension StoredClass {
  /// Sets whether primary keys are generated.
  mutating func setAutoIncrement(_ isAutoIncremented: Bool) {
    guard let index = properties.firstIndex(where: { $0.id == primaryKeyPropertyID }) else {
      return
    }
    properties[index].isAutoIncremented = isAutoIncremented
  }
}

import VarveEncoding
import VarveStorage

extension StoreCheck {
  mutating func checkRows(of schema: ClassSchema) {
    var cursor = snapshot.cursor(schema.table)
    var isPresent = cursor.seekFirst()
    while isPresent, advance() {
      report.objectCount += 1
      let id = cursor.id
      if !schema.hasIntegerPrimaryKey, id >= snapshot.root.nextObjectID || id == 0 {
        note(.unknownID, name(schema, id), "object id \(id) was not assigned")
      }
      checkRow(schema, id, cursor.value)
      if schema.record.isEmbedded, isExact {
        checkParent(of: RowKey(classID: schema.id, objectID: id), schema)
      }
      isPresent = cursor.next()
    }
  }

  private mutating func checkRow(
    _ schema: ClassSchema, _ id: UInt64, _ bytes: UnsafeRawBufferPointer
  ) {
    let location = name(schema, id)
    let row: RowReader
    do throws(FormatError) {
      row = try schema.reader(for: bytes)
      try row.verifyExtents()
      try row.verifyCollectionsAreApart()
    } catch {
      return note(.damagedRow, location, error.description)
    }
    do throws(FormatError) {
      try row.verifyChecksum(classID: schema.id, objectID: id)
    } catch {
      note(.badChecksum, location, error.description)
    }
    for property in schema.properties {
      if property.kind.collection != .none {
        checkCollection(schema, id, property, row)
      } else {
        checkValue(schema, id, property, row)
      }
    }
    for index in schema.indexes { checkClassIndex(index, schema, id, row) }
    checkWaitingNested()
  }

  private mutating func checkValue(
    _ schema: ClassSchema, _ id: UInt64, _ property: StoredProperty, _ row: RowReader
  ) {
    let object = name(schema, id)
    let location = place("\(object).\(property.name)")
    let value: Value
    do throws(Failure) {
      if let field = row.layout.field(forProperty: property.id), field.isStored {
        let stored: StoredValue
        do throws(FormatError) {
          stored = try row.value(field, linkClass: property.linkedClassID)
        } catch {
          return note(.damagedRow, location, error.description)
        }
        guard checkBlob(of: stored, location) else { return }
      }
      value = try snapshot.value(of: row, id, property)
    } catch {
      return note(.damagedRow, location, error.message)
    }
    if !property.kind.accepts(value) { note(.wrongValue, location, value.text) }
    if property.indexID != 0 { checkIndexed(value, id, property, location) }
    if case .nested(let kind, let slot) = value {
      checkNested(kind, CollectionContent(slot), NestedCheck(schema, id, property), location)
    }
    if case .link(let classID, let target) = value {
      checkLink(
        to: RowKey(classID: classID, objectID: target), times: 1,
        from: RowKey(classID: schema.id, objectID: id), property, location)
    }
  }

  // MARK: Blobs

  /// Verifies the chunks and the checksum of a value that is stored as a blob.
  ///
  /// - Returns: false if the blob is invalid.
  mutating func checkBlob(of stored: StoredValue, _ location: String) -> Bool {
    guard case .blob(let reference, _) = stored else { return true }
    if reference.id >= snapshot.root.nextBlobID || reference.id == 0 {
      note(.unknownID, location, "blob id \(reference.id) was not assigned")
    }
    guard blobs[reference.id] == nil else {
      note(.sharedBlob, location, "blob \(reference.id) belongs to another value too")
      return false
    }
    report.blobCount += 1
    blobs[reference.id] = 0
    guard Int(reference.byteCount) <= Blob.maximumBytes else {
      note(.damagedBlob, location, "\(reference.byteCount) bytes are too many")
      return false
    }
    // A damaged blob may have any chunks.
    blobs[reference.id] = .max
    do throws(Failure) {
      try snapshot.verify(reference)
      blobs[reference.id] = Int(reference.byteCount)
      return true
    } catch {
      note(.damagedBlob, location, error.message)
      return false
    }
  }

  // MARK: Links

  /// Verifies that a link refers to an existing object, and that the object's backlink counts the
  /// link.
  mutating func checkLink(
    to target: RowKey, times: Int, from origin: RowKey, _ property: StoredProperty,
    nested: UInt64 = 0, _ location: String
  ) {
    BacklinkKey(
      targetClass: target.classID, targetID: target.objectID, originClass: origin.classID,
      originProperty: property.id, originID: origin.objectID, nestedID: nested
    ).encode(into: &key)
    guard isExact else {
      BacklinkKey.encodeCount(UInt32(truncatingIfNeeded: times), into: &entry)
      return required.backlinks.insert(key, entry)
    }
    guard let targetClass = schema.schema(ofClass: target.classID),
      snapshot.find(targetClass.table, id: target.objectID) != nil
    else {
      return note(
        .danglingLink, location,
        "object \(target.objectID) of class \(target.classID) does not exist")
    }
    neededBacklinks += 1
    let count = key.withUnsafeBytes { snapshot.find(.backlinks, key: $0) }
      .flatMap { try? BacklinkKey.decodeCount($0) }
    guard count == UInt32(times) else {
      return note(
        .missingBacklink, location,
        "links to \(name(targetClass, target.objectID)): \(times), counted \(count ?? 0)")
    }
  }

  /// Verifies that an embedded object has exactly one owner.
  private mutating func checkParent(of object: RowKey, _ schema: ClassSchema) {
    let location = name(schema, object.objectID)
    do throws(Failure) {
      let count = try snapshot.incomingLinks(to: object).reduce(0) { $0 + $1.count }
      if count == 0 { note(.orphan, location, "an embedded object without an owner") }
      if count > 1 { note(.severalParents, location, "an embedded object with \(count) owners") }
    } catch {
      note(.strayBacklink, location, error.message)
    }
  }

  // MARK: Indexes

  /// Verifies that the index contains exactly the entry that a value requires.
  private mutating func checkIndexed(
    _ value: Value, _ id: UInt64, _ property: StoredProperty, _ location: String
  ) {
    encodeIndexEntry(value, id, property)
    guard isExact else { return required.indexes.insert(key, entry) }
    let found = key.withUnsafeBytes { snapshot.find(.indexes, key: $0) }
    guard let found, entry.withUnsafeBytes({ $0.elementsEqual(found) }) else {
      return note(.missingIndexEntry, location, "the index lacks the value \(value.text)")
    }
  }

  /// Encodes the index entry that a value requires, into `key` and `entry`.
  mutating func encodeIndexEntry(_ value: Value, _ id: UInt64, _ property: StoredProperty) {
    IndexKey.encode(
      value, propertyType: property.kind.type, indexID: property.indexID, objectID: id,
      isInKey: !property.isPrimaryKey, fileKey: fileKey, key: &key, entry: &entry)
  }
}

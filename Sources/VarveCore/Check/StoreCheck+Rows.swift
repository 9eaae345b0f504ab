import VarveEncoding
import VarveStorage

extension StoreCheck {
  mutating func checkRows(of schema: ClassSchema) {
    var cursor = snapshot.cursor(schema.table)
    var isPresent = cursor.seekFirst()
    while isPresent {
      report.objectCount += 1
      let id = cursor.id
      if !schema.hasIntegerPrimaryKey, id >= snapshot.root.nextObjectID || id == 0 {
        note(.unknownID, "\(schema.name) \(id)", "object id")
      }
      checkRow(schema, id, cursor.value)
      if schema.record.isEmbedded {
        checkPlace(of: RowKey(classID: schema.id, objectID: id), schema)
      }
      isPresent = cursor.next()
    }
  }

  private mutating func checkRow(
    _ schema: ClassSchema, _ id: UInt64, _ bytes: UnsafeRawBufferPointer
  ) {
    let place = "\(schema.name) \(id)"
    let row: RowReader
    do throws(FormatError) {
      row = try schema.reader(for: bytes)
      try row.verifyExtents()
    } catch {
      return note(.damagedRow, place, error.description)
    }
    do throws(FormatError) {
      try row.verifyChecksum()
    } catch {
      note(.badChecksum, place, error.description)
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
    let place = "\(schema.name) \(id).\(property.name)"
    let value: Value
    do throws(Failure) {
      if let field = row.layout.field(forProperty: property.id), field.isStored {
        let stored: StoredValue
        do throws(FormatError) {
          stored = try row.value(field, linkClass: property.linkedClassID)
        } catch {
          return note(.damagedRow, place, error.description)
        }
        guard checkBlob(of: stored, place) else { return }
      }
      value = try snapshot.value(of: row, id, property)
    } catch {
      return note(.damagedRow, place, error.message)
    }
    if !property.kind.accepts(value) { note(.wrongValue, place, value.text) }
    if property.indexID != 0 { checkIndexed(value, id, property, place) }
    if case .nested(let kind, let slot) = value {
      checkNested(kind, slot, NestedCheck(schema, id, property), place)
    }
    if case .link(let classID, let target) = value {
      checkLink(
        to: RowKey(classID: classID, objectID: target), times: 1,
        from: RowKey(classID: schema.id, objectID: id), property, collection: 0, place)
    }
  }

  // MARK: Blobs

  /// Verifies the chunks of a value that stands in a blob.
  ///
  /// - Returns: false when they are not what they must be.
  mutating func checkBlob(of stored: StoredValue, _ place: String) -> Bool {
    guard case .blob(let reference, _) = stored else { return true }
    if reference.id >= snapshot.root.nextBlobID || reference.id == 0 {
      note(.unknownID, place, "blob id \(reference.id)")
    }
    guard blobs[reference.id] == nil else {
      note(.sharedBlob, place, "blob \(reference.id)")
      return false
    }
    report.blobCount += 1
    blobs[reference.id] = 0
    guard reference.byteCount <= UInt64(Blob.maximumBytes) else {
      note(.damagedBlob, place, "\(reference.byteCount) bytes")
      return false
    }
    // Where it is damaged, any number of them may be there.
    blobs[reference.id] = .max
    do throws(Failure) {
      blobs[reference.id] = try snapshot.checkBlob(reference.id, byteCount: reference.byteCount)
      return true
    } catch {
      note(.damagedBlob, place, error.message)
      return false
    }
  }

  // MARK: Links

  /// Verifies that a link leads to an object, and that the object's backlink counts it.
  mutating func checkLink(
    to target: RowKey, times: Int, from origin: RowKey, _ property: StoredProperty,
    collection: UInt64, _ place: String
  ) {
    guard let targetClass = schema.schema(ofClass: target.classID),
      snapshot.find(targetClass.table, id: target.objectID) != nil
    else {
      return note(.danglingLink, place, "object \(target.objectID) of class \(target.classID)")
    }
    neededBacklinks += 1
    BacklinkKey(
      targetClass: target.classID, targetID: target.objectID, originClass: origin.classID,
      originProperty: property.id, originID: origin.objectID, collectionID: collection
    ).encode(into: &key)
    let count = key.withUnsafeBytes { snapshot.find(.backlinks, key: $0) }
      .flatMap { try? BacklinkKey.decodeCount($0) }
    guard count == UInt32(times) else {
      return note(
        .missingBacklink, place,
        "\(times) links to \(targetClass.name) \(target.objectID), counted \(count ?? 0)")
    }
  }

  /// Verifies that an embedded object has the one place that its backlink names.
  private mutating func checkPlace(of object: RowKey, _ schema: ClassSchema) {
    let place = "\(schema.name) \(object.objectID)"
    do throws(Failure) {
      let count = try snapshot.incomingLinks(to: object).reduce(0) { $0 + $1.count }
      if count == 0 { note(.orphan, place, "an embedded object in no place") }
      if count > 1 { note(.severalPlaces, place, "an embedded object in \(count) places") }
    } catch {
      note(.strayBacklink, place, error.message)
    }
  }

  // MARK: Indexes

  /// Verifies that the index has exactly the entry that a value calls for.
  private mutating func checkIndexed(
    _ value: Value, _ id: UInt64, _ property: StoredProperty, _ place: String
  ) {
    let expected = indexEntry(value, id, property)
    let found = expected.key.withUnsafeBytes { snapshot.find(.indexes, key: $0) }
    guard let found, expected.value.elementsEqual(found) else {
      return note(.missingIndexEntry, place, value.text)
    }
  }

  /// The entry that a value calls for.
  func indexEntry(
    _ value: Value, _ id: UInt64, _ property: StoredProperty
  ) -> (key: OrderedKey, value: [UInt8]) {
    var key = OrderedKey()
    var bytes = ByteBuffer()
    IndexKey.encode(
      value, propertyType: property.kind.type, indexID: property.indexID, objectID: id,
      isInKey: !property.isPrimaryKey, fileKey: fileKey, key: &key, entry: &bytes)
    return (key, bytes.withUnsafeBytes { Array($0) })
  }
}

/// Writes and reads the records of the table `catalog`. Byte layout: Docs/Format.md, "Catalog".
package enum CatalogCodec {
  /// The version of a class's record, its first byte.
  package static let recordVersion: UInt8 = 1
  /// The version of the record of a class with indexes of its own.
  package static let indexedRecordVersion: UInt8 = 2

  private static let embeddedFlag: UInt8 = 1
  private static let nullableFlag: UInt8 = 1
  private static let primaryKeyFlag: UInt8 = 2
  private static let autoIncrementFlag: UInt8 = 4
  private static let storedFlag: UInt8 = 2

  /// Encodes the record of a class.
  package static func encode(_ value: StoredClass, into buffer: inout ByteBuffer) {
    buffer.removeAll()
    buffer.append(value.indexes.isEmpty ? recordVersion : indexedRecordVersion)
    buffer.append(value.isEmbedded ? embeddedFlag : 0)
    buffer.append(value.id)
    buffer.append(value.nextPropertyID)
    buffer.append(value.currentLayoutID)
    append(value.primaryKeyPropertyID, to: &buffer)
    append(value.name, to: &buffer)
    buffer.append(UInt32(truncatingIfNeeded: value.properties.count))
    for property in value.properties { append(property, to: &buffer) }
    buffer.append(UInt32(truncatingIfNeeded: value.layouts.count))
    for layout in value.layouts { append(layout, to: &buffer) }
    if !value.indexes.isEmpty { append(value.indexes, to: &buffer) }
    buffer.append(buffer.withUnsafeBytes { CRC32C.checksum($0) })
  }

  private static func append(_ indexes: [StoredIndex], to buffer: inout ByteBuffer) {
    buffer.append(UInt32(truncatingIfNeeded: indexes.count))
    for index in indexes {
      buffer.append(index.id)
      buffer.append(index.kind.rawValue)
      buffer.append(UInt32(truncatingIfNeeded: index.propertyIDs.count))
      for id in index.propertyIDs { buffer.append(id) }
    }
  }

  private static func append(_ property: StoredProperty, to buffer: inout ByteBuffer) {
    buffer.append(property.id)
    let flags =
      (property.isPrimaryKey ? primaryKeyFlag : 0)
      | (property.isAutoIncremented ? autoIncrementFlag : 0)
    append(property.kind, otherFlags: flags, to: &buffer)
    append(property.targetClassID, to: &buffer)
    append(property.originPropertyID, to: &buffer)
    buffer.append(property.indexID)
    append(property.name, to: &buffer)
    // The constant's length is unknown before it is written.
    let lengthOffset = buffer.count
    buffer.append(0 as UInt32)
    guard let constant = property.addedConstant else { return }
    ElementCodec.append(constant, to: &buffer)
    let length = UInt32(truncatingIfNeeded: buffer.count - lengthOffset - 4)
    for byte in 0..<4 {
      buffer.bytes[lengthOffset + byte] = UInt8(truncatingIfNeeded: length >> UInt32(8 * byte))
    }
  }

  private static func append(_ layout: StoredLayout, to buffer: inout ByteBuffer) {
    buffer.append(layout.id)
    buffer.append(UInt32(truncatingIfNeeded: layout.fields.count))
    for field in layout.fields {
      buffer.append(field.propertyID)
      append(field.kind, otherFlags: field.isStored ? storedFlag : 0, to: &buffer)
    }
  }

  private static func append(
    _ kind: PropertyKind, otherFlags: UInt8, to buffer: inout ByteBuffer
  ) {
    buffer.append(kind.type.rawValue)
    buffer.append(kind.collection.rawValue)
    buffer.append(otherFlags | (kind.isNullable ? nullableFlag : 0))
  }

  private static func append(_ id: UInt32?, to buffer: inout ByteBuffer) {
    buffer.append(id == nil ? 0 : 1 as UInt8)
    buffer.append(id ?? 0)
  }

  private static func append(_ string: String, to buffer: inout ByteBuffer) {
    buffer.append(UInt32(truncatingIfNeeded: string.utf8.count))
    buffer.append(utf8: string)
  }

  /// Decodes and validates the record of a class: its checksum, unique properties and layouts, an
  /// existing current layout and primary key.
  ///
  /// - Throws: `FormatError`; `unsupported` for a record of a newer version.
  package static func decodeClass(
    _ bytes: UnsafeRawBufferPointer
  ) throws(FormatError) -> StoredClass {
    var reader = ByteReader(try checked(bytes))
    let version = try reader.uint8()
    let flags = try reader.uint8()
    try check(flags, allowed: embeddedFlag)
    let id = try reader.uint32()
    let nextPropertyID = try reader.uint32()
    let currentLayoutID = try reader.uint16()
    let primaryKey = try optionalID(&reader)
    let name = try reader.string()
    var properties: [StoredProperty] = []
    for _ in 0..<(try reader.uint32()) { properties.append(try property(&reader)) }
    var layouts: [StoredLayout] = []
    for _ in 0..<(try reader.uint32()) { layouts.append(try layout(&reader)) }
    var indexes: [StoredIndex] = []
    if version == indexedRecordVersion {
      for _ in 0..<(try reader.uint32()) { indexes.append(try index(&reader)) }
    }
    try reader.finish()
    let value = StoredClass(
      id: id, name: name, isEmbedded: flags & embeddedFlag != 0, primaryKeyPropertyID: primaryKey,
      nextPropertyID: nextPropertyID, properties: properties, layouts: layouts,
      currentLayoutID: currentLayoutID, indexes: indexes)
    try verify(value)
    return value
  }

  /// Checks version and checksum, and returns the record without the checksum.
  private static func checked(
    _ bytes: UnsafeRawBufferPointer
  ) throws(FormatError) -> UnsafeRawBufferPointer {
    guard bytes.count >= 5 else {
      throw FormatError(.truncated, "a class record is too short", found: UInt64(bytes.count))
    }
    guard bytes[0] == recordVersion || bytes[0] == indexedRecordVersion else {
      throw FormatError(
        .unsupported, "a class record of another version", offset: 0,
        expected: UInt64(recordVersion), found: UInt64(bytes[0]))
    }
    let end = bytes.count - 4
    let stored = bytes.uint32(at: end)
    let body = UnsafeRawBufferPointer(rebasing: bytes[..<end])
    let actual = CRC32C.checksum(body)
    guard stored == actual else {
      throw FormatError(
        .badChecksum, "a class record has a wrong checksum", offset: end,
        expected: UInt64(stored), found: UInt64(actual))
    }
    return body
  }

  private static func property(_ reader: inout ByteReader) throws(FormatError) -> StoredProperty {
    let id = try reader.uint32()
    let (kind, flags) = try kind(&reader, otherFlags: primaryKeyFlag | autoIncrementFlag)
    let target = try optionalID(&reader)
    let origin = try optionalID(&reader)
    let indexID = try reader.uint32()
    let name = try reader.string()
    let length = Int(try reader.uint32())
    let constant = length == 0 ? nil : try constant(try reader.slice(length))
    return StoredProperty(
      id: id, name: name, kind: kind, targetClassID: target, originPropertyID: origin,
      isPrimaryKey: flags & primaryKeyFlag != 0,
      isAutoIncremented: flags & autoIncrementFlag != 0, indexID: indexID, addedConstant: constant)
  }

  private static func index(_ reader: inout ByteReader) throws(FormatError) -> StoredIndex {
    let id = try reader.uint32()
    let rawKind = try reader.uint8()
    guard let kind = IndexKind(rawValue: rawKind) else {
      throw FormatError(
        .unsupported, "an index of an unknown kind", offset: reader.position - 1,
        found: UInt64(rawKind))
    }
    var propertyIDs: [UInt32] = []
    for _ in 0..<(try reader.uint32()) { propertyIDs.append(try reader.uint32()) }
    return StoredIndex(id: id, kind: kind, propertyIDs: propertyIDs)
  }

  private static func constant(_ bytes: UnsafeRawBufferPointer) throws(FormatError) -> Value {
    let element = try ElementReader(validating: bytes)
    guard element.wholeKey == nil, case .value(let value) = try element.value() else {
      throw FormatError(.badValue, "a constant must be inline")
    }
    return value
  }

  private static func layout(_ reader: inout ByteReader) throws(FormatError) -> StoredLayout {
    let id = try reader.uint16()
    var fields: [StoredLayout.Field] = []
    for _ in 0..<(try reader.uint32()) {
      let propertyID = try reader.uint32()
      let (kind, flags) = try kind(&reader, otherFlags: storedFlag)
      fields.append(
        StoredLayout.Field(
          propertyID: propertyID, kind: kind, isStored: flags & storedFlag != 0))
    }
    return StoredLayout(id: id, fields: fields)
  }

  private static func kind(
    _ reader: inout ByteReader, otherFlags: UInt8
  ) throws(FormatError) -> (PropertyKind, flags: UInt8) {
    let rawType = try reader.uint8()
    let rawCollection = try reader.uint8()
    let flags = try reader.uint8()
    try check(flags, allowed: otherFlags | nullableFlag)
    guard let type = PropertyType(rawValue: rawType),
      let collection = CollectionKind(rawValue: rawCollection)
    else {
      throw FormatError(
        .unsupported, "a property of an unknown kind", offset: reader.position - 3,
        found: UInt64(rawType) << 8 | UInt64(rawCollection))
    }
    let kind = PropertyKind(
      type: type, collection: collection, isNullable: flags & nullableFlag != 0)
    return (kind, flags)
  }

  private static func check(_ flags: UInt8, allowed: UInt8) throws(FormatError) {
    guard flags & ~allowed == 0 else {
      throw FormatError(.unsupported, "an unknown flag in a record", found: UInt64(flags))
    }
  }

  private static func optionalID(_ reader: inout ByteReader) throws(FormatError) -> UInt32? {
    let isPresent = try reader.flag()
    let id = try reader.uint32()
    return isPresent ? id : nil
  }

  private static func verify(_ value: StoredClass) throws(FormatError) {
    let ids = Set(value.properties.map(\.id))
    guard ids.count == value.properties.count,
      Set(value.layouts.map(\.id)).count == value.layouts.count
    else {
      throw FormatError(.badValue, "a class record has a duplicate property or layout")
    }
    for property in value.properties where property.isAutoIncremented && property.isStoredInRow {
      throw FormatError(
        .badValue, "an auto-incremented property is not an integer primary key",
        found: UInt64(property.id))
    }
    for layout in value.layouts where Set(layout.propertyIDs).count != layout.fields.count {
      throw FormatError(
        .badValue, "a layout has a duplicate property", found: UInt64(layout.id))
    }
    try verifyKinds(value)
    for index in value.indexes {
      guard !index.propertyIDs.isEmpty, ids.isSuperset(of: index.propertyIDs),
        Set(index.propertyIDs).count == index.propertyIDs.count,
        index.kind != .fullText || index.propertyIDs.count == 1
      else {
        throw FormatError(
          .badValue, "a class record has an index of other properties", found: UInt64(index.id))
      }
    }
    guard value.layouts.isEmpty || value.layouts.contains(where: { $0.id == value.currentLayoutID })
    else {
      throw FormatError(
        .badValue, "a class record lacks its layout", found: UInt64(value.currentLayoutID))
    }
    if let key = value.primaryKeyPropertyID, !ids.contains(key) {
      throw FormatError(.badValue, "a class record lacks its primary key", found: UInt64(key))
    }
  }

  /// A layout with another kind for a property would make reads go past the property's slot.
  private static func verifyKinds(_ value: StoredClass) throws(FormatError) {
    let properties = Dictionary(
      value.properties.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for layout in value.layouts {
      for field in layout.fields {
        guard let property = properties[field.propertyID] else { continue }
        guard field.kind == property.kind, field.isStored == property.isStoredInRow else {
          throw FormatError(
            .badValue, "a layout gives a property another kind", found: UInt64(field.propertyID))
        }
      }
    }
  }

  /// Encodes the generation of the schema under a model's hash.
  package static func encode(generation: UInt64, into buffer: inout ByteBuffer) {
    buffer.removeAll()
    buffer.append(generation)
  }

  /// Decodes the generation of the schema under a model's hash.
  package static func decodeGeneration(
    _ bytes: UnsafeRawBufferPointer
  ) throws(FormatError) -> UInt64 {
    var reader = ByteReader(bytes)
    let generation = try reader.uint64()
    try reader.finish()
    return generation
  }
}

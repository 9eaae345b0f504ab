/// A record of the table `collections`, stored under the id of a nested collection: its kind, and the
/// value that contains it. The collection of a property has no record.
@usableFromInline
package struct CollectionRecord: Hashable, Sendable {
  /// The kind of collection, and of its elements.
  @usableFromInline package let kind: PropertyKind
  package let ownerClassID: UInt32
  package let ownerObjectID: UInt64
  package let ownerPropertyID: UInt32
  /// The nested collection that contains this one; 0 for a value of a property, and for an element
  /// of the property's own collection.
  package let parentID: UInt64

  @usableFromInline package static let byteCount = 28
  private static let recordVersion: UInt8 = 1

  package init(
    kind: PropertyKind, ownerClassID: UInt32, ownerObjectID: UInt64, ownerPropertyID: UInt32,
    parentID: UInt64 = 0
  ) {
    self.kind = kind
    self.ownerClassID = ownerClassID
    self.ownerObjectID = ownerObjectID
    self.ownerPropertyID = ownerPropertyID
    self.parentID = parentID
  }

  /// Encodes the record's key.
  @inlinable
  package static func encodeKey(collectionID: UInt64, into key: inout OrderedKey) {
    key.removeAll(keepingCapacity: true)
    key.append(uint64: collectionID)
  }

  /// Decodes the record's key.
  package static func decodeKey(_ key: UnsafeRawBufferPointer) throws(FormatError) -> UInt64 {
    var decoder = KeyDecoder(key)
    let id = try decoder.uint64()
    try decoder.finish()
    return id
  }

  package func encode(into buffer: inout ByteBuffer) {
    buffer.removeAll()
    buffer.append(Self.recordVersion)
    buffer.append(kind.collection.rawValue)
    buffer.append(kind.type.rawValue)
    buffer.append(kind.isNullable ? 1 : 0 as UInt8)
    buffer.append(ownerClassID)
    buffer.append(ownerObjectID)
    buffer.append(ownerPropertyID)
    buffer.append(parentID)
  }

  package init(decoding bytes: UnsafeRawBufferPointer) throws(FormatError) {
    var reader = ByteReader(bytes)
    let version = try reader.uint8()
    guard version == Self.recordVersion else {
      throw FormatError(
        .unsupported, "a collection record of another version", offset: 0,
        expected: UInt64(Self.recordVersion), found: UInt64(version))
    }
    let rawCollection = try reader.uint8()
    let rawType = try reader.uint8()
    guard let collection = CollectionKind(rawValue: rawCollection),
      let type = PropertyType(rawValue: rawType), collection != .none
    else {
      throw FormatError(
        .badTag, "a collection of an unknown kind", offset: 1,
        found: UInt64(rawCollection) << 8 | UInt64(rawType))
    }
    kind = PropertyKind(type: type, collection: collection, isNullable: try reader.flag())
    ownerClassID = try reader.uint32()
    ownerObjectID = try reader.uint64()
    ownerPropertyID = try reader.uint32()
    parentID = try reader.uint64()
    try reader.finish()
  }
}

/// Keys of the table `backlinks`: the target of a link, and its origin.
@usableFromInline
package struct BacklinkKey: Hashable, Sendable {
  @usableFromInline package let targetClass: UInt32
  @usableFromInline package let targetID: UInt64
  @usableFromInline package let originClass: UInt32
  @usableFromInline package let originProperty: UInt32
  @usableFromInline package let originID: UInt64
  /// The collection that contains the link; 0 for a to-one link.
  @usableFromInline package let collectionID: UInt64

  @usableFromInline package static let byteCount = 36

  @inlinable
  package init(
    targetClass: UInt32, targetID: UInt64, originClass: UInt32, originProperty: UInt32,
    originID: UInt64, collectionID: UInt64 = 0
  ) {
    self.targetClass = targetClass
    self.targetID = targetID
    self.originClass = originClass
    self.originProperty = originProperty
    self.originID = originID
    self.collectionID = collectionID
  }

  @inlinable
  package func encode(into key: inout OrderedKey) {
    Self.begin(&key, targetClass: targetClass, targetID: targetID)
    key.append(uint32: originClass)
    key.append(uint32: originProperty)
    key.append(uint64: originID)
    key.append(uint64: collectionID)
  }

  /// Starts a key with the common prefix of all links to one object.
  @inlinable
  package static func begin(_ key: inout OrderedKey, targetClass: UInt32, targetID: UInt64) {
    key.removeAll(keepingCapacity: true)
    key.append(uint32: targetClass)
    key.append(uint64: targetID)
  }

  /// Starts a key with the common prefix of all links to one object from one property.
  @inlinable
  package static func begin(
    _ key: inout OrderedKey, targetClass: UInt32, targetID: UInt64, originClass: UInt32,
    originProperty: UInt32
  ) {
    begin(&key, targetClass: targetClass, targetID: targetID)
    key.append(uint32: originClass)
    key.append(uint32: originProperty)
  }

  package init(decoding key: UnsafeRawBufferPointer) throws(FormatError) {
    var decoder = KeyDecoder(key)
    targetClass = try decoder.uint32()
    targetID = try decoder.uint64()
    originClass = try decoder.uint32()
    originProperty = try decoder.uint32()
    originID = try decoder.uint64()
    collectionID = try decoder.uint64()
    try decoder.finish()
  }

  /// Encodes an entry's value: the number of links from the origin to the target.
  package static func encodeCount(_ count: UInt32, into value: inout ByteBuffer) {
    value.removeAll()
    value.append(count)
  }

  /// Decodes an entry's value.
  package static func decodeCount(_ value: UnsafeRawBufferPointer) throws(FormatError) -> UInt32 {
    var reader = ByteReader(value)
    let count = try reader.uint32()
    try reader.finish()
    return count
  }
}

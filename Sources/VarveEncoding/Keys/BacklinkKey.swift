/// Keys of the table `backlinks`: the target of a link, and its origin.
@usableFromInline
package struct BacklinkKey: Hashable, Sendable {
  @usableFromInline package let targetClass: UInt32
  @usableFromInline package let targetID: UInt64
  @usableFromInline package let originClass: UInt32
  @usableFromInline package let originProperty: UInt32
  @usableFromInline package let originID: UInt64
  /// The nested collection that contains the link; 0 for a to-one link, and for a link in the
  /// property's own collection. Keys end before it if it is 0.
  @usableFromInline package let nestedID: UInt64

  /// The length of a key of a link that is not in a nested collection.
  package static let byteCount = 28

  @inlinable
  package init(
    targetClass: UInt32, targetID: UInt64, originClass: UInt32, originProperty: UInt32,
    originID: UInt64, nestedID: UInt64 = 0
  ) {
    self.targetClass = targetClass
    self.targetID = targetID
    self.originClass = originClass
    self.originProperty = originProperty
    self.originID = originID
    self.nestedID = nestedID
  }

  @inlinable
  package func encode(into key: inout OrderedKey) {
    Self.begin(&key, targetClass: targetClass, targetID: targetID)
    key.append(uint32: originClass)
    key.append(uint32: originProperty)
    key.append(uint64: originID)
    if nestedID != 0 { key.append(uint64: nestedID) }
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
    nestedID = decoder.isAtEnd ? 0 : try decoder.uint64()
    try decoder.finish()
    guard nestedID != 0 || key.count == Self.byteCount else {
      throw FormatError(.badValue, "a backlink with a nested collection without an id")
    }
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

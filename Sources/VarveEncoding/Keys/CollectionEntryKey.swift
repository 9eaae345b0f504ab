/// Keys of the tables `dictionaries` and `sets`: collection id, then the key or element.
@usableFromInline
package enum CollectionEntryKey {
  /// Where the value part begins.
  @usableFromInline package static let valueStart = 8

  /// Starts a key: all entries of a collection begin so.
  @inlinable
  package static func begin(_ key: inout OrderedKey, collectionID: UInt64) {
    key.removeAll(keepingCapacity: true)
    key.append(uint64: collectionID)
  }

  /// Builds the key of a dictionary's entry.
  ///
  /// - Returns: whether it was cut; then the entry's element must carry the whole key
  ///   (``ElementCodec/appendWholeKey(_:to:)``).
  package static func encode(
    dictionaryKey string: String, collectionID: UInt64, fileKey: FileKey,
    into key: inout OrderedKey
  ) -> Bool {
    begin(&key, collectionID: collectionID)
    return key.appendBare(string: string, fileKey: fileKey)
  }

  /// Builds the key of a set's entry.
  ///
  /// - Returns: whether it was cut; then the entry's element must carry the whole bytes.
  package static func encode(
    element: Value, type: PropertyType, collectionID: UInt64, fileKey: FileKey,
    into key: inout OrderedKey
  ) -> Bool {
    begin(&key, collectionID: collectionID)
    return key.append(element, propertyType: type, fileKey: fileKey)
  }

  /// Reads the key of a dictionary's entry.
  package static func decodeDictionaryKey(
    _ key: UnsafeRawBufferPointer
  ) throws(FormatError) -> (collectionID: UInt64, key: KeyValue) {
    var decoder = KeyDecoder(key)
    let id = try decoder.uint64()
    let value = try decoder.bareString()
    try decoder.finish()
    return (id, value)
  }

  /// Reads the key of a set's entry.
  package static func decodeElement(
    _ key: UnsafeRawBufferPointer, type: PropertyType, linkClass: UInt32 = 0
  ) throws(FormatError) -> (collectionID: UInt64, element: KeyValue) {
    var decoder = KeyDecoder(key)
    let id = try decoder.uint64()
    let value = try decoder.value(propertyType: type, linkClass: linkClass)
    try decoder.finish()
    return (id, value)
  }
}

/// Keys of the tables `dictionaries` and `sets`: collection id, then the key or element.
@usableFromInline
package enum CollectionEntryKey {
  /// The offset of the value part.
  @usableFromInline package static let valueStart = 8

  /// Starts a key with the common prefix of all entries of a collection.
  @inlinable
  package static func begin(_ key: inout OrderedKey, collectionID: UInt64) {
    key.removeAll(keepingCapacity: true)
    key.append(uint64: collectionID)
  }

  /// Encodes the key of a dictionary's entry.
  ///
  /// - Returns: Whether it was cut; then the entry's element must contain the whole key
  ///   (``ElementCodec/appendWholeKey(_:to:)``).
  package static func encode(
    dictionaryKey string: String, collectionID: UInt64, fileKey: FileKey,
    into key: inout OrderedKey
  ) -> Bool {
    begin(&key, collectionID: collectionID)
    return key.appendBare(string: string, fileKey: fileKey)
  }

  /// The number of bytes of a short key in addition to the string: the collection's id and the end.
  package static let shortOverhead = valueStart + 2

  /// Whether a string is stored verbatim in its key: uncut, and without a zero byte.
  package static func isShort(_ utf8: UnsafeRawBufferPointer) -> Bool {
    utf8.count <= OrderedKey.maximumValueBytes - 2 && !UTF8Text.hasZero(utf8)
  }

  /// Encodes the key of a dictionary's entry in memory of the caller.
  ///
  /// - Precondition: The string is short (``isShort(_:)``), and the buffer is longer than it by
  ///   exactly ``shortOverhead``.
  package static func encode(
    short utf8: UnsafeRawBufferPointer, collectionID: UInt64,
    into buffer: UnsafeMutableRawBufferPointer
  ) {
    buffer.storeBytes(of: collectionID.bigEndian, as: UInt64.self)
    let end = valueStart + utf8.count
    UnsafeMutableRawBufferPointer(rebasing: buffer[valueStart..<end]).copyMemory(from: utf8)
    buffer[end] = OrderedKey.endMark.0
    buffer[end + 1] = OrderedKey.endMark.1
  }

  /// Whether an entry's key does not contain its whole value part.
  package static func isCut(_ key: UnsafeRawBufferPointer) -> Bool { key.count > groupEnd }

  /// The end of the common prefix of a group of cut keys. Cut keys are ordered by their whole bytes
  /// between groups only.
  package static let groupEnd = valueStart + OrderedKey.maximumValueBytes

  /// Encodes the key of a set's entry.
  ///
  /// - Returns: Whether it was cut; the entry's element contains the whole bytes in any case.
  package static func encode(
    element: Value, type: PropertyType, collectionID: UInt64, fileKey: FileKey,
    into key: inout OrderedKey
  ) -> Bool {
    begin(&key, collectionID: collectionID)
    return key.append(element, propertyType: type, fileKey: fileKey)
  }

  /// Decodes the key of a dictionary's entry; its string is nil if it was cut.
  package static func decodeDictionaryKey(
    _ key: UnsafeRawBufferPointer
  ) throws(FormatError) -> (collectionID: UInt64, key: String?) {
    var decoder = KeyDecoder(key)
    let id = try decoder.uint64()
    let value = try decoder.bareString()
    try decoder.finish()
    return (id, value)
  }

  /// Returns the string of a dictionary's entry whose key contains it verbatim (see
  /// ``isShort(_:)``); nil for another key, and for a damaged one.
  package static func plainText(_ key: UnsafeRawBufferPointer) -> String? {
    let end = key.count - 2
    guard end >= valueStart, !isCut(key), key[end] == OrderedKey.endMark.0,
      key[end + 1] == OrderedKey.endMark.1
    else { return nil }
    let bytes = UnsafeRawBufferPointer(rebasing: key[valueStart..<end])
    if UTF8Text.isASCIIWithoutZero(bytes) { return String(decoding: bytes, as: UTF8.self) }
    return isShort(bytes) ? try? UTF8Text.string(bytes) : nil
  }
}

import VarveEncoding
import VarveStorage

extension Snapshot {
  /// The element under a key of a dictionary; nil when the key is absent.
  ///
  /// - Complexity: one lookup; no allocation for a key that is short and has no zero byte.
  func dictionaryElement(
    _ collectionID: UInt64, _ key: String, fileKey: FileKey
  ) throws(FormatError) -> StoredValue? {
    var key = key
    let short: Result<StoredValue?, FormatError>?? = key.utf8.withContiguousStorageIfAvailable {
      utf8 in
      guard utf8.count <= ShortDictionaryKey.maximumBytes, !utf8.contains(0) else { return nil }
      return withUnsafeTemporaryAllocation(
        byteCount: utf8.count + ShortDictionaryKey.overhead, alignment: 8
      ) { buffer in
        ShortDictionaryKey.encode(collectionID, UnsafeRawBufferPointer(utf8), into: buffer)
        guard let bytes = find(.dictionaries, key: UnsafeRawBufferPointer(buffer)) else {
          return .success(nil)
        }
        return Result { () throws(FormatError) in try ElementReader(validating: bytes).value() }
      }
    }
    if let short = short ?? nil { return try short.get() }
    key.makeContiguousUTF8()
    return try longDictionaryElement(collectionID, key, fileKey)
  }

  private func longDictionaryElement(
    _ collectionID: UInt64, _ key: String, _ fileKey: FileKey
  ) throws(FormatError) -> StoredValue? {
    var entry = OrderedKey()
    let wasCut = CollectionEntryKey.encode(
      dictionaryKey: key, collectionID: collectionID, fileKey: fileKey, into: &entry)
    guard let bytes = entry.withUnsafeBytes({ find(.dictionaries, key: $0) }) else { return nil }
    let element = try ElementReader(validating: bytes)
    if wasCut {
      guard let whole = element.wholeKey, key.utf8.elementsEqual(whole) else { return nil }
    }
    return try element.value()
  }
}

/// The key of a dictionary's entry for a string that is neither cut nor escaped: the collection's id,
/// the bytes, the terminator. The general form is `CollectionEntryKey`.
enum ShortDictionaryKey {
  /// With the terminator, such a key stays whole.
  static let maximumBytes = OrderedKey.maximumValueBytes - 2
  /// The collection's id and the terminator.
  static let overhead = 10

  static func encode(
    _ collectionID: UInt64, _ utf8: UnsafeRawBufferPointer,
    into buffer: UnsafeMutableRawBufferPointer
  ) {
    buffer.storeBytes(of: collectionID.bigEndian, as: UInt64.self)
    UnsafeMutableRawBufferPointer(rebasing: buffer[8..<8 + utf8.count]).copyMemory(from: utf8)
    buffer[8 + utf8.count] = 0
    buffer[9 + utf8.count] = 1
  }
}

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
      let utf8 = UnsafeRawBufferPointer(utf8)
      guard CollectionEntryKey.isShort(utf8) else { return nil }
      return withUnsafeTemporaryAllocation(
        byteCount: utf8.count + CollectionEntryKey.shortOverhead, alignment: 8
      ) { buffer in
        CollectionEntryKey.encode(short: utf8, collectionID: collectionID, into: buffer)
        guard let bytes = find(.dictionaries, key: UnsafeRawBufferPointer(buffer)) else {
          return .success(nil)
        }
        if let integer = ElementReader.int64(of: bytes) { return .success(.value(.int(integer))) }
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

import VarveEncoding

/// The keys of all tables, and the counts next to them. The input is a byte that selects the
/// decoder, and the key.
enum KeyFuzzing {
  static func run(_ bytes: UnsafeRawBufferPointer) throws {
    var input = FuzzInput(bytes)
    let choice = input.byte()
    try input.remaining().lend { key in
      _ = IndexKey.objectID(atEndOf: key)
      _ = IndexKey.objectID(inValue: key)
      var encoded = OrderedKey()
      var value = ByteBuffer()
      do throws(FormatError) {
        try encode(choice, key, &encoded, &value)
      } catch {
        return
      }
      let copy = encoded.count > 0 ? encoded.bytes : value.bytes
      try require(copy == Array(key), "decoder \(choice % 8) accepts bytes that are never written")
    }
  }

  /// Decodes a key or a value, and encodes the result.
  private static func encode(
    _ choice: UInt8, _ key: UnsafeRawBufferPointer, _ encoded: inout OrderedKey,
    _ value: inout ByteBuffer
  ) throws(FormatError) {
    switch choice % 8 {
    case 0: try ListNodeKey(decoding: key).encode(into: &encoded)
    case 1: try BlobChunkKey(decoding: key).encode(into: &encoded)
    case 2: try BacklinkKey(decoding: key).encode(into: &encoded)
    case 3: try CatalogKey(decoding: key).encode(into: &encoded)
    case 4:
      CollectionRecord.encodeKey(
        collectionID: try CollectionRecord.decodeKey(key), into: &encoded)
    case 5: BacklinkKey.encodeCount(try BacklinkKey.decodeCount(key), into: &value)
    case 6: try CollectionRecord(decoding: key).encode(into: &value)
    default: try encodeDictionaryKey(key, &encoded)
    }
  }

  private static func encodeDictionaryKey(
    _ key: UnsafeRawBufferPointer, _ encoded: inout OrderedKey
  ) throws(FormatError) {
    let plain = CollectionEntryKey.plainText(key)
    let (id, text) = try CollectionEntryKey.decodeDictionaryKey(key)
    guard let text else {
      // The whole key is elsewhere.
      encoded = OrderedKey(key)
      return
    }
    let isCut = CollectionEntryKey.encode(
      dictionaryKey: text, collectionID: id, fileKey: MapEntryFuzzing.fileKey, into: &encoded)
    // A key that differs is a finding.
    if isCut || (plain != nil && plain != text) { encoded.append(byte: 0) }
  }
}

import VarveEncoding
import VarveStorage
import VarveTestSupport

@testable import VarveCore

/// Writes the entries and blobs of maps in the same format as `Transaction`.
struct MapWriter {
  static let mapID: UInt64 = 9

  let transaction: WriteTransaction
  let fileKey: FileKey
  /// The size of every chunk of a blob except the last.
  var chunkBytes = 1 << 20

  func set(_ key: String, _ value: Value, mapID: UInt64 = mapID) throws {
    try put(key, mapID, try element(value))
  }

  func remove(_ key: String, mapID: UInt64 = mapID) throws {
    let entry = entryKey(key, mapID)
    _ = try entry.key.withUnsafeBytes { try transaction.delete(.dictionaries, key: $0) }
  }

  /// Replaces the element of an entry with arbitrary bytes.
  func put(_ key: String, _ mapID: UInt64, _ element: ByteBuffer) throws {
    var element = element
    let entry = entryKey(key, mapID)
    if entry.wasCut {
      Array(key.utf8).withUnsafeBytes { ElementCodec.appendWholeKey($0, to: &element) }
    }
    try put(element, under: entry.key.bytes)
  }

  /// Stores an element, with the checksum of the entry, under the bytes of a key.
  func put(_ element: ByteBuffer, under key: [UInt8]) throws {
    var value = element
    try key.withUnsafeBytes { key in
      CollectionEntry.seal(&value, key: key)
      try value.withUnsafeBytes { try transaction.put(.dictionaries, key: key, $0) }
    }
  }

  func entryKey(_ key: String, _ mapID: UInt64) -> (key: OrderedKey, wasCut: Bool) {
    var entry = OrderedKey()
    let wasCut = CollectionEntryKey.encode(
      dictionaryKey: key, collectionID: mapID, fileKey: fileKey, into: &entry)
    return (entry, wasCut)
  }

  /// The bytes of a value. Large strings and data are written to a new blob.
  func element(_ value: Value) throws -> ByteBuffer {
    var element = ByteBuffer()
    switch value {
    case .string(let text) where text.utf8.count > ElementCodec.maximumInlineBytes:
      ElementCodec.append(blob: try blob(Array(text.utf8)), type: .string, to: &element)
    case .data(let bytes) where bytes.count > ElementCodec.maximumInlineBytes:
      ElementCodec.append(blob: try blob(Array(bytes)), type: .data, to: &element)
    default: ElementCodec.append(value, to: &element)
    }
    return element
  }

  func blob(_ bytes: [UInt8], checksum: UInt32? = nil) throws -> BlobReference {
    let id = transaction.root.nextBlobID
    transaction.root.nextBlobID += 1
    for start in stride(from: 0, to: bytes.count, by: chunkBytes) {
      let chunk = bytes[start..<min(start + chunkBytes, bytes.count)]
      try putChunk(id, at: start, Array(chunk))
    }
    let checksum = checksum ?? bytes.withUnsafeBytes { CRC32C.checksum($0) }
    return BlobReference(id: id, byteCount: UInt32(bytes.count), checksum: checksum)
  }

  func putChunk(_ blobID: UInt64, at offset: Int, _ bytes: [UInt8]) throws {
    var key = OrderedKey()
    BlobChunkKey(blobID: blobID, offset: UInt32(offset)).encode(into: &key)
    try key.withUnsafeBytes { key in
      try bytes.withUnsafeBytes { try transaction.put(.blobs, key: key, $0) }
    }
  }
}

extension ListTestStore {
  /// Runs a transaction that writes to maps.
  @discardableResult
  func writeMaps(_ body: (MapWriter) throws -> Void) throws -> Snapshot {
    let transaction = try beginWrite()
    do {
      let key = environment.fileKey
      try body(
        MapWriter(
          transaction: transaction, fileKey: FileKey(low: key.first, high: key.second)))
      return try transaction.commit()
    } catch {
      transaction.abort()
      throw error
    }
  }
}

import VarveEncoding
import VarveStorage

/// Writing and removing blobs.
extension FileEditor {
  /// Stores a large value.
  func writeBlob(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> BlobReference {
    guard bytes.count <= Blob.maximumBytes else {
      throw Failure(.valueTooLarge, "A value is larger than 1 GiB.", value: "\(bytes.count) bytes")
    }
    let id = storage.root.nextBlobID
    storage.root.nextBlobID += 1
    try writeChunks(of: id, from: 0, bytes, isLast: true)
    return BlobReference(
      id: id, byteCount: UInt32(bytes.count), checksum: CRC32C.checksum(bytes))
  }

  /// Appends bytes to a blob, which keeps its id.
  ///
  /// Versions that contain the shorter blob do not see the change. A blob only grows under its id:
  /// two blobs of one history with the same id and the same number of bytes have the same bytes.
  ///
  /// - Parameter bytes: The bytes, which this call does not change: they are no part of the blob in
  ///   this transaction.
  /// - Returns: The new reference. Its checksum is computed from that of the old one.
  /// - Throws: `.corrupted` for a damaged end of the blob, or the engine's error.
  /// - Complexity: O(bytes), plus at most ``BlobShape/maximumMerged`` bytes that are written again.
  /// - Precondition: The blob does not become larger than ``Blob/maximumBytes``.
  func append(
    _ bytes: UnsafeRawBufferPointer, to blob: BlobReference
  ) throws(Failure) -> BlobReference {
    let longer = BlobReference(
      id: blob.id, byteCount: blob.byteCount + UInt32(bytes.count),
      checksum: CRC32C.checksum(bytes, after: blob.checksum))
    guard !hasLeftEngine else { return longer }
    let end = try mergedEnd(of: blob, appending: bytes.count)
    for key in end.keys.dropFirst() { try deleteChunk(key) }
    let start = Int(blob.byteCount) - end.bytes.count
    if end.bytes.isEmpty {
      try writeChunks(of: blob.id, from: start, bytes, isLast: false)
      return longer
    }
    // Only the first chunk is put together in memory, and a short rest.
    var first = end.bytes
    let length = BlobShape.chunkLength(left: first.count + bytes.count)
    let split = length < first.count ? bytes.count : length - first.count
    first.append(contentsOf: bytes[..<split])
    try first.withFailingBytes { (chunks) throws(Failure) in
      try writeChunks(of: blob.id, from: start, chunks, isLast: false)
    }
    try writeChunks(
      of: blob.id, from: start + first.count, UnsafeRawBufferPointer(rebasing: bytes[split...]),
      isLast: false)
    return longer
  }

  /// Returns the chunks at the end of a blob that are written again together with appended bytes:
  /// their keys in order, and a copy of their bytes. See ``BlobShape/merges(_:before:_:)``.
  ///
  /// - Throws: `.corrupted` if one of them, or the one before, has another place or length.
  private func mergedEnd(
    of blob: BlobReference, appending count: Int
  ) throws(Failure) -> (keys: [BlobChunkKey], bytes: [UInt8]) {
    let found: (keys: [BlobChunkKey], bytes: [UInt8])? = try engine { () throws(StorageError) in
      var keys: [BlobChunkKey] = []
      var bytes: [UInt8] = []
      var cursor = storage.cursor(.blobs)
      let end = BlobChunkKey(blobID: blob.id, offset: blob.byteCount)
      var isPresent = end.withBytes { cursor.seek(key: $0) } ? cursor.previous() : cursor.seekLast()
      var start = Int(blob.byteCount)
      while start > 0 {
        if let failure = storage.failure { throw failure }
        let chunk = cursor.value
        guard isPresent, let key = try? BlobChunkKey(decoding: cursor.key), key.blobID == blob.id,
          !chunk.isEmpty, Int(key.offset) + chunk.count == start
        else { return nil }
        guard BlobShape.merges(chunk.count, before: bytes.count, count) else { break }
        keys.insert(key, at: 0)
        bytes.insert(contentsOf: chunk, at: 0)
        start = Int(key.offset)
        isPresent = start > 0 && cursor.previous()
      }
      return (keys, bytes)
    }
    guard let found else { throw Blob.damage }
    return found
  }

  /// Writes bytes of a blob as chunks.
  ///
  /// - Parameters:
  ///   - start: The offset of the bytes in the blob.
  ///   - isLast: Whether the chunks are expected behind all others of the table; only a hint.
  private func writeChunks(
    of id: UInt64, from start: Int, _ bytes: UnsafeRawBufferPointer, isLast: Bool
  ) throws(Failure) {
    var offset = 0
    while offset < bytes.count {
      let length = BlobShape.chunkLength(left: bytes.count - offset)
      try putChunk(
        BlobChunkKey(blobID: id, offset: UInt32(start + offset)),
        UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length]), isLast: isLast)
      offset += length
    }
  }

  private func putChunk(
    _ key: BlobChunkKey, _ chunk: UnsafeRawBufferPointer, isLast: Bool
  ) throws(Failure) {
    try change { () throws(StorageError) in
      try key.withBytes { (key) throws(StorageError) in
        try storage.put(.blobs, key: key, chunk, append: isLast)
      }
    }
  }

  /// Removes a large value's chunks, whatever their lengths.
  ///
  /// - Throws: `.corrupted` when the reference is damaged, or the engine's error.
  func deleteBlob(_ reference: BlobReference) throws(Failure) {
    try Blob.check(reference)
    guard !hasLeftEngine else { return }
    for key in try chunkKeys(of: reference) { try deleteChunk(key) }
  }

  private func deleteChunk(_ key: BlobChunkKey) throws(Failure) {
    try change { () throws(StorageError) in
      _ = try key.withBytes { (key) throws(StorageError) in
        try storage.delete(.blobs, key: key)
      }
    }
  }

  /// Returns the keys of all chunks of a blob. They are collected because a deletion invalidates a
  /// cursor.
  private func chunkKeys(of reference: BlobReference) throws(Failure) -> [BlobChunkKey] {
    try engine { () throws(StorageError) in
      var keys: [BlobChunkKey] = []
      var cursor = storage.cursor(.blobs)
      let first = BlobChunkKey(blobID: reference.id, offset: 0)
      var isPresent = first.withBytes { cursor.seek(key: $0) }
      while isPresent, let key = try? BlobChunkKey(decoding: cursor.key),
        key.blobID == reference.id
      {
        // Pages of a damaged file may form a cycle.
        if let last = keys.last, last.offset >= key.offset { break }
        keys.append(key)
        isPresent = cursor.next()
      }
      if let failure = storage.failure { throw failure }
      return keys
    }
  }
}

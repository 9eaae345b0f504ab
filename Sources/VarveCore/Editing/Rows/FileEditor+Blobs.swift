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
    var offset = 0
    var checksum: UInt32 = 0
    while offset < bytes.count {
      let length = BlobShape.chunkLength(left: bytes.count - offset)
      let chunk = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length])
      let key = BlobChunkKey(blobID: id, offset: UInt32(offset))
      try change { () throws(StorageError) in
        try key.withBytes { (key) throws(StorageError) in
          try storage.put(.blobs, key: key, chunk, append: true)
        }
      }
      checksum = CRC32C.checksum(chunk, after: checksum)
      offset += length
    }
    return BlobReference(id: id, byteCount: UInt32(bytes.count), checksum: checksum)
  }

  /// Removes a large value's chunks, whatever their lengths.
  ///
  /// - Throws: `.corrupted` when the reference is damaged, or the engine's error.
  func deleteBlob(_ reference: BlobReference) throws(Failure) {
    try Blob.check(reference)
    guard !hasLeftEngine else { return }
    for key in try chunkKeys(of: reference) {
      try change { () throws(StorageError) in
        _ = try key.withBytes { (key) throws(StorageError) in
          try storage.delete(.blobs, key: key)
        }
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

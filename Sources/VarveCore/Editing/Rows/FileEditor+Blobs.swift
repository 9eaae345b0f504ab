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
    var rest = bytes
    var number: UInt32 = 0
    while !rest.isEmpty {
      let length = BlobShape.chunkLength(left: rest.count)
      let chunk = UnsafeRawBufferPointer(rebasing: rest[..<length])
      try change { () throws(StorageError) in
        try BlobChunkKey(blobID: id, chunk: number).withBytes { (key) throws(StorageError) in
          try storage.put(.blobs, key: key, chunk, append: true)
        }
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[length...])
      number += 1
    }
    return BlobReference(id: id, byteCount: UInt64(bytes.count))
  }

  /// Removes a large value's chunks.
  ///
  /// - Throws: `.corrupted` when the reference is damaged, or the engine's error.
  func deleteBlob(_ reference: BlobReference) throws(Failure) {
    try Blob.check(reference.byteCount)
    for chunk in 0..<BlobShape.chunkCount(Int(reference.byteCount)) {
      let key = BlobChunkKey(blobID: reference.id, chunk: UInt32(chunk))
      try change { () throws(StorageError) in
        _ = try key.withBytes { (key) throws(StorageError) in
          try storage.delete(.blobs, key: key)
        }
      }
    }
  }
}

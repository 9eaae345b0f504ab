package import Foundation
import VarveEncoding
package import VarveStorage

/// Blobs: the bytes of large values, in chunks, so that a row stays small and a large value that did
/// not change is never written again.
enum Blob {
  static let chunkBytes = BlobChunkKey.chunkBytes
  /// The largest value; over it a write fails with `.valueTooLarge`.
  static let maximumBytes = 1 << 30

  /// - Throws: `.corrupted` for a size that no blob has.
  static func check(_ byteCount: UInt64) throws(Failure) {
    guard byteCount <= UInt64(maximumBytes) else {
      throw Failure(.corrupted, "A blob's size is out of range.", value: "\(byteCount) bytes")
    }
  }

  static func chunkCount(_ byteCount: UInt64) -> Int {
    Int((byteCount + UInt64(chunkBytes) - 1) / UInt64(chunkBytes))
  }
}

extension TableReader {
  /// The bytes of a blob.
  ///
  /// - Throws: `.corrupted` when chunks are missing or their sizes do not add up.
  /// - Complexity: O(bytes).
  package func blob(_ id: UInt64, byteCount: UInt64) throws(Failure) -> Data {
    try Blob.check(byteCount)
    var data = Data(capacity: Int(byteCount))
    var key = OrderedKey()
    for chunk in 0..<Blob.chunkCount(byteCount) {
      BlobChunkKey(blobID: id, chunk: UInt32(chunk)).encode(into: &key)
      guard let bytes = key.withUnsafeBytes({ find(.blobs, key: $0) }) else {
        throw Failure(.corrupted, "A chunk of a blob is missing.")
      }
      data.append(contentsOf: bytes)
    }
    guard data.count == Int(byteCount) else {
      throw Failure(.corrupted, "A blob's chunks do not add up to its size.")
    }
    return data
  }
}

extension Transaction {
  /// Stores a large value.
  func writeBlob(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> BlobReference {
    guard bytes.count <= Blob.maximumBytes else {
      throw Failure(.valueTooLarge, "A value is larger than 1 GiB.", value: "\(bytes.count) bytes")
    }
    let id = storage.root.nextBlobID
    storage.root.nextBlobID += 1
    for chunk in 0..<Blob.chunkCount(UInt64(bytes.count)) {
      let start = chunk * Blob.chunkBytes
      let part = UnsafeRawBufferPointer(
        rebasing: bytes[start..<min(start + Blob.chunkBytes, bytes.count)])
      var key = OrderedKey()
      BlobChunkKey(blobID: id, chunk: UInt32(chunk)).encode(into: &key)
      try change { () throws(StorageError) in
        try key.withUnsafeBytes { (key) throws(StorageError) in
          try storage.put(.blobs, key: key, part, append: true)
        }
      }
    }
    return BlobReference(id: id, byteCount: UInt64(bytes.count))
  }

  /// Removes a large value's chunks.
  ///
  /// - Throws: `.corrupted` when the reference is damaged, or what the engine reports.
  func deleteBlob(_ reference: BlobReference) throws(Failure) {
    try Blob.check(reference.byteCount)
    for chunk in 0..<Blob.chunkCount(reference.byteCount) {
      var key = OrderedKey()
      BlobChunkKey(blobID: reference.id, chunk: UInt32(chunk)).encode(into: &key)
      try change { () throws(StorageError) in
        _ = try key.withUnsafeBytes { (key) throws(StorageError) in
          try storage.delete(.blobs, key: key)
        }
      }
    }
  }
}

import Glibc
import VarveEncoding
import VarveStorage

/// A large value in one version, read where it lies.
///
/// Thread safety: an immutable value.
struct StoredBlob {
  let reference: BlobReference
  let snapshot: Snapshot

  /// Whether two blobs hold the same bytes.
  ///
  /// - Throws: `.corrupted` when chunks are missing or have another size.
  /// - Complexity: O(bytes) up to the first difference; O(1) for one blob of two versions.
  func hasSameBytes(as other: StoredBlob) throws(StorageError) -> Bool {
    let byteCount = reference.byteCount
    guard byteCount == other.reference.byteCount else { return false }
    if reference.id == other.reference.id, snapshot.sharesIDs(with: other.snapshot) { return true }
    try checkSize()
    for number in 0..<Blob.chunkCount(byteCount) {
      guard ByteOrder.areEqual(try chunk(number), try other.chunk(number)) else { return false }
    }
    return true
  }

  /// Whether the blob holds these bytes.
  ///
  /// - Throws, Complexity: as `hasSameBytes(as:)`.
  func holds(_ bytes: UnsafeRawBufferPointer) throws(StorageError) -> Bool {
    guard reference.byteCount == UInt64(bytes.count) else { return false }
    try checkSize()
    var start = 0
    for number in 0..<Blob.chunkCount(reference.byteCount) {
      let chunk = try chunk(number)
      let part = UnsafeRawBufferPointer(rebasing: bytes[start..<start + chunk.count])
      guard ByteOrder.areEqual(chunk, part) else { return false }
      start += chunk.count
    }
    return true
  }

  /// Feeds all bytes to a hasher.
  ///
  /// - Throws: as `hasSameBytes(as:)`.
  /// - Complexity: O(bytes).
  func hash(into hasher: inout Hasher) throws(StorageError) {
    try checkSize()
    for number in 0..<Blob.chunkCount(reference.byteCount) {
      hasher.combine(bytes: try chunk(number))
    }
  }

  private func checkSize() throws(StorageError) {
    guard reference.byteCount <= UInt64(Blob.maximumBytes) else { throw damaged() }
  }

  private func chunk(_ number: Int) throws(StorageError) -> UnsafeRawBufferPointer {
    var key = OrderedKey()
    BlobChunkKey(blobID: reference.id, chunk: UInt32(number)).encode(into: &key)
    let left = Int(reference.byteCount) - number * Blob.chunkBytes
    guard let bytes = key.withUnsafeBytes({ snapshot.find(.blobs, key: $0) }),
      bytes.count == min(left, Blob.chunkBytes)
    else { throw damaged() }
    return bytes
  }

  private func damaged() -> StorageError {
    snapshot.damaged("A blob's chunks are damaged.")
  }
}

extension Snapshot {
  /// Whether an id names the same thing in both versions: they are of one history of one file.
  func sharesIDs(with other: Snapshot) -> Bool {
    environment === other.environment && version.incarnation == other.version.incarnation
  }

  /// The error for bytes that are not what they must be, which the environment is told of as well.
  func damaged(_ detail: StaticString) -> StorageError {
    let error = StorageError(.corrupted, detail, path: environment.path)
    environment.markDamaged(error)
    return error
  }
}

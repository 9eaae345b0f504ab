import Glibc
import VarveEncoding
import VarveStorage

/// A large value in one version, read in place.
struct StoredBlob {
  let reference: BlobReference
  let snapshot: Snapshot

  /// Whether two blobs have the same bytes.
  ///
  /// - Throws: `.corrupted` when chunks are missing or have another size.
  /// - Complexity: O(1) if lengths or checksums differ, or both versions have the same blob; else
  ///   O(bytes), because different bytes may have one checksum.
  func hasSameBytes(as other: StoredBlob) throws(StorageError) -> Bool {
    let byteCount = reference.byteCount
    guard byteCount == other.reference.byteCount, reference.checksum == other.reference.checksum
    else { return false }
    // A blob only grows under its id.
    if reference.id == other.reference.id, snapshot.sharesIDs(with: other.snapshot) { return true }
    var own = try chunks()
    var others = try other.chunks()
    // Blobs of one size may be cut into chunks at different offsets.
    var left = UnsafeRawBufferPointer(start: nil, count: 0)
    var right = left
    var count = Int(byteCount)
    while count > 0 {
      if left.isEmpty { left = try next(of: &own) }
      if right.isEmpty { right = try other.next(of: &others) }
      let common = min(left.count, right.count)
      guard
        ByteOrder.areEqual(
          UnsafeRawBufferPointer(rebasing: left[..<common]),
          UnsafeRawBufferPointer(rebasing: right[..<common]))
      else { return false }
      left = UnsafeRawBufferPointer(rebasing: left[common...])
      right = UnsafeRawBufferPointer(rebasing: right[common...])
      count -= common
    }
    return true
  }

  /// Whether the blob has the given bytes.
  ///
  /// - Throws: See `hasSameBytes(as:)`.
  /// - Complexity: O(bytes) up to the first difference.
  func hasBytes(_ bytes: UnsafeRawBufferPointer) throws(StorageError) -> Bool {
    guard Int(reference.byteCount) == bytes.count else { return false }
    var chunks = try chunks()
    var start = 0
    while start < bytes.count {
      let chunk = try next(of: &chunks)
      let part = UnsafeRawBufferPointer(rebasing: bytes[start..<start + chunk.count])
      guard ByteOrder.areEqual(chunk, part) else { return false }
      start += chunk.count
    }
    return true
  }

  /// Feeds all bytes to a hasher. The chunk boundaries do not affect the hash.
  ///
  /// - Throws: See `hasSameBytes(as:)`.
  /// - Complexity: O(bytes).
  func hash(into hasher: inout Hasher) throws(StorageError) {
    var chunks = try chunks()
    while chunks.offset < Int(reference.byteCount) {
      hasher.combine(bytes: try next(of: &chunks))
    }
  }

  private func chunks() throws(StorageError) -> BlobChunks {
    guard Int(reference.byteCount) <= Blob.maximumBytes else { throw damaged() }
    return BlobChunks(reference, in: snapshot)
  }

  private func next(of chunks: inout BlobChunks) throws(StorageError) -> UnsafeRawBufferPointer {
    guard let chunk = chunks.next() else { throw damaged() }
    return chunk
  }

  private func damaged() -> StorageError {
    snapshot.damaged("A blob's chunks are damaged.")
  }
}

extension Snapshot {
  /// Whether equal ids identify the same data in both versions: both belong to one history of one
  /// file.
  func sharesIDs(with other: Snapshot) -> Bool {
    environment === other.environment && version.incarnation == other.version.incarnation
  }

  /// Returns the error for damaged bytes, and marks the environment as damaged.
  func damaged(_ detail: StaticString) -> StorageError {
    let error = StorageError(.corrupted, detail, path: environment.path)
    environment.markDamaged(error)
    return error
  }
}

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
  /// - Complexity: O(bytes) up to the first difference; O(1) if both versions have the same blob.
  func hasSameBytes(as other: StoredBlob) throws(StorageError) -> Bool {
    let byteCount = reference.byteCount
    guard byteCount == other.reference.byteCount else { return false }
    if reference.id == other.reference.id, snapshot.sharesIDs(with: other.snapshot) { return true }
    var own = try Chunks(self)
    var others = try Chunks(other)
    // Blobs of one size may be cut into chunks at different offsets.
    var left = UnsafeRawBufferPointer(start: nil, count: 0)
    var right = left
    var count = Int(byteCount)
    while count > 0 {
      if left.isEmpty { left = try own.next() }
      if right.isEmpty { right = try others.next() }
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
  /// - Complexity: See `hasSameBytes(as:)`.
  func hasBytes(_ bytes: UnsafeRawBufferPointer) throws(StorageError) -> Bool {
    guard reference.byteCount == UInt64(bytes.count) else { return false }
    var chunks = try Chunks(self)
    var start = 0
    while start < bytes.count {
      let chunk = try chunks.next()
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
    var chunks = try Chunks(self)
    while chunks.left > 0 { hasher.combine(bytes: try chunks.next()) }
  }

  /// Reads the chunks in order.
  private struct Chunks {
    let blob: StoredBlob
    /// The number of bytes in the chunks not yet read.
    private(set) var left: Int
    private var number = 0

    init(_ blob: StoredBlob) throws(StorageError) {
      guard blob.reference.byteCount <= UInt64(Blob.maximumBytes) else { throw blob.damaged() }
      self.blob = blob
      left = Int(blob.reference.byteCount)
    }

    /// - Throws: `.corrupted` when the chunk is missing, is empty or has more bytes than are left.
    mutating func next() throws(StorageError) -> UnsafeRawBufferPointer {
      guard let bytes = blob.snapshot.chunk(number, of: blob.reference.id), !bytes.isEmpty,
        bytes.count <= left
      else { throw blob.damaged() }
      number += 1
      left -= bytes.count
      return bytes
    }
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

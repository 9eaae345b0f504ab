import VarveEncoding
import VarveStorage

/// The chunks of a blob in order, beginning with the one that contains a given byte.
///
/// The lengths of the chunks may be any: each must begin where the one before ended.
///
/// Thread safety: none; each walk creates its own. In a write transaction, it must not be changed
/// meanwhile.
struct BlobChunks: ~Copyable {
  /// The offset in the blob at which the bytes begin that ``next()`` returns.
  private(set) var offset: Int

  private let id: UInt64
  private let byteCount: Int
  private var cursor: EntryCursor
  private var isPresent: Bool
  private var isFirst = true

  /// - Parameters:
  ///   - blob: A blob of at most ``Blob/maximumBytes``.
  ///   - start: The offset of the first byte.
  /// - Complexity: one search.
  init(_ blob: BlobReference, from start: Int = 0, in reader: any TableReader) {
    id = blob.id
    byteCount = Int(blob.byteCount)
    offset = start
    var cursor = reader.cursor(.blobs)
    let key = BlobChunkKey(blobID: blob.id, offset: UInt32(truncatingIfNeeded: start))
    let beginsThere = key.withBytes { key in
      cursor.seek(key: key) && cursor.key.elementsEqual(key)
    }
    if start == 0 || beginsThere {
      isPresent = beginsThere
    } else {
      isPresent = cursor.isOnEntry ? cursor.previous() : cursor.seekLast()
    }
    self.cursor = cursor
  }

  /// Returns the bytes of the next chunk, without those before the first byte.
  ///
  /// - Returns: nil if the chunk is missing, is empty, is too long, or begins elsewhere.
  mutating func next() -> UnsafeRawBufferPointer? {
    if !isFirst { isPresent = cursor.next() }
    defer { isFirst = false }
    guard isPresent, let key = try? BlobChunkKey(decoding: cursor.key), key.blobID == id else {
      return nil
    }
    let chunk = cursor.value
    let skipped = offset - Int(key.offset)
    guard skipped == 0 || isFirst, skipped >= 0, skipped < chunk.count,
      chunk.count - skipped <= byteCount - offset
    else { return nil }
    offset += chunk.count - skipped
    return UnsafeRawBufferPointer(rebasing: chunk[skipped...])
  }
}

extension BlobChunkKey {
  /// Calls `body` with the bytes of the key, which are made on the stack.
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeBytes(of: (blobID.bigEndian, offset.bigEndian), body)
  }
}

package import Foundation
package import VarveEncoding
package import VarveStorage

/// Blobs: the bytes of large values, in chunks, so that rows stay small and an unchanged large
/// value is never written again.
enum Blob {
  /// The largest value in bytes. Writing a larger one fails with `.valueTooLarge`.
  static let maximumBytes = 1 << 30

  /// - Throws: `.corrupted` for a size that no blob has.
  static func check(_ blob: BlobReference) throws(Failure) {
    guard Int(blob.byteCount) <= maximumBytes else {
      throw Failure(
        .corrupted, "A blob's size is out of range.", value: "\(blob.byteCount) bytes")
    }
  }
}

extension TableReader {
  /// Returns the bytes of a blob.
  ///
  /// - Throws: `.corrupted` when chunks are missing or do not follow each other.
  /// - Complexity: O(bytes).
  package func bytes(of blob: BlobReference) throws(Failure) -> Data {
    if let data = try onlyChunk(of: blob, { Data($0) }) { return data }
    return try bytes(of: blob, in: 0..<Int(blob.byteCount))
  }

  /// Returns a range of the bytes of a blob.
  ///
  /// - Throws: The errors of ``bytes(of:)``.
  /// - Complexity: one search, plus O(bytes) of the range.
  /// - Precondition: The range is in the blob.
  package func bytes(of blob: BlobReference, in range: Range<Int>) throws(Failure) -> Data {
    try Blob.check(blob)
    precondition(
      range.lowerBound >= 0 && range.upperBound <= Int(blob.byteCount), "Range out of bounds")
    var data = Data(capacity: range.count)
    try visitChunks(of: blob, range) { chunk in
      if let start = chunk.baseAddress {
        data.append(start.assumingMemoryBound(to: UInt8.self), count: chunk.count)
      }
    }
    return data
  }

  /// Returns the text of a blob.
  ///
  /// - Throws: The errors of ``bytes(of:)``.
  /// - Complexity: O(bytes).
  func text(of blob: BlobReference) throws(Failure) -> String {
    if let text = try onlyChunk(of: blob, { String(decoding: $0, as: UTF8.self) }) { return text }
    return String(decoding: try bytes(of: blob, in: 0..<Int(blob.byteCount)), as: UTF8.self)
  }

  /// Verifies the chunks and the checksum of a blob.
  ///
  /// - Throws: `.corrupted`.
  /// - Complexity: O(bytes).
  func verify(_ blob: BlobReference) throws(Failure) {
    try Blob.check(blob)
    var checksum: UInt32 = 0
    try visitChunks(of: blob, 0..<Int(blob.byteCount)) { chunk in
      checksum = CRC32C.checksum(chunk, after: checksum)
    }
    guard checksum == blob.checksum else {
      throw Failure(.corrupted, "A blob has a wrong checksum.")
    }
  }

  /// Returns the bytes of a blob in a value of a property, and verifies their checksum.
  ///
  /// - Throws: `.corrupted`, which names the property.
  /// - Complexity: O(bytes).
  func verifiedBytes(
    of blob: BlobReference, _ property: StoredProperty
  ) throws(Failure) -> Data {
    do throws(Failure) {
      let data = try bytes(of: blob)
      guard data.withUnsafeBytes({ CRC32C.checksum($0) }) == blob.checksum else {
        throw Failure(.corrupted, "A blob has a wrong checksum.")
      }
      return data
    } catch {
      var failure = error
      failure.propertyName = property.name
      throw failure
    }
  }

  /// Returns the result of `make` for a blob of one chunk, which is read without copying; nil for a
  /// blob of several chunks.
  @inline(__always)
  private func onlyChunk<T>(
    of blob: BlobReference, _ make: (UnsafeRawBufferPointer) -> T
  ) throws(Failure) -> T? {
    try Blob.check(blob)
    // A search is saved for blobs of which a writer makes several chunks.
    guard BlobShape.chunkLength(left: Int(blob.byteCount)) == Int(blob.byteCount),
      let bytes = firstChunk(of: blob), bytes.count == Int(blob.byteCount)
    else { return nil }
    return make(bytes)
  }

  private func firstChunk(of blob: BlobReference) -> UnsafeRawBufferPointer? {
    BlobChunkKey(blobID: blob.id, offset: 0).withBytes { find(.blobs, key: $0) }
  }

  /// Visits the bytes of a range of a blob, chunk by chunk.
  @inline(__always)
  private func visitChunks(
    of blob: BlobReference, _ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(Failure) {
    if range.isEmpty { return }
    var chunks = BlobChunks(blob, from: range.lowerBound, in: self)
    while chunks.offset < range.upperBound {
      let left = range.upperBound - chunks.offset
      guard let chunk = chunks.next() else {
        throw Failure(.corrupted, "A chunk of a blob is missing, or has another place or length.")
      }
      body(UnsafeRawBufferPointer(rebasing: chunk.prefix(left)))
    }
  }
}

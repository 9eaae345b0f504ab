package import Foundation
import VarveEncoding
package import VarveStorage

/// Blobs: the bytes of large values, in chunks, so that rows stay small and an unchanged large
/// value is never written again.
enum Blob {
  /// The largest value in bytes. Writing a larger one fails with `.valueTooLarge`.
  static let maximumBytes = 1 << 30

  /// - Throws: `.corrupted` for a size that no blob has.
  static func check(_ byteCount: UInt64) throws(Failure) {
    guard byteCount <= UInt64(maximumBytes) else {
      throw Failure(.corrupted, "A blob's size is out of range.", value: "\(byteCount) bytes")
    }
  }
}

extension TableReader {
  /// Returns the bytes of a blob.
  ///
  /// - Throws: `.corrupted` when chunks are missing or their sizes do not add up.
  /// - Complexity: O(bytes).
  package func blob(_ id: UInt64, byteCount: UInt64) throws(Failure) -> Data {
    if let data = try blob(id, byteCount, { Data($0) }) { return data }
    return try joinedBlob(id, byteCount)
  }

  /// Returns the text of a blob.
  ///
  /// - Throws: The errors of ``blob(_:byteCount:)``.
  /// - Complexity: O(bytes).
  func blobText(_ id: UInt64, byteCount: UInt64) throws(Failure) -> String {
    if let text = try blob(id, byteCount, { String(decoding: $0, as: UTF8.self) }) { return text }
    return String(decoding: try joinedBlob(id, byteCount), as: UTF8.self)
  }

  /// Verifies the chunks of a blob.
  ///
  /// - Returns: The number of chunks.
  /// - Throws: The errors of ``blob(_:byteCount:)``.
  /// - Complexity: O(bytes).
  func checkBlob(_ id: UInt64, byteCount: UInt64) throws(Failure) -> Int {
    try Blob.check(byteCount)
    return try visitChunks(id, byteCount) { _ in }
  }

  /// Returns the result of `make` for a blob of one chunk, which is read without copying; nil for a
  /// blob of several chunks.
  @inline(__always)
  private func blob<T>(
    _ id: UInt64, _ byteCount: UInt64, _ make: (UnsafeRawBufferPointer) -> T
  ) throws(Failure) -> T? {
    try Blob.check(byteCount)
    guard BlobShape.chunkLength(left: Int(byteCount)) == Int(byteCount),
      let bytes = chunk(0, of: id), bytes.count == Int(byteCount)
    else { return nil }
    return make(bytes)
  }

  private func joinedBlob(_ id: UInt64, _ byteCount: UInt64) throws(Failure) -> Data {
    var data = Data(capacity: Int(byteCount))
    _ = try visitChunks(id, byteCount) { chunk in
      if let start = chunk.baseAddress {
        data.append(start.assumingMemoryBound(to: UInt8.self), count: chunk.count)
      }
    }
    return data
  }

  /// Visits the chunks of a blob in their order.
  ///
  /// - Returns: The number of chunks.
  @inline(__always)
  private func visitChunks(
    _ id: UInt64, _ byteCount: UInt64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(Failure) -> Int {
    var left = Int(byteCount)
    var number = 0
    while left > 0 {
      guard let bytes = chunk(number, of: id) else {
        throw Failure(.corrupted, "A chunk of a blob is missing.")
      }
      guard bytes.count > 0, bytes.count <= left else {
        throw Failure(.corrupted, "A blob's chunks do not add up to its size.")
      }
      body(bytes)
      left -= bytes.count
      number += 1
    }
    return number
  }

  /// Returns a chunk of a blob, or nil when there is none with that number.
  func chunk(_ number: Int, of id: UInt64) -> UnsafeRawBufferPointer? {
    BlobChunkKey(blobID: id, chunk: UInt32(truncatingIfNeeded: number)).withBytes {
      find(.blobs, key: $0)
    }
  }
}

extension BlobChunkKey {
  /// Calls `body` with the bytes of the key, which are made on the stack.
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeBytes(of: (blobID.bigEndian, chunk.bigEndian), body)
  }
}

package import Foundation
package import VarveEncoding
package import VarveStorage

/// Blobs: the bytes of large values, in chunks, so that rows stay small and an unchanged large
/// value is never written again.
enum Blob {
  /// The largest value in bytes. Writing a larger one fails with `.valueTooLarge`.
  static let maximumBytes = 1 << 30

  /// The error for chunks that do not follow each other.
  static var damage: Failure {
    Failure(.corrupted, "A chunk of a blob is missing, or has another place or length.")
  }

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
    try bytes(of: blob, in: 0..<Int(blob.byteCount))
  }

  /// Returns a range of the bytes of a blob.
  ///
  /// - Throws: The errors of ``bytes(of:)``.
  /// - Complexity: one search for each chunk, plus O(bytes) of the range.
  /// - Precondition: The range is in the blob.
  package func bytes(of blob: BlobReference, in range: Range<Int>) throws(Failure) -> Data {
    let first = try firstPart(of: blob, in: range)
    if first.count == range.count { return Data(first) }
    // Not `Data(count:)`, which writes zeros first.
    let memory = UnsafeMutableRawPointer.allocate(byteCount: range.count, alignment: 1)
    do throws(Failure) {
      try copyBytes(of: blob, in: range, from: first, to: memory)
    } catch {
      memory.deallocate()
      throw error
    }
    return Data(
      bytesNoCopy: memory, count: range.count,
      deallocator: .custom { memory, _ in memory.deallocate() })
  }

  /// Returns the text of a blob.
  ///
  /// - Throws: The errors of ``bytes(of:)``.
  /// - Complexity: O(bytes).
  func text(of blob: BlobReference) throws(Failure) -> String {
    let range = 0..<Int(blob.byteCount)
    let first = try firstPart(of: blob, in: range)
    if first.count == range.count { return String(decoding: first, as: UTF8.self) }
    return String(decoding: try bytes(of: blob, in: range), as: UTF8.self)
  }

  /// Returns the bytes of a range of a blob that are in the first chunk of the range, in place.
  ///
  /// - Returns: Bytes that are valid as long as those of ``TableReader/find(_:key:)``; all of the
  ///   range if it is in one chunk.
  /// - Throws: The errors of ``bytes(of:)``.
  /// - Complexity: one search.
  /// - Precondition: The range is in the blob.
  @inline(__always)
  func firstPart(
    of blob: BlobReference, in range: Range<Int>
  ) throws(Failure) -> UnsafeRawBufferPointer {
    try Blob.check(blob)
    precondition(
      range.lowerBound >= 0 && range.upperBound <= Int(blob.byteCount), "Range out of bounds")
    if range.isEmpty { return UnsafeRawBufferPointer(start: nil, count: 0) }
    guard range.lowerBound > 0 else { return try part(of: blob, from: 0, to: range.upperBound) }
    var chunks = BlobChunks(blob, from: range.lowerBound, in: self)
    guard let chunk = chunks.next() else { throw Blob.damage }
    return UnsafeRawBufferPointer(rebasing: chunk.prefix(range.count))
  }

  /// Copies a range of the bytes of a blob, and thereby verifies that its chunks follow each other.
  ///
  /// - Parameter first: The first part of the range.
  /// - Throws: The errors of ``bytes(of:)``; a part of the bytes may be copied then.
  /// - Complexity: one search for each chunk, plus O(bytes) of the range.
  /// - Precondition: The target has room for the range.
  func copyBytes(
    of blob: BlobReference, in range: Range<Int>, from first: UnsafeRawBufferPointer,
    to target: UnsafeMutableRawPointer
  ) throws(Failure) {
    var target = target
    try visitParts(of: blob, in: range, from: first) { part in
      guard let source = part.baseAddress else { return }
      target.copyMemory(from: source, byteCount: part.count)
      target += part.count
    }
  }

  /// Returns the parts of a range of a blob after the first one in place, in order. All of them are
  /// looked up.
  ///
  /// - Parameter first: The first part of the range.
  /// - Throws: The errors of ``bytes(of:)``.
  /// - Complexity: one search for each chunk of the range.
  func parts(
    of blob: BlobReference, in range: Range<Int>, after first: UnsafeRawBufferPointer
  ) throws(Failure) -> [UnsafeRawBufferPointer] {
    let rest = range.lowerBound + first.count..<range.upperBound
    guard !rest.isEmpty else { return [] }
    var parts: [UnsafeRawBufferPointer] = []
    let second = try part(of: blob, from: rest.lowerBound, to: rest.upperBound)
    try visitParts(of: blob, in: rest, from: second) { parts.append($0) }
    return parts
  }

  /// Verifies the chunks and the checksum of a blob.
  ///
  /// - Throws: `.corrupted`.
  /// - Complexity: O(bytes).
  func verify(_ blob: BlobReference) throws(Failure) {
    var checksum: UInt32 = 0
    let range = 0..<Int(blob.byteCount)
    try visitParts(of: blob, in: range, from: try firstPart(of: blob, in: range)) { part in
      checksum = CRC32C.checksum(part, after: checksum)
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

  /// Returns the bytes of the chunk that begins at an offset, up to another offset.
  @inline(__always)
  private func part(
    of blob: BlobReference, from offset: Int, to end: Int
  ) throws(Failure) -> UnsafeRawBufferPointer {
    let key = BlobChunkKey(blobID: blob.id, offset: UInt32(truncatingIfNeeded: offset))
    guard let chunk = key.withBytes({ find(.blobs, key: $0) }), !chunk.isEmpty,
      chunk.count <= Int(blob.byteCount) - offset
    else { throw Blob.damage }
    return UnsafeRawBufferPointer(rebasing: chunk.prefix(end - offset))
  }

  /// Visits the parts of a range of a blob. Each chunk is looked up by the offset at which the one
  /// before ends: a cursor, which would first record its path, saves little.
  @inline(__always)
  private func visitParts(
    of blob: BlobReference, in range: Range<Int>, from first: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(Failure) {
    guard !range.isEmpty else { return }
    body(first)
    var offset = range.lowerBound + first.count
    while offset < range.upperBound {
      let part = try part(of: blob, from: offset, to: range.upperBound)
      body(part)
      offset += part.count
    }
  }
}

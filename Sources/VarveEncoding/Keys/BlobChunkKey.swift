/// Keys of the table `blobs`: blob id, number of the chunk.
@usableFromInline
package struct BlobChunkKey: Hashable, Sendable {
  @usableFromInline package let blobID: UInt64
  @usableFromInline package let chunk: UInt32

  @usableFromInline package static let byteCount = 12

  @inlinable
  package init(blobID: UInt64, chunk: UInt32) {
    self.blobID = blobID
    self.chunk = chunk
  }

  @inlinable
  package func encode(into key: inout OrderedKey) {
    key.removeAll(keepingCapacity: true)
    key.append(uint64: blobID)
    key.append(uint32: chunk)
  }

  package init(decoding key: UnsafeRawBufferPointer) throws(FormatError) {
    var decoder = KeyDecoder(key)
    blobID = try decoder.uint64()
    chunk = try decoder.uint32()
    try decoder.finish()
  }
}

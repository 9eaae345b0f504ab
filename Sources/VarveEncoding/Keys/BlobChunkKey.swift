/// Keys of the table `blobs`: blob id, offset of the chunk in the blob.
@usableFromInline
package struct BlobChunkKey: Hashable, Sendable {
  @usableFromInline package let blobID: UInt64
  /// The number of bytes of the blob before the chunk.
  @usableFromInline package let offset: UInt32

  @usableFromInline package static let byteCount = 12

  @inlinable
  package init(blobID: UInt64, offset: UInt32) {
    self.blobID = blobID
    self.offset = offset
  }

  @inlinable
  package func encode(into key: inout OrderedKey) {
    key.removeAll(keepingCapacity: true)
    key.append(uint64: blobID)
    key.append(uint32: offset)
  }

  package init(decoding key: UnsafeRawBufferPointer) throws(FormatError) {
    var decoder = KeyDecoder(key)
    blobID = try decoder.uint64()
    offset = try decoder.uint32()
    try decoder.finish()
  }
}

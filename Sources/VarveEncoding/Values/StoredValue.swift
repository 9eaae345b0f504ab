/// The location of a value that is too large to be stored inline.
///
/// A blob only grows under its id: two references of one history with the same id and number of
/// bytes refer to the same bytes.
@usableFromInline
package struct BlobReference: Hashable, Sendable {
  @usableFromInline package let id: UInt64
  @usableFromInline package let byteCount: UInt32
  /// The CRC-32C of all bytes. Reads do not verify it.
  @usableFromInline package let checksum: UInt32

  /// The number of bytes of an encoded reference.
  @usableFromInline package static let encodedBytes = 16

  @inlinable
  package init(id: UInt64, byteCount: UInt32, checksum: UInt32) {
    self.id = id
    self.byteCount = byteCount
    self.checksum = checksum
  }

  @inlinable
  init(unchecked source: UnsafeRawPointer) {
    id = source.uint64(at: 0)
    byteCount = source.uint32(at: 8)
    checksum = source.uint32(at: 12)
  }

  @inlinable
  func store(to target: UnsafeMutableRawPointer) {
    target.store(id, at: 0)
    target.store(byteCount, at: 8)
    target.store(checksum, at: 12)
  }
}

/// A decoded value, or its location: a string or data in a blob is not read here.
package enum StoredValue: Hashable, Sendable {
  case value(Value)
  /// The blob contains the UTF-8 bytes of a string or the bytes of data, depending on `type`.
  case blob(BlobReference, type: PropertyType)
}

/// The bytes of a string, of data or of a mixed value in a row: inline or in a blob.
@usableFromInline
package enum VariableBytes {
  /// Valid as long as the row's bytes are.
  case inline(UnsafeRawBufferPointer)
  case blob(BlobReference)
}

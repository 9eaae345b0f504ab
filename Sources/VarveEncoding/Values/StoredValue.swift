/// Where the bytes of a value lie that is too big to stand inline.
///
/// Thread safety: an immutable value.
@usableFromInline
package struct BlobReference: Hashable, Sendable {
  @usableFromInline package let id: UInt64
  @usableFromInline package let byteCount: UInt64

  /// The bytes of an encoded reference.
  @usableFromInline package static let encodedBytes = 16

  @inlinable
  package init(id: UInt64, byteCount: UInt64) {
    self.id = id
    self.byteCount = byteCount
  }

  @inlinable
  init(unchecked source: UnsafeRawPointer) {
    id = source.uint64(at: 0)
    byteCount = source.uint64(at: 8)
  }

  @inlinable
  func store(to target: UnsafeMutableRawPointer) {
    target.store(id, at: 0)
    target.store(byteCount, at: 8)
  }
}

/// A decoded value, or where to find it: a string or data in a blob is not read here.
package enum StoredValue: Hashable, Sendable {
  case value(Value)
  /// The blob holds the UTF-8 bytes of a string or the bytes of data, as `type` says.
  case blob(BlobReference, type: PropertyType)
}

/// The bytes of a string, of data or of a mixed value in a row: they stand in the row or in a blob.
@usableFromInline
package enum VariableBytes {
  /// Valid as long as the row's bytes are.
  case inline(UnsafeRawBufferPointer)
  case blob(BlobReference)
}

/// The values of the tables `dictionaries` and `sets`: an element, and the checksum of the key and
/// the element.
///
/// Byte layout: Docs/Format.md, "Keys of the tables".
@usableFromInline
package enum CollectionEntry {
  @usableFromInline package static let checksumBytes = 4

  /// Returns the element of an entry. It is empty, as no element is, if the value is too short.
  @inlinable @inline(__always)
  package static func element(of value: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: value.baseAddress, count: max(value.count - checksumBytes, 0))
  }

  /// Appends the checksum to the element of an entry.
  package static func seal(_ value: inout ByteBuffer, key: UnsafeRawBufferPointer) {
    value.append(value.withUnsafeBytes { checksum(key, $0) })
  }

  /// Verifies the checksum of an entry.
  ///
  /// - Throws: `truncated` or `badChecksum`.
  package static func verifyChecksum(
    _ value: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer
  ) throws(FormatError) {
    let end = value.count - checksumBytes
    guard end >= 0 else {
      throw FormatError(
        .truncated, "an entry is shorter than its checksum", expected: UInt64(checksumBytes),
        found: UInt64(value.count))
    }
    let actual = checksum(key, element(of: value))
    guard actual == value.uint32(at: end) else {
      throw FormatError(
        .badChecksum, "an entry has a wrong checksum", offset: end,
        expected: UInt64(value.uint32(at: end)), found: UInt64(actual))
    }
  }

  private static func checksum(
    _ key: UnsafeRawBufferPointer, _ element: UnsafeRawBufferPointer
  ) -> UInt32 {
    CRC32C.checksum(element, after: CRC32C.checksum(key))
  }
}

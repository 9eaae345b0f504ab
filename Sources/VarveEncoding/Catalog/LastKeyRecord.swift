/// The greatest primary key that a deleted object of a class with generated keys has had.
///
/// Byte layout: Docs/Format.md, "Catalog".
package struct LastKeyRecord: Hashable, Sendable {
  /// At least 1: only positive keys are generated.
  package var key: Int64

  package init(key: Int64) { self.key = key }

  package func encode(into buffer: inout ByteBuffer) {
    buffer.removeAll()
    buffer.append(UInt64(bitPattern: key))
    buffer.append(buffer.withUnsafeBytes { CRC32C.checksum($0) })
  }

  /// - Throws: `FormatError` for an invalid record.
  package init(decoding bytes: UnsafeRawBufferPointer) throws(FormatError) {
    var reader = ByteReader(bytes)
    let body = try reader.slice(8)
    let stored = try reader.uint32()
    try reader.finish()
    let actual = CRC32C.checksum(body)
    guard stored == actual else {
      throw FormatError(
        .badChecksum, "the last key of a class has a wrong checksum", offset: 8,
        expected: UInt64(stored), found: UInt64(actual))
    }
    key = Int64(bitPattern: body.uint64(at: 0))
    guard key > 0 else {
      throw FormatError(.badValue, "the last key of a class is not positive")
    }
  }
}

/// Constants of the row format. Byte layout: Docs/Format.md, "Rows".
@usableFromInline
package enum Row {
  /// Longer strings, data and mixed values are stored as blobs.
  package static let maximumInlineBytes = 512

  @usableFromInline static let lengthOffset = 4
  @usableFromInline static let layoutOffset = 8
  @usableFromInline static let touchCountOffset = 10
  /// The offset of the null bitmap.
  @usableFromInline package static let headerBytes = 12
  @usableFromInline package static let touchBytes = 8

  /// In the offset of a variable slot: the slot contains a blob reference.
  @usableFromInline static let blobBit: UInt32 = 1 << 31
}

/// Loads from the header of a row.
@usableFromInline
package enum RowHeader {
  /// - Precondition: The row has at least ``Row/headerBytes`` bytes; likewise below.
  @inlinable @inline(__always)
  package static func checksum(_ row: UnsafeRawPointer) -> UInt32 { row.uint32(at: 0) }

  /// Returns the checksum of the row of an object, which depends on the key: rows stored under each
  /// other's keys are found.
  static func checksum(
    of row: UnsafeRawPointer, count: Int, classID: UInt32, objectID: UInt64
  ) -> UInt32 {
    CRC32C.checksum(
      after: UInt64(classID).littleEndian, objectID.littleEndian,
      UnsafeRawBufferPointer(start: row + 4, count: count - 4))
  }

  /// The length of the whole row.
  @inlinable @inline(__always)
  package static func length(_ row: UnsafeRawPointer) -> Int {
    Int(row.uint32(at: Row.lengthOffset))
  }

  @inlinable @inline(__always)
  package static func layoutID(_ row: UnsafeRawPointer) -> UInt16 {
    row.uint16(at: Row.layoutOffset)
  }

  @inlinable @inline(__always)
  package static func touchCount(_ row: UnsafeRawPointer) -> Int {
    Int(row.uint16(at: Row.touchCountOffset))
  }

  /// Whether the bytes are a row of the layout with this id and fixed part: then every fixed load
  /// of the layout's fields is safe. A fast scan needs no other check.
  @inlinable @inline(__always)
  package static func isRow(
    _ bytes: UnsafeRawBufferPointer, layoutID: UInt16, fixedEnd: Int
  ) -> Bool {
    guard bytes.count >= fixedEnd, let row = bytes.baseAddress else { return false }
    return self.layoutID(row) == layoutID && length(row) == bytes.count
      && bytes.count - fixedEnd >= Row.touchBytes * touchCount(row)
  }

  /// Returns the layout id of an unchecked row.
  ///
  /// - Throws: `truncated` if the bytes are shorter than a header.
  @inlinable @inline(__always)
  package static func layoutID(
    of bytes: UnsafeRawBufferPointer
  ) throws(FormatError) -> UInt16 {
    guard bytes.count >= Row.headerBytes, let row = bytes.baseAddress else {
      throw FormatError(
        .truncated, "a row is shorter than its header", expected: UInt64(Row.headerBytes),
        found: UInt64(bytes.count))
    }
    return layoutID(row)
  }
}

/// Constants of the row format. Byte layout: Docs/Format.md, "Rows".
@usableFromInline
package enum Row {
  /// Longer strings, data and mixed values are stored as blobs.
  package static let maximumInlineBytes = 512

  @usableFromInline static let lengthOffset = 4
  @usableFromInline static let layoutOffset = 8
  @usableFromInline static let touchCountOffset = 10
  /// Where the null bitmap begins.
  @usableFromInline package static let headerBytes = 12
  @usableFromInline package static let touchBytes = 8

  /// In the offset of a variable slot: what stands there is a blob reference.
  @usableFromInline static let blobBit: UInt32 = 1 << 31
}

/// Loads from the header of a row.
@usableFromInline
package enum RowHeader {
  /// - Precondition: the row has at least ``Row/headerBytes`` bytes; likewise below.
  @inlinable @inline(__always)
  package static func checksum(_ row: UnsafeRawPointer) -> UInt32 { row.uint32(at: 0) }

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

  /// Whether the bytes are a row of the layout with this id and fixed part: then every fixed load of the
  /// layout's fields is safe. This is the whole check that a fast scan needs.
  @inlinable @inline(__always)
  package static func isRow(
    _ bytes: UnsafeRawBufferPointer, layoutID: UInt16, fixedEnd: Int
  ) -> Bool {
    guard bytes.count >= fixedEnd, let row = bytes.baseAddress else { return false }
    return self.layoutID(row) == layoutID && length(row) == bytes.count
      && bytes.count - fixedEnd >= Row.touchBytes * touchCount(row)
  }

  /// The layout id of a row that was not checked yet.
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

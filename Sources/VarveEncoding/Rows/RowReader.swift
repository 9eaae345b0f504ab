/// A view of the bytes of a row.
///
/// The header is checked once, so that fixed slots need no check; strings, data and mixed values
/// are checked when they are read. Fields passed in must belong to the reader's layout.
///
/// The bytes belong to the caller and must outlive the reader.
@usableFromInline
package struct RowReader {
  @usableFromInline package let base: UnsafeRawPointer
  /// The length of the row.
  @usableFromInline package let count: Int
  @usableFromInline package let layout: RowLayout
  /// The offset at which the variable data ends and the touch list begins.
  @usableFromInline let variableEnd: Int

  /// Checks the header against the bytes and the layout.
  ///
  /// - Throws: `truncated`, `wrongLayout` or `badLength`.
  /// - Complexity: O(1).
  @inlinable @inline(__always)
  package init(
    validating bytes: UnsafeRawBufferPointer, layout: RowLayout
  ) throws(FormatError) {
    guard RowHeader.isRow(bytes, layoutID: layout.id, fixedEnd: layout.fixedEnd),
      let base = bytes.baseAddress
    else {
      throw Self.error(in: bytes, layout: layout)
    }
    self.init(
      unchecked: base, count: bytes.count,
      variableEnd: bytes.count - Row.touchBytes * RowHeader.touchCount(base), layout: layout)
  }

  @inlinable @inline(__always)
  init(unchecked base: UnsafeRawPointer, count: Int, variableEnd: Int, layout: RowLayout) {
    self.base = base
    self.count = count
    self.variableEnd = variableEnd
    self.layout = layout
  }

  /// Returns the error of bytes that are not a row of the layout.
  @usableFromInline
  static func error(in bytes: UnsafeRawBufferPointer, layout: RowLayout) -> FormatError {
    guard bytes.count >= Row.headerBytes, let base = bytes.baseAddress else {
      return FormatError(
        .truncated, "a row is shorter than its header", expected: UInt64(Row.headerBytes),
        found: UInt64(bytes.count))
    }
    if RowHeader.layoutID(base) != layout.id {
      return FormatError(
        .wrongLayout, "a row has another layout", offset: Row.layoutOffset,
        expected: UInt64(layout.id), found: UInt64(RowHeader.layoutID(base)))
    }
    if RowHeader.length(base) != bytes.count {
      return FormatError(
        .badLength, "a row has another length than its header states", offset: Row.lengthOffset,
        expected: UInt64(RowHeader.length(base)), found: UInt64(bytes.count))
    }
    let needed = layout.fixedEnd + Row.touchBytes * RowHeader.touchCount(base)
    return FormatError(
      .truncated, "a row is shorter than its layout", expected: UInt64(needed),
      found: UInt64(bytes.count))
  }

  /// Verifies the checksum of the row of an object.
  ///
  /// - Throws: `badChecksum`.
  /// - Complexity: O(n).
  package func verifyChecksum(classID: UInt32, objectID: UInt64) throws(FormatError) {
    let actual = RowHeader.checksum(
      of: base, count: count, classID: classID, objectID: objectID)
    guard actual == RowHeader.checksum(base) else {
      throw FormatError(
        .badChecksum, "a row has a wrong checksum", offset: 0,
        expected: UInt64(RowHeader.checksum(base)), found: UInt64(actual))
    }
  }
}

// Fixed slots: no check beyond the one made at init.

extension RowReader {
  @inlinable
  package func isNull(_ field: RowField) -> Bool {
    let bit = field.nullBit
    return bit >= 0
      && base.uint8(at: Row.headerBytes + bit >> 3) & 1 << UInt8(truncatingIfNeeded: bit & 7) != 0
  }

  /// Returns the id of the linked object; nil if null.
  @inlinable
  package func link(_ field: RowField) -> UInt64? {
    isNull(field) ? nil : base.uint64(at: field.offset)
  }

  @inlinable
  package func collectionContent(_ field: RowField) -> CollectionContent {
    CollectionContent(
      row: base, offset: field.offset, fixedEnd: layout.fixedEnd, variableEnd: variableEnd)
  }
}

// Touches.

extension RowReader {
  @inlinable
  package var touchCount: Int { (count - variableEnd) / Row.touchBytes }

  /// Returns the touch at `index`, in the order of setting.
  ///
  /// - Precondition: `index` is at least 0 and less than ``touchCount``.
  @inlinable
  package func touch(at index: Int) -> RowTouch {
    precondition(index >= 0 && index < touchCount, "touch index out of range")
    let entry = base + variableEnd + Row.touchBytes * index
    return RowTouch(propertyID: entry.uint32(at: 0), versionLow: entry.uint32(at: 4))
  }
}

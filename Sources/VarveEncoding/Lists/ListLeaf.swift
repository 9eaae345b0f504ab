/// A view of the bytes of a leaf: some elements of a list, in order; or of the elements of a list
/// in a row, which have no header, and narrower ends if they are short.
///
/// The bytes belong to the caller and must outlive the view.
@usableFromInline
package struct ListLeaf {
  /// The first byte of the elements, or of their table.
  @usableFromInline package let start: UnsafeRawPointer
  /// The number of elements.
  @usableFromInline package let count: Int
  /// The length of the elements with their table.
  @usableFromInline let byteCount: Int
  @usableFromInline package let format: ListElementFormat
  /// The distance between packed elements.
  @usableFromInline let stride: Int
  /// The offset of the value of the first packed element.
  @usableFromInline let firstValue: Int
  /// The number of bytes of the end of a variable element in the table.
  @usableFromInline let endWidth: Int

  /// Checks the header against the bytes and the format of the list.
  ///
  /// - Throws: `truncated`, `badTag`, `badLength` or `wrongLayout`.
  /// - Complexity: O(1).
  package init(
    validating bytes: UnsafeRawBufferPointer, format: ListElementFormat
  ) throws(FormatError) {
    let base = try ListNode.validate(bytes, kind: .leaf, format: format.rawValue)
    try self.init(
      base + ListNode.headerBytes, count: Int(base.uint16(at: ListNode.countOffset)),
      byteCount: bytes.count - ListNode.headerBytes, format, endWidth: 2)
  }

  /// Checks the elements of a list in a row against the format of the list.
  ///
  /// - Parameters:
  ///   - bytes: The elements, behind the header of a row.
  ///   - count: Their number.
  /// - Throws: `truncated` or `badLength`.
  /// - Complexity: O(1).
  package init(
    elements bytes: UnsafeRawBufferPointer, count: Int, format: ListElementFormat
  ) throws(FormatError) {
    guard let start = bytes.baseAddress, count <= Int(UInt16.max),
      let endWidth = format.isPacked ? 0 : RowParts.endWidth(byteCount: bytes.count, count: count),
      Self.fitsIntoNode(bytes.count - endWidth * count, count: count, format)
    else {
      throw FormatError(
        .badLength, "a list in a row has a wrong length", found: UInt64(bytes.count))
    }
    try self.init(start, count: count, byteCount: bytes.count, format, endWidth: endWidth)
  }

  /// Whether elements in a row can be those of a node, to which a change may move them, and in
  /// which each end has two bytes. A variable element has at least one byte.
  private static func fitsIntoNode(
    _ dataBytes: Int, count: Int, _ format: ListElementFormat
  ) -> Bool {
    let room = ListNode.maximumBytes - ListNode.headerBytes - dataBytes
    return format.isPacked ? room >= 0 : count <= dataBytes && 2 * count <= room
  }

  private init(
    _ start: UnsafeRawPointer, count: Int, byteCount: Int, _ format: ListElementFormat,
    endWidth: Int
  ) throws(FormatError) {
    self.start = start
    self.count = count
    self.byteCount = byteCount
    self.format = format
    self.endWidth = endWidth
    stride = format.stride
    firstValue = format.isNullable ? 1 : 0
    let size: Int
    if format.isPacked {
      size = count * stride
    } else {
      let table = endWidth * count
      guard table <= byteCount else {
        throw FormatError(
          .truncated, "a list node is shorter than its elements", expected: UInt64(table),
          found: UInt64(byteCount))
      }
      size = table + (count == 0 ? 0 : Self.end(start, count - 1, endWidth))
    }
    guard size == byteCount else {
      throw FormatError(
        .badLength, "a list node has another length than its elements", expected: UInt64(size),
        found: UInt64(byteCount))
    }
  }
}

extension ListLeaf {
  /// The length of a node of these elements.
  package var nodeByteCount: Int {
    ListNode.headerBytes + byteCount + (format.isPacked ? 0 : (2 - endWidth) * count)
  }
}

// Packed elements.

extension ListLeaf {
  /// Returns the address of the value of a packed element.
  @inlinable @inline(__always)
  func packed(_ index: Int) -> UnsafeRawPointer {
    precondition(index >= 0 && index < count, "Index out of range")
    return start + firstValue + index * stride
  }

  /// Returns the 8 bytes of an element: an integer, a Double, a date's bits or an object id.
  ///
  /// - Precondition: The format is packed with a width of 8; `index` is in range.
  @inlinable
  package func bits64(at index: Int) -> UInt64 {
    precondition(format.width == 8, "The elements are not 8 bytes wide")
    return packed(index).uint64(at: 0)
  }

  /// Whether a packed element is null.
  ///
  /// - Precondition: The format is packed, and `index` is in range. For a variable element, see
  ///   ``ElementReader``.
  @inlinable
  package func isNull(at index: Int) -> Bool {
    precondition(format.isPacked, "The elements are not packed")
    let value = packed(index)
    return format.isNullable && (value - 1).uint8(at: 0) == 0
  }
}

// Elements of any format.

extension ListLeaf {
  /// Returns the bytes of an element: for a packed one its value without the presence byte,
  /// otherwise its ``ElementCodec`` bytes.
  ///
  /// - Throws: `badLength` if the element is not inside the node.
  @inlinable
  package func bytes(at index: Int) throws(FormatError) -> UnsafeRawBufferPointer {
    if format.isPacked {
      return UnsafeRawBufferPointer(start: packed(index), count: format.width)
    }
    precondition(index >= 0 && index < count, "Index out of range")
    let from = index == 0 ? 0 : Self.end(start, index - 1, endWidth)
    let end = Self.end(start, index, endWidth)
    let table = endWidth * count
    guard from <= end, end <= byteCount - table else {
      throw FormatError(
        .badLength, "an element is outside its node", found: UInt64(end))
    }
    return UnsafeRawBufferPointer(start: start + table + from, count: end - from)
  }

  /// Returns the end of a variable element.
  @inlinable @inline(__always)
  static func end(_ table: UnsafeRawPointer, _ index: Int, _ width: Int) -> Int {
    width == 2 ? Int(table.uint16(at: 2 * index)) : Int(table.uint8(at: index))
  }
}

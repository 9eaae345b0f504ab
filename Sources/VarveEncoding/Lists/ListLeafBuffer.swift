/// An editable leaf. It may grow over ``ListNode/maximumBytes``; then elements must be moved to
/// another one before it is finished.
///
/// The bytes of an element are, as in ``ListLeaf/bytes(at:)``, the value of a packed one without
/// the presence byte, and the ``ElementCodec`` bytes of a variable one.
///
/// Thread safety: none; one owner at a time.
@usableFromInline
package final class ListLeafBuffer {
  // Safe because the buffer has one owner, and no access to these runs foreign code: without the
  // attribute an append costs twice as much.

  @exclusivity(unchecked) @usableFromInline
  package private(set) var format: ListElementFormat
  @exclusivity(unchecked) @usableFromInline
  package internal(set) var count = 0
  /// Packed: the node itself. Variable: the elements in sequence, without header and table.
  @exclusivity(unchecked) @usableFromInline
  var storage: ByteStorage
  /// The end of each variable element; empty if packed.
  @exclusivity(unchecked) var ends: [Int] = []
  /// The finished node of variable elements.
  private var output = ByteStorage(capacity: 0)

  /// Creates a buffer without elements.
  ///
  /// - Parameter capacity: The initial capacity in bytes.
  package init(format: ListElementFormat, capacity: Int = ListNode.maximumBytes) {
    self.format = format
    storage = ByteStorage(capacity: capacity)
  }

  /// Removes all elements and changes the format; the memory is kept.
  package func begin(_ format: ListElementFormat) {
    self.format = format
    count = 0
    ends.removeAll(keepingCapacity: true)
  }

  /// Replaces the content by a copy of a leaf.
  ///
  /// - Throws: `badLength` if the leaf is damaged; the buffer then has no elements.
  package func load(_ leaf: ListLeaf) throws(FormatError) {
    format = leaf.format
    count = 0
    ends.removeAll(keepingCapacity: true)
    try insert(from: leaf, 0..<leaf.count, at: 0)
  }

  /// The length of the node if it were finished now.
  @usableFromInline package var byteCount: Int { byteCount(ofFirst: count) }

  /// Returns the length of a node of the first `number` elements.
  package func byteCount(ofFirst number: Int) -> Int {
    ListNode.headerBytes
      + (format.isPacked ? number * format.stride : number * 2 + start(number))
  }

  /// Returns the offset at which a variable element begins in the storage, or the last one ends.
  func start(_ index: Int) -> Int { index == 0 ? 0 : ends[index - 1] }

  /// Returns the offset of a packed element in the storage, its presence byte included.
  @inlinable
  func offset(_ index: Int) -> Int { ListNode.headerBytes + index * format.stride }

  /// Completes the node with header, table and checksum.
  ///
  /// - Parameter key: The key under which the node is stored.
  /// - Returns: The bytes, valid until the buffer is changed or released. If nothing else retains
  ///   the buffer, it may be released at once: use ``finish(_:_:)`` then.
  /// - Precondition: It is no longer than ``ListNode/maximumBytes``.
  package func finish(_ key: ListNodeKey) -> UnsafeRawBufferPointer {
    ListNode.seal(
      arranged(), key, kind: ListNode.leafKind, format: format.rawValue, count: count,
      byteCount: byteCount)
  }

  /// The length of the elements in a row.
  package var rowByteCount: Int {
    byteCount - ListNode.headerBytes - (hasNarrowEnds ? count : 0)
  }

  private var hasNarrowEnds: Bool {
    !format.isPacked && start(count) <= RowParts.maximumNarrowBytes
  }

  /// The elements as a row contains them, valid until the buffer is changed or released.
  package var elements: UnsafeRawBufferPointer {
    guard hasNarrowEnds else {
      return UnsafeRawBufferPointer(start: arranged() + ListNode.headerBytes, count: rowByteCount)
    }
    output.reserve(rowByteCount, keeping: 0)
    for (index, end) in ends.enumerated() {
      output.base.store(UInt8(truncatingIfNeeded: end), at: index)
    }
    (output.base + count).copyMemory(from: storage.base, byteCount: start(count))
    return UnsafeRawBufferPointer(start: output.base, count: rowByteCount)
  }

  /// Returns the node without its header.
  private func arranged() -> UnsafeMutableRawPointer {
    if format.isPacked { return storage.base }
    output.reserve(byteCount, keeping: 0)
    var table = ListNode.headerBytes
    for end in ends {
      output.base.store(UInt16(truncatingIfNeeded: end), at: table)
      table += 2
    }
    (output.base + table).copyMemory(from: storage.base, byteCount: start(count))
    return output.base
  }

  /// Completes the node and calls `body` with its bytes.
  package func finish<R, E: Error>(
    _ key: ListNodeKey, _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    defer { withExtendedLifetime(self) {} }
    return try body(finish(key))
  }
}

// Reading.

extension ListLeafBuffer {
  /// Returns the 8 bytes of an element.
  ///
  /// - Precondition: The format is packed with a width of 8; `index` is in range, here and below.
  @inlinable
  package func bits64(at index: Int) -> UInt64 {
    precondition(format.width == 8, "The elements are not 8 bytes wide")
    return packed(index).uint64(at: 0)
  }

  /// Whether a packed element is null.
  ///
  /// - Precondition: the format is packed.
  package func isNull(at index: Int) -> Bool {
    precondition(format.isPacked, "The elements are not packed")
    let value = packed(index)
    return format.isNullable && (value - 1).uint8(at: 0) == 0
  }

  /// Returns the bytes of an element, valid until the buffer is changed.
  package func bytes(at index: Int) -> UnsafeRawBufferPointer {
    guard !format.isPacked else {
      return UnsafeRawBufferPointer(start: packed(index), count: format.width)
    }
    precondition(index >= 0 && index < count, "Index out of range")
    return UnsafeRawBufferPointer(
      start: storage.base + start(index), count: ends[index] - start(index))
  }

  /// Returns the address of the value of a packed element.
  @inlinable
  func packed(_ index: Int) -> UnsafeRawPointer {
    precondition(index >= 0 && index < count, "Index out of range")
    return UnsafeRawPointer(storage.base + offset(index) + (format.isNullable ? 1 : 0))
  }
}

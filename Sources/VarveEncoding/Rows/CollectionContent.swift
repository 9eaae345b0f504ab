/// Where the elements of a collection are: in the row of its owner, or in the entries of the tables
/// under its id.
///
/// A content belongs to the version, or to the state of a transaction, in which it was read, and is
/// valid as long as that is.
@usableFromInline
package struct CollectionContent: @unchecked Sendable {
  // Safe because the bytes are not changed while the content is valid.

  /// The bytes of the collection's slot. They are no slot of another row if `isInline` is true.
  @usableFromInline package let slot: CollectionSlot
  /// The first byte of the elements in the row; nil if they are outside it, or cannot be read.
  private let start: UnsafeRawPointer?

  /// The content of a collection without elements.
  package static let none = CollectionContent(.none)

  /// Creates the content of a collection that is not in a row.
  package init(_ slot: CollectionSlot) {
    self.slot = slot
    start = nil
  }

  /// Reads the content from a row.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - offset: The offset of the slot.
  ///   - fixedEnd: The end of the fixed part.
  ///   - variableEnd: The end of the variable data.
  /// - Precondition: 16 bytes can be read at the offset.
  @usableFromInline
  package init(row: UnsafeRawPointer, offset: Int, fixedEnd: Int, variableEnd: Int) {
    slot = CollectionSlot(unchecked: row + offset)
    guard slot.isInline else {
      start = nil
      return
    }
    let (place, length) = (slot.place, slot.length)
    let isInside = place >= fixedEnd && length > 0 && length <= variableEnd - place
    start = isInside && slot.revision == 0 && slot.count > 0 ? row + place : nil
  }

  /// Reads the content from a row, which ends where its header says.
  @usableFromInline
  package init(row: UnsafeRawPointer, offset: Int) {
    self.init(
      row: row, offset: offset, fixedEnd: Row.headerBytes,
      variableEnd: RowHeader.length(row) - Row.touchBytes * RowHeader.touchCount(row))
  }

  /// Whether the elements are in the row.
  @inlinable package var isInline: Bool { slot.isInline }

  /// Whether the elements are in the row, but their place is not.
  package var isDamaged: Bool { isInline && start == nil }

  /// The bytes of the elements in the row; nil if they are outside it, or cannot be read.
  package var bytes: UnsafeRawBufferPointer? {
    start.map { UnsafeRawBufferPointer(start: $0, count: slot.length) }
  }

  /// The common prefix of the collection's entries in the tables; 0 if it has none there.
  @inlinable package var id: UInt64 { isInline ? 0 : slot.id }

  /// Whether the collection has no elements. False does not imply that it has any.
  @inlinable package var isEmpty: Bool { slot.id == 0 }

  /// The entries of a dictionary in the row; nil if they are outside it, or there are none.
  ///
  /// - Throws: `badLength` if they cannot be read.
  package var entries: RowEntries? {
    get throws(FormatError) {
      guard isInline else { return nil }
      guard let bytes else {
        throw FormatError(.badLength, "a slot points out of its row", found: UInt64(slot.place))
      }
      return try RowEntries(validating: bytes, count: count)
    }
  }

  /// The number of elements; 0 if the content is that of a nested collection, which does not have
  /// the number.
  @inlinable package var count: Int { Int(slot.count) }

  /// Whether both have the same elements, if they are of one history of one file. False does not
  /// imply different elements.
  ///
  /// - Complexity: O(bytes) in rows.
  package func isIdentical(to other: CollectionContent) -> Bool {
    guard isInline || other.isInline else { return slot == other.slot }
    guard let bytes, let others = other.bytes else { return false }
    return slot.count == other.slot.count && ByteOrder.areEqual(bytes, others)
  }
}

extension CollectionSlot {
  /// The offset of the elements in the row.
  @inlinable var place: Int { Int(UInt32(truncatingIfNeeded: id)) }
  /// The number of bytes of the elements in the row.
  @inlinable var length: Int { Int(UInt32(truncatingIfNeeded: (id & ~Self.inlineBit) >> 32)) }

  /// Creates the slot of a collection whose elements are in the row.
  init(place: Int, length: Int, count: UInt32) {
    self.init(
      id: Self.inlineBit | UInt64(UInt32(truncatingIfNeeded: length)) << 32
        | UInt64(UInt32(truncatingIfNeeded: place)), revision: 0, count: count)
  }
}

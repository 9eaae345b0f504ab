/// The location of one property in a layout.
@usableFromInline
package struct RowField: Hashable, Sendable {
  @usableFromInline package let propertyID: UInt32
  @usableFromInline package let kind: PropertyKind
  /// The offset from the row's start; 0 if it is not stored.
  @usableFromInline package let offset: Int
  /// The number of bytes of the property slot; 0 if it is not stored.
  @usableFromInline package let width: Int
  /// The number of the bit in the null bitmap; -1 if the property is never null.
  @usableFromInline package let nullBit: Int
  /// Whether rows contain it: an integer primary key is stored only as the object id.
  @usableFromInline package let isStored: Bool

  /// Returns the bytes that the slot of a row refers to: their offset, and their number, which is 0
  /// if there are none.
  func extent(in row: UnsafeRawPointer) -> (offset: Int, count: Int) {
    guard kind.collection == .none else {
      let slot = CollectionSlot(unchecked: row + offset)
      return slot.isInline ? (slot.place, slot.length) : (0, 0)
    }
    return (
      Int(row.uint32(at: offset) & ~Row.blobBit), Int(row.uint32(at: offset + 4))
    )
  }
}

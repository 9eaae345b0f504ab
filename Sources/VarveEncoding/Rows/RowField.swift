/// Where a layout keeps one property.
///
/// The loads below read the fixed part of a row without a check; ``RowHeader/isRow(_:of:)`` or a
/// ``RowReader`` has made it. Null reads as zero.
///
/// Thread safety: an immutable value.
@usableFromInline
package struct RowField: Hashable, Sendable {
  @usableFromInline package let propertyID: UInt32
  @usableFromInline package let kind: PropertyKind
  /// From the row's start; 0 if it is not stored.
  @usableFromInline package let offset: Int
  /// The bytes of the slot; 0 if it is not stored.
  @usableFromInline package let width: Int
  /// The number of the bit in the null bitmap; -1 if the property is never null.
  @usableFromInline package let nullBit: Int
  /// Whether rows hold it: an integer primary key is the object id and stands nowhere else.
  @usableFromInline package let isStored: Bool

  @inlinable
  package init(
    propertyID: UInt32, kind: PropertyKind, offset: Int, width: Int, nullBit: Int, isStored: Bool
  ) {
    self.propertyID = propertyID
    self.kind = kind
    self.offset = offset
    self.width = width
    self.nullBit = nullBit
    self.isStored = isStored
  }
}

extension RowField {
  /// - Precondition: `row` is a row of this field's layout; likewise below.
  @inlinable
  package func isNull(in row: UnsafeRawPointer) -> Bool {
    nullBit >= 0
      && row.uint8(at: Row.headerBytes + nullBit >> 3) & 1 << UInt8(truncatingIfNeeded: nullBit & 7)
        != 0
  }

  /// An integer of any width, widened; a bool gives 0 or 1; a property that is not stored gives 0.
  @inlinable
  package func int64(in row: UnsafeRawPointer) -> Int64 {
    row.int64(at: offset, width: width)
  }

  @inlinable
  package func bool(in row: UnsafeRawPointer) -> Bool {
    row.uint8(at: offset) != 0
  }

  @inlinable
  package func float(in row: UnsafeRawPointer) -> Float {
    Float(bitPattern: row.uint32(at: offset))
  }

  /// A Double, or a Float widened; the Double of a date.
  @inlinable
  package func double(in row: UnsafeRawPointer) -> Double {
    width == 4 ? Double(float(in: row)) : Double(bitPattern: row.uint64(at: offset))
  }

  /// The 8 bytes of an integer, a Double, a date or a link as they are.
  @inlinable
  package func bits64(in row: UnsafeRawPointer) -> UInt64 {
    row.uint64(at: offset)
  }

  @inlinable
  package func objectId(in row: UnsafeRawPointer) -> ObjectIdBytes {
    ObjectIdBytes(unchecked: row + offset)
  }

  @inlinable
  package func collectionSlot(in row: UnsafeRawPointer) -> CollectionSlot {
    CollectionSlot(unchecked: row + offset)
  }
}

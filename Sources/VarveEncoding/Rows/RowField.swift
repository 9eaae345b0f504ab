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
}

/// Where a layout keeps one property.
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
}

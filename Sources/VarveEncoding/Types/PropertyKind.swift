/// What a property holds: the type, the kind of collection, and whether null is allowed.
///
/// Thread safety: an immutable value.
@usableFromInline
package struct PropertyKind: Hashable, Sendable {
  /// The type of the value, or of the elements of the collection.
  @usableFromInline package let type: PropertyType
  @usableFromInline package let collection: CollectionKind
  /// Whether the value (of a collection: an element) may be null.
  @usableFromInline package let isNullable: Bool

  @inlinable
  package init(
    type: PropertyType, collection: CollectionKind = .none, isNullable: Bool = false
  ) {
    self.type = type
    self.collection = collection
    self.isNullable = isNullable
  }

  /// Whether a row has a null bit for such a property: single values that may be null, and always
  /// links and mixed values, whose "nothing" is null.
  @inlinable
  package var hasNullBit: Bool {
    collection == .none && (isNullable || type == .link || type == .mixed)
  }

  /// The bytes that such a property takes in the fixed part of a row.
  @inlinable
  package var slotWidth: Int {
    collection == .none ? type.fixedWidth ?? 8 : CollectionSlot.byteCount
  }

  /// Whether the row keeps the value outside its slot: strings, data and mixed values.
  @inlinable
  package var isVariable: Bool {
    collection == .none && (type == .string || type == .data || type == .mixed)
  }
}

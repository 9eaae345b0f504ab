/// The kind of a property: the type, the kind of collection, and whether null is allowed.
@usableFromInline
package struct PropertyKind: Hashable, Sendable {
  /// The type of the value, or of the elements of the collection.
  @usableFromInline package let type: PropertyType
  @usableFromInline package let collection: CollectionKind
  /// Whether the value (for a collection: an element) may be null.
  @usableFromInline package let isNullable: Bool

  @inlinable
  package init(
    type: PropertyType, collection: CollectionKind = .none, isNullable: Bool = false
  ) {
    self.type = type
    self.collection = collection
    self.isNullable = isNullable
  }

  /// Whether a row has a null bit for such a property: optional single values, and always links and
  /// mixed values, whose "nothing" is null.
  @inlinable
  package var hasNullBit: Bool {
    collection == .none && (isNullable || type == .link || type == .mixed)
  }

  /// The number of bytes of such a property in the fixed part of a row.
  @inlinable
  package var slotWidth: Int {
    collection == .none ? type.fixedWidth ?? 8 : CollectionSlot.byteCount
  }

  /// Whether the row stores the value outside its slot: strings, data and mixed values.
  @inlinable
  package var isVariable: Bool {
    collection == .none && (type == .string || type == .data || type == .mixed)
  }
}

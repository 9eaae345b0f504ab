package import VarveEncoding

/// Which nested collection it is: one that stands in a mixed value, and not in a property of its own.
///
/// Its id says where its elements are. The object and the property below which it stands never change.
///
/// Thread safety: an immutable value.
package struct NestedIdentity: Hashable, Sendable {
  package let id: UInt64
  package let kind: CollectionKind

  package init(id: UInt64, kind: CollectionKind) {
    self.id = id
    self.kind = kind
  }

  // Ids are below 2^62, and kinds below 4.

  /// The identity as one word; nil for 0, which is no nested collection.
  init?(bits: UInt64) {
    guard bits != 0, let kind = CollectionKind(rawValue: UInt8(bits >> 62)) else { return nil }
    self.init(id: bits & (1 << 62 - 1), kind: kind)
  }

  /// The slot of the collection, of which the revision and the count are not known.
  package var slot: CollectionSlot { CollectionSlot(id: id, revision: 0, count: 0) }

  var bits: UInt64 { UInt64(kind.rawValue) << 62 | id }
}

extension StoredProperty {
  /// The property as the collections nested in its values have it.
  package func nested(_ kind: CollectionKind) -> StoredProperty {
    StoredProperty(id: id, name: name, kind: PropertyKind(type: .mixed, collection: kind))
  }
}

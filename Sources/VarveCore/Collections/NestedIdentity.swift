package import VarveEncoding

/// Identifies a nested collection, one that is stored in a mixed value rather than in a property of
/// its own.
///
/// Its elements are found by its id. The object and the property that contain it never change.
package struct NestedIdentity: Hashable, Sendable {
  package let id: UInt64
  package let kind: CollectionKind

  package init(id: UInt64, kind: CollectionKind) {
    self.id = id
    self.kind = kind
  }

  // Ids are below 2^62, and kinds below 4.

  /// Creates the identity from one word; nil for 0, which is not a nested collection.
  init?(bits: UInt64) {
    guard bits != 0, let kind = CollectionKind(rawValue: UInt8(bits >> 62)) else { return nil }
    self.init(id: bits & (1 << 62 - 1), kind: kind)
  }

  /// The content of the collection in any version, with an unknown revision and count.
  package var content: CollectionContent {
    CollectionContent(CollectionSlot(id: id, revision: 0, count: 0))
  }

  var bits: UInt64 { UInt64(kind.rawValue) << 62 | id }
}

extension StoredProperty {
  /// Returns the property as seen by the collections nested in its values.
  package func nested(_ kind: CollectionKind) -> StoredProperty {
    StoredProperty(id: id, name: name, kind: PropertyKind(type: .mixed, collection: kind))
  }
}

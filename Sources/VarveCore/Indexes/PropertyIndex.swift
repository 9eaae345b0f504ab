package import VarveEncoding

/// The index of one property, with the information needed to encode and decode its keys.
package struct PropertyIndex: Sendable {
  package let id: UInt32
  package let kind: PropertyKind
  /// The class that links refer to, or 0 for other properties.
  package let linkClass: UInt32
  /// Whether values are unique. The object id is then in the entry's value instead of its key. In
  /// an index other than the primary key's, null may occur several times; the keys of null then
  /// contain the id.
  package let isUnique: Bool
  /// Whether the index is that of the primary key.
  package let isPrimary: Bool
  let fileKey: FileKey

  /// - Parameters:
  ///   - id: The id of the index.
  ///   - kind: The kind of the property.
  ///   - linkClass: The class that links refer to, or 0 for other properties.
  ///   - isUnique: Whether values are unique.
  ///   - isPrimary: Whether the index is that of the primary key.
  package init(
    id: UInt32, kind: PropertyKind, linkClass: UInt32 = 0, isUnique: Bool, isPrimary: Bool = false,
    fileKey: FileKey
  ) {
    self.id = id
    self.kind = kind
    self.linkClass = linkClass
    self.isUnique = isUnique
    self.isPrimary = isPrimary
    self.fileKey = fileKey
  }

  /// Creates the index of a property. Returns nil if the property has none.
  package init?(_ property: StoredProperty, fileKey: FileKey) {
    guard property.indexID != 0, property.kind.collection == .none else { return nil }
    self.init(
      id: property.indexID, kind: property.kind, linkClass: property.linkedClassID,
      isUnique: property.isPrimaryKey, isPrimary: property.isPrimaryKey, fileKey: fileKey)
  }

  /// Creates a unique index of one property that is not the primary key.
  package init?(_ index: ClassIndex, fileKey: FileKey) {
    guard index.kind != .fullText, index.properties.count == 1 else { return nil }
    let property = index.properties[0]
    self.init(
      id: index.id, kind: property.kind, linkClass: property.linkedClassID,
      isUnique: index.kind == .unique, fileKey: fileKey)
  }

  /// The common prefix of all keys, which is the index id.
  var prefix: OrderedKey {
    var key = OrderedKey(capacity: 24)
    key.append(uint32: id)
    return key
  }
}

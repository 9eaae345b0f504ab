package import VarveEncoding

/// The index of one property: what is needed to make and to read its keys.
///
/// Thread safety: an immutable value.
package struct PropertyIndex: Sendable {
  package let id: UInt32
  package let kind: PropertyKind
  /// The class that links point to; 0 for other properties.
  package let linkClass: UInt32
  /// Whether an object has its value alone: the object id stands in the entry's value, not in its key. Null may be
  /// there several times if the index is not that of a primary key; then the key holds the id.
  package let isUnique: Bool
  /// Whether the index is that of the primary key.
  package let isPrimary: Bool
  let fileKey: FileKey

  /// - Parameters:
  ///   - id: the index.
  ///   - kind: of the property.
  ///   - linkClass: the class that links point to; 0 for other properties.
  ///   - isUnique: whether the index is that of a primary key.
  ///   - isPrimary: whether it is that of the primary key.
  ///   - fileKey: of the file.
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

  /// The index of a property; nil if it has none.
  package init?(_ property: StoredProperty, fileKey: FileKey) {
    guard property.indexID != 0, property.kind.collection == .none else { return nil }
    self.init(
      id: property.indexID, kind: property.kind, linkClass: property.linkedClassID,
      isUnique: property.isPrimaryKey, isPrimary: property.isPrimaryKey, fileKey: fileKey)
  }

  /// A unique index of one property that is not the primary key.
  package init?(_ index: ClassIndex, fileKey: FileKey) {
    guard index.kind != .fullText, index.properties.count == 1 else { return nil }
    let property = index.properties[0]
    self.init(
      id: index.id, kind: property.kind, linkClass: property.linkedClassID,
      isUnique: index.kind == .unique, fileKey: fileKey)
  }

  /// A key with the index alone: all entries begin so.
  var prefix: OrderedKey {
    var key = OrderedKey(capacity: 24)
    key.append(uint32: id)
    return key
  }
}

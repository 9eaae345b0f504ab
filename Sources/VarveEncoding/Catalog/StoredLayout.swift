/// A layout as the file keeps it. It names the kind of each property itself, so that its rows can be
/// read when properties have been dropped from the class since.
///
/// Thread safety: a value.
package struct StoredLayout: Hashable, Sendable {
  /// One property of the layout.
  package struct Field: Hashable, Sendable {
    package var propertyID: UInt32
    package var kind: PropertyKind
    /// Whether rows hold it, see ``StoredProperty/isStoredInRow``.
    package var isStored: Bool
  }

  @usableFromInline package var id: UInt16
  /// In the order of the rows.
  package var fields: [Field]

  package init(id: UInt16, fields: [Field]) {
    self.id = id
    self.fields = fields
  }

  /// A layout of the properties in their order.
  package init(id: UInt16, properties: [StoredProperty]) {
    self.id = id
    fields = properties.map {
      Field(propertyID: $0.id, kind: $0.kind, isStored: $0.isStoredInRow)
    }
  }

  package var propertyIDs: [UInt32] { fields.map(\.propertyID) }
}

extension StoredProperty {
  /// Whether rows hold the property: an integer primary key that is never null is the object id.
  package var isStoredInRow: Bool {
    !(isPrimaryKey && kind.type.isInteger && kind.collection == .none && !kind.isNullable)
  }
}

extension RowLayout {
  /// The layout that the file describes.
  package convenience init(_ stored: StoredLayout) {
    self.init(
      id: stored.id, properties: stored.fields.map { ($0.propertyID, $0.kind, $0.isStored) })
  }
}

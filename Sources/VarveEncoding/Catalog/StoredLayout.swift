/// A layout as stored in the file.
///
/// The layout contains the kind of each property itself, so that its rows can be read after
/// properties have been dropped from the class.
package struct StoredLayout: Hashable, Sendable {
  /// One property of the layout.
  package struct Field: Hashable, Sendable {
    package var propertyID: UInt32
    package var kind: PropertyKind
    /// Whether rows contain the property. See ``StoredProperty/isStoredInRow``.
    package var isStored: Bool
  }

  @usableFromInline package var id: UInt16
  /// The fields, in row order.
  package var fields: [Field]

  package init(id: UInt16, fields: [Field]) {
    self.id = id
    self.fields = fields
  }

  /// Creates a layout of the properties in their order.
  package init(id: UInt16, properties: [StoredProperty]) {
    self.id = id
    fields = properties.map {
      Field(propertyID: $0.id, kind: $0.kind, isStored: $0.isStoredInRow)
    }
  }

  package var propertyIDs: [UInt32] { fields.map(\.propertyID) }
}

extension StoredProperty {
  /// Whether rows contain the property. A non-optional integer primary key is the object id
  /// instead.
  package var isStoredInRow: Bool {
    !(isPrimaryKey && kind.type.isInteger && kind.collection == .none && !kind.isNullable)
  }
}

extension RowLayout {
  /// Creates the layout that the file describes.
  package convenience init(_ stored: StoredLayout) {
    self.init(
      id: stored.id, properties: stored.fields.map { ($0.propertyID, $0.kind, $0.isStored) })
  }
}

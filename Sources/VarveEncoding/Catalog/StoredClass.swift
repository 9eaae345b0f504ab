/// A class as stored in the file: its properties and the layouts that its rows have or had.
package struct StoredClass: Hashable, Sendable {
  @usableFromInline package var id: UInt32
  package var name: String
  package var isEmbedded: Bool
  package var primaryKeyPropertyID: UInt32?
  /// The id of the next property; ids are never reused.
  package var nextPropertyID: UInt32
  package var properties: [StoredProperty]
  package var layouts: [StoredLayout]
  package var currentLayoutID: UInt16
  /// The compound, unique and full-text indexes.
  package var indexes: [StoredIndex]

  package init(
    id: UInt32, name: String, isEmbedded: Bool = false, primaryKeyPropertyID: UInt32? = nil,
    nextPropertyID: UInt32, properties: [StoredProperty] = [], layouts: [StoredLayout] = [],
    currentLayoutID: UInt16 = 0, indexes: [StoredIndex] = []
  ) {
    self.id = id
    self.name = name
    self.isEmbedded = isEmbedded
    self.primaryKeyPropertyID = primaryKeyPropertyID
    self.nextPropertyID = nextPropertyID
    self.properties = properties
    self.layouts = layouts
    self.currentLayoutID = currentLayoutID
    self.indexes = indexes
  }
}

/// A property as stored in the file.
package struct StoredProperty: Hashable, Sendable {
  @usableFromInline package var id: UInt32
  package var name: String
  @usableFromInline package var kind: PropertyKind
  /// The target class of links and collections of links.
  package var targetClassID: UInt32?
  /// Reserved: linking objects are computed and not stored today.
  package var originPropertyID: UInt32?
  package var isPrimaryKey: Bool
  /// Whether objects that are stored without a primary key get the next one.
  package var isAutoIncremented: Bool
  /// The id of the index; 0 for none.
  package var indexID: UInt32
  /// The value that rows of layouts without the property read; nil means null or zero.
  package var addedConstant: Value?

  package init(
    id: UInt32, name: String, kind: PropertyKind, targetClassID: UInt32? = nil,
    originPropertyID: UInt32? = nil, isPrimaryKey: Bool = false,
    isAutoIncremented: Bool = false, indexID: UInt32 = 0, addedConstant: Value? = nil
  ) {
    self.id = id
    self.name = name
    self.kind = kind
    self.targetClassID = targetClassID
    self.originPropertyID = originPropertyID
    self.isPrimaryKey = isPrimaryKey
    self.isAutoIncremented = isAutoIncremented
    self.indexID = indexID
    self.addedConstant = addedConstant
  }
}

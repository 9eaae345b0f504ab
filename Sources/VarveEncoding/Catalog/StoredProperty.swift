/// A property as the file knows it.
///
/// Thread safety: a value.
package struct StoredProperty: Hashable, Sendable {
  @usableFromInline package var id: UInt32
  package var name: String
  @usableFromInline package var kind: PropertyKind
  /// The class that links and collections of links point to.
  package var targetClassID: UInt32?
  /// Reserved: linking objects are computed and not stored today.
  package var originPropertyID: UInt32?
  package var isPrimaryKey: Bool
  /// Whether objects that are stored without a primary key get the next one.
  package var isAutoIncremented: Bool
  /// 0: the property has no index.
  package var indexID: UInt32
  /// What rows of layouts without the property read; nil: null or zero.
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

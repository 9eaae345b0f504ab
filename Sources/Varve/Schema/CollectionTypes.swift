import VarveEncoding

// The types of the elements of a collection, for managed and unmanaged collections alike.

extension RealmCollection {
  /// The type of the elements.
  public var type: PropertyType { PropertyType(Element._$elementType.kind.type) }
  /// Whether elements may be nil. Objects may not be nil.
  public var isOptional: Bool { Element._$elementType.kind.allowsNil }
  /// The name of the elements' class, if they are objects.
  public var objectClassName: String? { Element._$elementType.className }
}

extension Map {
  /// The type of the keys, which are stored as strings.
  public var keyType: PropertyType { .string }
  /// The type of the values.
  public var type: PropertyType { PropertyType(Value._$elementType.kind.type) }
  /// Whether values may be nil. Objects may always be nil.
  public var isOptional: Bool { Value._$elementType.kind.allowsNil }
  /// The name of the values' class, if they are objects.
  public var objectClassName: String? { Value._$elementType.className }
}

extension PropertyKind {
  /// Whether a value or an element may be nil. A mixed value may always be nil.
  var allowsNil: Bool { isNullable || type == .mixed }
}

extension _PropertyType {
  fileprivate var className: String? { target.map { ClassInfo.of($0).name } }
}

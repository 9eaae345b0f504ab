import VarveEncoding

// What the elements of a collection are: the same for managed and unmanaged ones.

extension RealmCollection {
  /// The type of the elements.
  public var type: PropertyType { PropertyType(Element._$elementType.kind.type) }
  /// Whether elements may be nil; objects may not.
  public var isOptional: Bool { Element._$elementType.kind.holdsNil }
  /// The class of the elements, if they are objects.
  public var objectClassName: String? { Element._$elementType.className }
}

extension Map {
  /// The type of the keys: what is stored is a string.
  public var keyType: PropertyType { .string }
  /// The type of the values.
  public var type: PropertyType { PropertyType(Value._$elementType.kind.type) }
  /// Whether values may be nil; objects always may.
  public var isOptional: Bool { Value._$elementType.kind.holdsNil }
  /// The class of the values, if they are objects.
  public var objectClassName: String? { Value._$elementType.className }
}

extension PropertyKind {
  /// Whether a value, or an element, may be nil: a value of any type always may.
  var holdsNil: Bool { isNullable || type == .mixed }
}

extension _PropertyType {
  fileprivate var className: String? { target.map { ClassInfo.of($0).name } }
}

import VarveCore
import VarveEncoding

/// A persisted property of a class, as listed by ``ObjectSchema``.
public struct Property: Sendable, Hashable {
  /// The declared name of the property: its name in Swift, by which queries, observers and
  /// ``ObjectBase/value(forKey:)`` know it.
  public let name: String
  /// The name under which the property is stored. ``ObjectBase/propertiesMapping()`` can set a name
  /// that differs from the declared name.
  public let columnName: String
  /// The type of the value, or of the elements of a collection.
  public let type: PropertyType
  /// Whether the property is a list or linking objects.
  public let isArray: Bool
  /// Whether the property is a set.
  public let isSet: Bool
  /// Whether the property is a map.
  public let isMap: Bool
  /// Whether the property has an index. A primary key has one.
  public let isIndexed: Bool
  /// Whether the value, or an element of the collection, may be nil. A link to an object may be
  /// nil; an object in a list may not.
  public let isOptional: Bool
  /// Whether the property is the primary key.
  public let isPrimaryKey: Bool
  /// Whether the store generates the primary key of objects that are added without one.
  public let isAutoIncremented: Bool
  /// The class of the linked objects or, for linking objects, of the objects that link to this one;
  /// nil for other types.
  public let objectClassName: String?
  /// For linking objects, the declared name of the property of ``objectClassName`` that links to
  /// this object; nil for other properties.
  public let linkOriginPropertyName: String?

  /// `origin`: for linking objects, the property that links to the object.
  init(_ description: PropertyDescription, origin: PropertyDescription? = nil) {
    self.init(
      name: description.alias, columnName: description.name, kind: description.kind,
      isIndexed: description.isIndexed, isPrimaryKey: description.isPrimaryKey,
      isAutoIncremented: description.isAutoIncremented,
      objectClassName: description.targetClassName,
      origin: origin?.alias ?? description.originPropertyName)
  }

  /// `className`: the class that the property links to.
  init(_ stored: StoredProperty, name: String?, className: String?) {
    self.init(
      name: name ?? stored.name, columnName: stored.name, kind: stored.kind,
      isIndexed: stored.indexID != 0, isPrimaryKey: stored.isPrimaryKey,
      isAutoIncremented: stored.isAutoIncremented, objectClassName: className, origin: nil)
  }

  private init(
    name: String, columnName: String, kind: PropertyKind, isIndexed: Bool, isPrimaryKey: Bool,
    isAutoIncremented: Bool, objectClassName: String?, origin: String?
  ) {
    self.name = name
    self.columnName = columnName
    type = origin == nil ? PropertyType(kind.type) : .linkingObjects
    isArray = kind.collection == .list
    isSet = kind.collection == .set
    isMap = kind.collection == .dictionary
    self.isIndexed = isIndexed || isPrimaryKey
    isOptional = kind.allowsNil || kind.type == .link && kind.collection == .none
    self.isPrimaryKey = isPrimaryKey
    self.isAutoIncremented = isAutoIncremented
    self.objectClassName = objectClassName
    linkOriginPropertyName = origin
  }
}

extension Property: CustomStringConvertible {
  /// The name and the type: `age: int?`, `dogs: List of object Dog`.
  public var description: String {
    let collection = isArray ? "List of " : isSet ? "MutableSet of " : isMap ? "Map of " : ""
    let target = objectClassName.map { " \($0)" } ?? ""
    return "\(name): \(collection)\(type)\(target)\(isOptional ? "?" : "")"
  }
}

import Foundation
package import VarveEncoding

/// One property as the program's model declares it.
package struct PropertyDescription: Sendable {
  /// The stored name of the property.
  package var name: String
  /// The declared name: that of the property in the program, usually the same.
  package var alias: String
  package var kind: PropertyKind
  /// The class that a link, or a collection of links, points to.
  package var targetClassName: String?
  package var isPrimaryKey: Bool
  /// Whether objects that are added without a primary key, which is then 0, get the next key.
  package var isAutoIncremented: Bool
  package var isIndexed: Bool
  /// For linking objects: the property of `targetClassName` that links to this class. A property of
  /// linking objects is not stored.
  package var originPropertyName: String?
  /// The declared default if it is a literal, otherwise the type's zero value.
  package var addedConstant: Value
  /// The declared default, if it is an expression such as `5 * 60` or `UUID()`.
  package var defaultExpression: DefaultExpression?
  /// The declared default, if it may be an object, or a collection with elements, which no class
  /// record can contain.
  package var contentDefault: ContentDefault?

  package init(
    name: String, alias: String? = nil, kind: PropertyKind, targetClassName: String? = nil,
    isPrimaryKey: Bool = false, isAutoIncremented: Bool = false,
    isIndexed: Bool = false, originPropertyName: String? = nil, addedConstant: Value = .null,
    defaultExpression: DefaultExpression? = nil, contentDefault: ContentDefault? = nil
  ) {
    self.name = name
    self.alias = alias ?? name
    self.kind = kind
    self.targetClassName = targetClassName
    self.isPrimaryKey = isPrimaryKey
    self.isAutoIncremented = isAutoIncremented
    self.isIndexed = isIndexed
    self.originPropertyName = originPropertyName
    self.addedConstant = addedConstant
    self.defaultExpression = defaultExpression
    self.contentDefault = contentDefault
  }

  /// Whether the file stores the property. Linking objects are computed from backlinks; everything
  /// else is stored.
  package var isStored: Bool { originPropertyName == nil }

  /// Whether the property contains one object, or a collection of objects.
  package var isLink: Bool { kind.type == .link && isStored }

  /// The type in Swift notation: `Int?`, `List<Dog>`, `Map<String, Double>`.
  package var typeName: String { kind.typeName(target: targetClassName) }
}

extension PropertyKind {
  /// Returns the type in Swift notation.
  package func typeName(target: String?) -> String {
    let base = type == .link ? (target ?? "Object") : type.swiftName
    let element = base + (isNullable ? "?" : "")
    return switch collection {
    case .none: element
    case .list: "List<\(element)>"
    case .set: "MutableSet<\(element)>"
    case .dictionary: "Map<String, \(element)>"
    }
  }
}

extension PropertyType {
  /// The Swift spelling of the type.
  package var swiftName: String {
    switch self {
    case .bool: "Bool"
    case .int8: "Int8"
    case .int16: "Int16"
    case .int32: "Int32"
    case .int64: "Int"
    case .float: "Float"
    case .double: "Double"
    case .string: "String"
    case .data: "Data"
    case .date: "Date"
    case .uuid: "UUID"
    case .objectId: "ObjectId"
    case .decimal128: "Decimal128"
    case .mixed: "AnyRealmValue"
    case .link: "Object"
    }
  }

  /// Whether a property of this type may be indexed.
  package var isIndexable: Bool { self != .link }

  /// Whether a value of the type may be a link.
  package var mayLink: Bool { self == .link || self == .mixed }

  /// The value of a non-optional property of this type without any other default.
  package var zeroValue: Value {
    switch self {
    case .bool: .bool(false)
    case .int8, .int16, .int32, .int64: .int(0)
    case .float: .float(0)
    case .double: .double(0)
    case .string: .string("")
    case .data: .data(.init())
    case .date: .date(.init(timeIntervalSince1970: 0))
    case .uuid: .uuid(.init(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    case .objectId: .objectId(.zero)
    case .decimal128: .decimal(.zero)
    case .mixed, .link: .null
    }
  }
}

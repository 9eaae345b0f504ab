import VarveCore
package import VarveEncoding

/// What a persisted property holds, as the schema needs to know it.
///
/// Generated code passes it on; it has no members for users.
public struct _PropertyType: Sendable {
  package private(set) var kind: PropertyKind
  /// The class that a link or a collection of links points to.
  package let target: ObjectBase.Type?
  /// The class that a link of a class points to which the program does not declare.
  let dynamicTarget: DynamicTarget?
  /// Whether the program knows a value of the kind: an enumeration knows those of its cases. Nil: it
  /// knows all.
  private(set) var knows: (@Sendable (Value) -> Bool)?
  /// Values of an enumeration's cases, or such as a custom type has; nil for other types.
  private(set) var valueSamples: (@Sendable () -> [Value])?
  /// Whether there is a value where nothing was set, and none is known; nil where there always is.
  private(set) var hasNothing: (@Sendable () -> Bool)?
  /// Whether integers of 64 bits are `Int64`, and not `Int`.
  let isInt64: Bool

  package init(_ kind: PropertyKind, target: ObjectBase.Type? = nil, isInt64: Bool = false) {
    self.kind = kind
    self.target = target
    self.isInt64 = isInt64
    dynamicTarget = nil
  }

  /// Of a class that the program does not declare.
  init(_ kind: PropertyKind, dynamicTarget: DynamicTarget?) {
    self.kind = kind
    target = dynamicTarget.map { _ in DynamicObject.self }
    isInt64 = false
    self.dynamicTarget = dynamicTarget
  }

  package init(_ type: VarveEncoding.PropertyType) { self.init(PropertyKind(type: type)) }

  /// The same, for a type that is stored as this one.
  func knowing(
    _ knows: @escaping @Sendable (Value) -> Bool, samples: @escaping @Sendable () -> [Value],
    hasNothing: @escaping @Sendable () -> Bool
  ) -> _PropertyType {
    var type = self
    type.knows = knows
    type.valueSamples = samples
    type.hasNothing = hasNothing
    return type
  }

  /// The same, nullable.
  package var optional: _PropertyType {
    var type = self
    type.kind = PropertyKind(type: kind.type, collection: kind.collection, isNullable: true)
    return type
  }

  /// A collection of values of this type.
  package func collection(_ collection: CollectionKind) -> _PropertyType {
    var type = self
    type.kind = PropertyKind(
      type: kind.type, collection: collection, isNullable: kind.isNullable)
    return type
  }

  /// A stored value as its Swift type: an integer in the declared width; of an enumeration and of a type of the program's
  /// own what stands for it in the file.
  func any(_ value: Value) -> Any {
    guard case .int(let integer) = value else { return value.any }
    return switch kind.type {
    case .int8: Int8(truncatingIfNeeded: integer)
    case .int16: Int16(truncatingIfNeeded: integer)
    case .int32: Int32(truncatingIfNeeded: integer)
    case .int64 where isInt64: integer
    default: value.any
    }
  }
}

/// One persisted property of a model class; generated code lists them.
///
/// Thread safety: an immutable value.
public struct PropertyDescriptor: @unchecked Sendable {
  // Safe because all members are constants; the key path and the closures capture nothing mutable.

  /// The name that the property has in Swift.
  public let name: String
  /// The name under which the property is stored.
  public internal(set) var columnName: String
  /// The number of the property in its class, inherited ones first.
  public internal(set) var slot: Int
  /// Whether the property is the primary key.
  public internal(set) var isPrimaryKey: Bool
  /// Whether the store generates the primary key of objects that are added without one.
  public internal(set) var isAutoIncremented = false
  /// Whether the property has an index.
  public internal(set) var isIndexed: Bool
  /// Whether no two objects have the same value.
  public internal(set) var isUnique = false
  /// Whether the words of the property have an index.
  public internal(set) var isFullTextIndexed = false
  package let keyPath: AnyKeyPath
  let type: _PropertyType
  package internal(set) var originProperty: String?
  package internal(set) var isConstantDefault: Bool
  var hasDefault: Bool
  /// The declared default, or the type's own.
  var makeDefault: @Sendable () -> _Boxed
  /// Reads the property of an object.
  let read: @Sendable (ObjectBase, Int) -> _Boxed
  /// The property's type, and what it is at the end of optional chaining.
  let valueType: any _Persistable.Type
  let chainedType: Any.Type
  let coding: PropertyCoding
}

/// Describes a persisted property; called by generated code.
public func _$prop<O: ObjectBase, V: _Persistable>(
  _ name: String, _ slot: Int, _ keyPath: KeyPath<O, V>, default makeDefault: (() -> V)? = nil,
  isConstantDefault: Bool = false, primaryKey: Bool = false, autoIncrement: Bool = false,
  indexed: Bool = false, unique: Bool = false, fullText: Bool = false, originProperty: String? = nil
) -> PropertyDescriptor {
  let valueType = (V.self as? any _PropertyReference.Type)?.valueType ?? V.self
  // Safe because a default expression stands at class level: it can capture nothing.
  nonisolated(unsafe) let makeDefault = makeDefault
  return PropertyDescriptor(
    name: name, columnName: name, slot: slot, isPrimaryKey: primaryKey,
    isAutoIncremented: autoIncrement, isIndexed: indexed, isUnique: unique,
    isFullTextIndexed: fullText, keyPath: keyPath, type: V._$type,
    originProperty: originProperty,
    // A case of an enumeration is no literal, and the same each time.
    isConstantDefault: isConstantDefault || V.self is any PersistableEnum.Type,
    hasDefault: makeDefault != nil,
    makeDefault: { (makeDefault?() ?? V._$default())._$boxed },
    read: { object, slot in V._$get(object, slot)._$boxed },
    valueType: valueType,
    chainedType: V._$type.kind.isNullable ? valueType : optional(valueType),
    coding: PropertyCoding(V.self))
}

private func optional<V>(_ type: V.Type) -> Any.Type { V?.self }

/// Refuses a property whose type cannot be stored, with one clear message.
@_disfavoredOverload
// swift-format-ignore
@available(
  *, unavailable,
  message:
    "a property of this type cannot be persisted; use Bool, Int, Int8 to Int64, Float, Double, String, Data, Date, UUID, ObjectId, Decimal128, AnyRealmValue, a type that conforms to PersistableEnum or CustomPersistable, an optional of one of these or of an Object class, List, MutableSet, Map or LinkingObjects"
)
public func _$prop<O, V>(
  _ name: String, _ slot: Int, _ keyPath: KeyPath<O, V>, default makeDefault: (() -> V)? = nil,
  isConstantDefault: Bool = false, primaryKey: Bool = false, autoIncrement: Bool = false,
  indexed: Bool = false, unique: Bool = false, fullText: Bool = false, originProperty: String? = nil
) -> PropertyDescriptor {
  preconditionFailure("Properties of this type cannot be persisted.")
}

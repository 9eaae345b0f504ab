import VarveCore
package import VarveEncoding

/// The type of a persisted property.
///
/// Generated code passes it on. It has no members for users.
public struct _PropertyType: Sendable {
  package private(set) var kind: PropertyKind
  /// The target class of a link or of a collection of links.
  package let target: ObjectBase.Type?
  /// The target class of a link in a class that the program does not declare.
  let dynamicTarget: DynamicTarget?
  /// Whether a stored value is valid, such as the raw value of a case of an enumeration. Nil when
  /// all values are.
  private(set) var isValid: (@Sendable (Value) -> Bool)?
  /// Sample values of an enumeration or a custom type; nil for other types.
  private(set) var valueSamples: (@Sendable () -> [Value])?
  /// Whether the type has a value for a property that was never set; nil when it always has.
  private(set) var hasNothing: (@Sendable () -> Bool)?
  /// Whether 64-bit integers are `Int64` instead of `Int`.
  let isInt64: Bool

  package init(_ kind: PropertyKind, target: ObjectBase.Type? = nil, isInt64: Bool = false) {
    self.kind = kind
    self.target = target
    self.isInt64 = isInt64
    dynamicTarget = nil
  }

  /// Creates the type of a property in a class that the program does not declare.
  init(_ kind: PropertyKind, dynamicTarget: DynamicTarget?) {
    self.kind = kind
    target = dynamicTarget.map { _ in DynamicObject.self }
    isInt64 = false
    self.dynamicTarget = dynamicTarget
  }

  package init(_ type: VarveEncoding.PropertyType) { self.init(PropertyKind(type: type)) }

  /// Returns this type, restricted to the values of a custom type that is stored as it.
  func restricted(
    to isValid: @escaping @Sendable (Value) -> Bool, samples: @escaping @Sendable () -> [Value],
    hasNothing: @escaping @Sendable () -> Bool
  ) -> _PropertyType {
    var type = self
    type.isValid = isValid
    type.valueSamples = samples
    type.hasNothing = hasNothing
    return type
  }

  /// The nullable variant of the type.
  package var optional: _PropertyType {
    var type = self
    type.kind = PropertyKind(type: kind.type, collection: kind.collection, isNullable: true)
    return type
  }

  /// Returns the type of a collection of values of this type.
  package func collection(_ collection: CollectionKind) -> _PropertyType {
    var type = self
    type.kind = PropertyKind(
      type: kind.type, collection: collection, isNullable: kind.isNullable)
    return type
  }

  /// Converts a stored value to its Swift type. An integer has the declared width. Enumerations and
  /// custom types are represented by their stored values.
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

/// A persisted property of a model class. Generated code lists them.
public struct PropertyDescriptor: @unchecked Sendable {
  // Safe because all members are constants. The key path and the closures capture no mutable state.

  /// The name of the property in Swift.
  public let name: String
  /// The name under which the property is stored.
  public internal(set) var columnName: String
  /// The index of the property in its class, inherited properties first.
  public internal(set) var slot: Int
  /// Whether the property is the primary key.
  public internal(set) var isPrimaryKey: Bool
  /// Whether the store generates the primary key of objects added without one.
  public internal(set) var isAutoIncremented = false
  /// Whether the property has an index.
  public internal(set) var isIndexed: Bool
  /// Whether no two objects can have the same value.
  public internal(set) var isUnique = false
  /// Whether the property has a full-text index.
  public internal(set) var isFullTextIndexed = false
  package let keyPath: AnyKeyPath
  let type: _PropertyType
  package internal(set) var originProperty: String?
  package internal(set) var isConstantDefault: Bool
  var hasDefault: Bool
  /// Returns the declared default, or the default of the type.
  var makeDefault: @Sendable () -> _Boxed
  /// Reads the property of an object.
  let read: @Sendable (ObjectBase, Int) -> _Boxed
  /// The property's type, and its type at the end of an optional chain.
  let valueType: any _Persistable.Type
  let chainedType: Any.Type
  let coding: PropertyCoding
}

/// Creates the description of a persisted property. Called by generated code.
///
/// The key path is isolated to the main actor, as the property is in a class that conforms to a
/// protocol of the main actor. Its getter only calls the library, which any thread may do.
public func _$prop<O: ObjectBase, V: _Persistable>(
  _ name: String, _ slot: Int, _ keyPath: @autoclosure @escaping @MainActor () -> KeyPath<O, V>,
  default makeDefault: (() -> V)? = nil, isConstantDefault: Bool = false, primaryKey: Bool = false,
  autoIncrement: Bool = false, indexed: Bool = false, unique: Bool = false, fullText: Bool = false,
  originProperty: String? = nil
) -> PropertyDescriptor {
  // Safe because the closure only creates the key path, which uses no state of the main actor.
  let keyPath = unsafeBitCast(keyPath, to: (() -> KeyPath<O, V>).self)()
  let valueType = (V.self as? any _PropertyReference.Type)?.valueType ?? V.self
  // Safe because a default expression is evaluated at class level and can capture nothing.
  nonisolated(unsafe) let makeDefault = makeDefault
  return PropertyDescriptor(
    name: name, columnName: name, slot: slot, isPrimaryKey: primaryKey,
    isAutoIncremented: autoIncrement, isIndexed: indexed, isUnique: unique,
    isFullTextIndexed: fullText, keyPath: keyPath, type: V._$type,
    originProperty: originProperty,
    // A case of an enumeration is not a literal, but it is the same each time.
    isConstantDefault: isConstantDefault || V.self is any PersistableEnum.Type,
    hasDefault: makeDefault != nil,
    makeDefault: { (makeDefault?() ?? V._$default())._$boxed },
    read: { object, slot in V._$get(object, slot)._$boxed },
    valueType: valueType,
    chainedType: V._$type.kind.isNullable ? valueType : optional(valueType),
    coding: PropertyCoding(V.self))
}

private func optional<V>(_ type: V.Type) -> Any.Type { V?.self }

/// Reports a property whose type cannot be stored with a single compiler message.
@_disfavoredOverload
// swift-format-ignore
@available(
  *, unavailable,
  message:
    "a property of this type cannot be persisted; use Bool, Int, Int8 to Int64, Float, Double, String, Data, Date, UUID, ObjectId, Decimal128, AnyRealmValue, a type that conforms to PersistableEnum or CustomPersistable, an optional of one of these or of an Object class, List, MutableSet, Map or LinkingObjects"
)
public func _$prop<O, V>(
  _ name: String, _ slot: Int, _ keyPath: @autoclosure @MainActor () -> KeyPath<O, V>,
  default makeDefault: (() -> V)? = nil, isConstantDefault: Bool = false, primaryKey: Bool = false,
  autoIncrement: Bool = false, indexed: Bool = false, unique: Bool = false, fullText: Bool = false,
  originProperty: String? = nil
) -> PropertyDescriptor {
  Misuse.trap("Properties of this type cannot be persisted.")
}

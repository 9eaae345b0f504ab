import VarveCore
import VarveEncoding
import VarveLocks

/// A reference to a property. Models of older Realm SDKs declare optional numbers with it.
///
/// ```swift
/// @Persisted var age = RealmProperty<Int?>()
/// …
/// dog.age.value = 3
/// dogs.where { $0.age.value > 2 }
/// ```
///
/// `@Persisted var age: Int?` has the same stored form and is read without ``value``, so a model
/// can switch to it at any time. Where older models use `let`, use `@Persisted var`.
///
/// An instance read from an object refers to the property of that object, managed or not. An
/// instance created on its own contains its own value. Assigning an instance to a property assigns
/// its value.
///
/// Thread safety: that of the object. A lock guards an instance created on its own.
public final class RealmProperty<Value: _Persistable>: Sendable {
  private let property: (object: ObjectBase, slot: Int)?
  /// The value of an instance that belongs to no object.
  private let own: Lock<Value>

  /// Creates an instance that belongs to no object, with nil or the default value of the type.
  public convenience init() { self.init(Value._$default()) }

  /// Creates an instance that belongs to no object.
  public init(_ value: Value) {
    property = nil
    own = Lock(value)
  }

  fileprivate init(_ object: ObjectBase, _ slot: Int) {
    property = (object, slot)
    own = Lock(Value._$default())
  }

  /// The value. Setting it sets the property.
  public var value: Value {
    get {
      property.map { Value._$get($0.object, $0.slot) } ?? own.withLock { $0 }
    }
    set {
      if let property {
        Value._$set(property.object, property.slot, newValue)
      } else {
        own.withLock { $0 = newValue }
      }
    }
  }
}

/// A ``RealmProperty`` with an optional value.
public typealias RealmOptional<Wrapped: _OptionalPersistable> = RealmProperty<Wrapped?>

extension RealmProperty: _Persistable {
  /// Reads the property.
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> RealmProperty {
    RealmProperty(object, slot)
  }

  /// Sets the property.
  public static func _$set(_ object: ObjectBase, _ slot: Int, _ value: RealmProperty) {
    Value._$set(object, slot, value.value)
  }

  /// The value of a property without a declared default.
  public static func _$default() -> RealmProperty { RealmProperty() }
  /// The schema's description of the type.
  public static var _$type: _PropertyType { Value._$type }
  /// The value as a type-erased box.
  public var _$boxed: _Boxed { value._$boxed }

  /// A value that records the properties read from it.
  public static func _$recording(_ recorder: _KeyPathRecorder) -> RealmProperty {
    RealmProperty(Value._$recording(recorder))
  }
}

extension RealmProperty: Equatable where Value: Equatable {
  /// Returns whether the values are equal.
  public static func == (left: RealmProperty, right: RealmProperty) -> Bool {
    left.value == right.value
  }
}

extension RealmProperty: CustomStringConvertible {
  /// The value as text.
  public var description: String { String(describing: value) }
}

extension RealmProperty: Decodable where Value: Decodable {
  /// Decodes the value.
  public convenience init(from decoder: any Decoder) throws {
    // Through a container: the strategies of decoders for dates and data do not apply to a value that
    // decodes itself.
    self.init(try decoder.singleValueContainer().decode(Value.self))
  }
}

extension RealmProperty: Encodable where Value: Encodable {
  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

/// The requirements of ``RealmProperty`` for queries and key paths.
public protocol _PropertyReference: _Persistable {
  /// The type of the property.
  associatedtype _$Value: _Persistable
}

extension RealmProperty: _PropertyReference {
  /// The type of the property.
  public typealias _$Value = Value
}

extension _PropertyReference {
  static var valueType: any _Persistable.Type { _$Value.self }
}

extension Query where T: _PropertyReference {
  /// The value of the property.
  public var value: Query<T._$Value> { retyped() }
}

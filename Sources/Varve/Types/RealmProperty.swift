import Synchronization
import VarveCore
import VarveEncoding

/// A property behind a reference, as older models declare optional numbers.
///
/// ```swift
/// @Persisted var age = RealmProperty<Int?>()
/// …
/// dog.age.value = 3
/// dogs.where { $0.age.value > 2 }
/// ```
///
/// `@Persisted var age: Int?` stores the same, in the same bytes, and is read without ``value``: a model may go over
/// to it whenever it likes. What older models declare by `let` is declared by `@Persisted var`.
///
/// One that an object gives stands for the property of that object, stored or not; one that is made by itself
/// holds a value of its own. Assigning one to a property takes over its value.
///
/// Thread safety: as the object's; one by itself is guarded by a lock.
public final class RealmProperty<Value: _Persistable>: Sendable {
  private let place: (object: ObjectBase, slot: Int)?
  /// The value of one that belongs to no object.
  private let own: Mutex<Value>

  /// One that belongs to no object: nil, or what the type has instead.
  public convenience init() { self.init(Value._$default()) }

  /// One that belongs to no object.
  public init(_ value: Value) {
    place = nil
    own = Mutex(value)
  }

  fileprivate init(_ object: ObjectBase, _ slot: Int) {
    place = (object, slot)
    own = Mutex(Value._$default())
  }

  /// The value; setting it is setting the property.
  public var value: Value {
    get {
      place.map { Value._$get($0.object, $0.slot) } ?? own.withLock { $0 }
    }
    set {
      if let place {
        Value._$set(place.object, place.slot, newValue)
      } else {
        own.withLock { $0 = newValue }
      }
    }
  }
}

/// As ``RealmProperty``, with the type of the value that is there.
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
  /// Whether the values are equal.
  public static func == (left: RealmProperty, right: RealmProperty) -> Bool {
    left.value == right.value
  }
}

extension RealmProperty: CustomStringConvertible {
  /// The value.
  public var description: String { String(describing: value) }
}

extension RealmProperty: Decodable where Value: Decodable {
  /// Reads the value.
  public convenience init(from decoder: any Decoder) throws { self.init(try Value(from: decoder)) }
}

extension RealmProperty: Encodable where Value: Encodable {
  /// Writes the value.
  public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

/// What queries and key paths know of a ``RealmProperty``.
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

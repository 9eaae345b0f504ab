import VarveCore
import VarveEncoding

/// A persisted type that is one value of the database. The library's conformances are all there are.
public protocol _Scalar: _Persistable, _OptionalPersistable, RealmCollectionValue {
  // What the value is made of is below the public interface: `from` and `zero` are found by the
  // requirements here.

  /// The typed value; nil when the box holds something else.
  static func _$from(_ boxed: _Boxed) -> Self?
  /// What a property reads as when its object does not exist.
  static func _$zero() -> Self
}

extension _Scalar {
  /// Sets the property.
  public static func _$set(_ object: ObjectBase, _ slot: Int, _ value: Self) {
    object._$setBoxed(slot, value._$boxed)
  }

  /// What the schema says of the optional type.
  public static var _$optionalType: _PropertyType { _$type.optional }
  /// What the schema says of the type as an element.
  public static var _$elementType: _PropertyType { _$type }

  /// The typed value; nil when the box holds something else.
  public static func _$unboxed(_ boxed: _Boxed, _ source: _ReadSource?) -> Self? { _$from(boxed) }
  /// What stands for an element that does not exist any more.
  public static func _$missing(_ source: _ReadSource?) -> Self { _$zero() }

  /// A value that records which properties are read from it.
  public static func _$recording(_ recorder: _KeyPathRecorder) -> Self { _$zero() }
  /// A value that records which properties are read from it.
  public static func _$recordingOptional(_ recorder: _KeyPathRecorder) -> Self? { _$zero() }
  /// A value that records which properties are read from it.
  public static func _$recordingElement(_ recorder: _KeyPathRecorder) -> Self { _$zero() }
}

extension Value {
  /// The integer, when it fits the type.
  func exactInt<T: FixedWidthInteger>() -> T? {
    if case .int(let value) = self { T(exactly: value) } else { nil }
  }
}

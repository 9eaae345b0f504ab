/// A persisted type that is a single value of the database. The library declares all conformances.
public protocol _Scalar: _Persistable, _OptionalPersistable, RealmCollectionValue {
  /// The value of a property whose object does not exist.
  static func _$zero() -> Self
}

extension _Scalar {
  /// Reads the property.
  @inlinable
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> Self {
    _$getOptional(object, slot) ?? _$zero()
  }

  /// Sets the property.
  public static func _$set(_ object: ObjectBase, _ slot: Int, _ value: Self) {
    object._$setBoxed(slot, value._$boxed)
  }

  /// The value of a property without a declared default.
  public static func _$default() -> Self { _$zero() }
  /// The schema's description of the optional type.
  public static var _$optionalType: _PropertyType { _$type.optional }
  /// The schema's description of the type as an element.
  public static var _$elementType: _PropertyType { _$type }

  /// A placeholder for an element that no longer exists.
  public static func _$missing(_ source: _ReadSource?) -> Self { _$zero() }

  /// A value that records the properties read from it.
  public static func _$recording(_ recorder: _KeyPathRecorder) -> Self { _$zero() }
  /// A value that records the properties read from it.
  public static func _$recordingOptional(_ recorder: _KeyPathRecorder) -> Self? { _$zero() }
  /// A value that records the properties read from it.
  public static func _$recordingElement(_ recorder: _KeyPathRecorder) -> Self { _$zero() }
}

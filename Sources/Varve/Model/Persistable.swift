import VarveCore

/// A type that a persisted property can have.
///
/// The library declares all conformances. Types of the program conform to ``PersistableEnum`` or
/// ``CustomPersistable`` instead.
public protocol _Persistable: Sendable {
  /// Reads the property.
  static func _$get(_ object: ObjectBase, _ slot: Int) -> Self
  /// Sets the property.
  static func _$set(_ object: ObjectBase, _ slot: Int, _ value: Self)
  /// The value of a property without a declared default.
  static func _$default() -> Self
  /// The schema's description of the type.
  static var _$type: _PropertyType { get }
  /// The value as a type-erased box.
  var _$boxed: _Boxed { get }
  /// A value that records the properties read from it.
  static func _$recording(_ recorder: _KeyPathRecorder) -> Self
}

/// A type that can be the wrapped type of an optional persisted property.
public protocol _OptionalPersistable: Sendable {
  /// Reads the property; nil for null.
  static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Self?
  /// The schema's description of the optional type.
  static var _$optionalType: _PropertyType { get }
  /// The value as a type-erased box.
  var _$boxed: _Boxed { get }
  /// A value that records the properties read from it.
  static func _$recordingOptional(_ recorder: _KeyPathRecorder) -> Self?
}

/// A type that lists, sets and maps can contain.
public protocol RealmCollectionValue: Hashable, Sendable {
  /// The schema's description of the type.
  static var _$elementType: _PropertyType { get }
  /// The value as a type-erased box.
  var _$boxed: _Boxed { get }
  /// The typed value; nil when the box contains a value of another type.
  static func _$unboxed(_ boxed: _Boxed, _ source: _ReadSource?) -> Self?
  /// The value of packed bits; nil if the type has no direct conversion, or the bits are of a value
  /// of another type. The value is then read from a box.
  static func _$unpacked(_ bits: _PackedBits) -> Self?
  /// A placeholder for an element that no longer exists.
  static func _$missing(_ source: _ReadSource?) -> Self
  /// The element at an index of a managed list, or a placeholder when the index is out of bounds.
  static func _$presentElement(of list: _CollectionSource, at index: Int) -> Self
  /// The next element of an iteration over a managed list; nil at the end.
  static func _$next(of walk: _ListWalk) -> Self?
  /// The value of the next entry of an iteration over a managed map; nil at the end. Its key is
  /// stored in `key`.
  static func _$next(of walk: _MapWalk, key: inout String) -> Self?
  /// An object of this class that an iteration over results created; nil for types that are not
  /// objects.
  static func _$walked(_ object: consuming ObjectBase) -> Self?
  /// The value of a managed map; nil when the key is absent.
  static func _$value(of map: _CollectionSource, forKey key: String) -> Self?
  /// A value that records the properties read from it.
  static func _$recordingElement(_ recorder: _KeyPathRecorder) -> Self
}

extension Optional: _Persistable where Wrapped: _OptionalPersistable {
  /// Reads the property.
  @inlinable
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> Self {
    Wrapped._$getOptional(object, slot)
  }

  /// Sets the property.
  @inlinable
  public static func _$set(_ object: ObjectBase, _ slot: Int, _ value: Self) {
    object._$setBoxed(slot, value._$boxed)
  }

  /// The value of a property without a declared default.
  public static func _$default() -> Self { nil }
  /// The schema's description of the type.
  public static var _$type: _PropertyType { Wrapped._$optionalType }
  /// The value as a type-erased box.
  public var _$boxed: _Boxed { self?._$boxed ?? .null }

  /// A value that records the properties read from it.
  public static func _$recording(_ recorder: _KeyPathRecorder) -> Self {
    Wrapped._$recordingOptional(recorder)
  }
}

extension Optional: RealmCollectionValue where Wrapped: RealmCollectionValue {
  /// The schema's description of the type as an element.
  public static var _$elementType: _PropertyType { Wrapped._$elementType.optional }

  /// The value as a type-erased box.
  public var _$boxed: _Boxed { self?._$boxed ?? .null }

  /// The typed value; nil when the box contains a value of another type.
  public static func _$unboxed(_ boxed: _Boxed, _ source: _ReadSource?) -> Self? {
    if boxed.isNull { return .some(nil) }
    return Wrapped._$unboxed(boxed, source).map { .some($0) }
  }

  /// A placeholder for an element that no longer exists.
  public static func _$missing(_ source: _ReadSource?) -> Self { nil }

  /// A value that records the properties read from it.
  public static func _$recordingElement(_ recorder: _KeyPathRecorder) -> Self {
    Wrapped._$recordingElement(recorder)
  }
}

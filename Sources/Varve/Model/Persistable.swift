import VarveCore

/// A type that a persisted property may have.
///
/// The conformances of the library are all there are; models need none of their own, and enumerations
/// conform through ``PersistableEnum``.
public protocol _Persistable: Sendable {
  /// Reads the property.
  static func _$get(_ object: ObjectBase, _ slot: Int) -> Self
  /// Sets the property.
  static func _$set(_ object: ObjectBase, _ slot: Int, _ value: Self)
  /// The value of a property that declares no default.
  static func _$default() -> Self
  /// What the schema says of the type.
  static var _$type: _PropertyType { get }
  /// The value without its type.
  var _$boxed: _Boxed { get }
  /// A value that records which properties are read from it.
  static func _$recording(_ recorder: _KeyPathRecorder) -> Self
}

/// A type whose optional a persisted property may have.
public protocol _OptionalPersistable: Sendable {
  /// Reads the property; nil for null.
  static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Self?
  /// What the schema says of the optional type.
  static var _$optionalType: _PropertyType { get }
  /// The value without its type.
  var _$boxed: _Boxed { get }
  /// A value that records which properties are read from it.
  static func _$recordingOptional(_ recorder: _KeyPathRecorder) -> Self?
}

/// A type that lists, sets and maps may hold.
public protocol RealmCollectionValue: Hashable, Sendable {
  /// What the schema says of the type.
  static var _$elementType: _PropertyType { get }
  /// The value without its type.
  var _$boxed: _Boxed { get }
  /// The typed value; nil when the box holds something else.
  static func _$unboxed(_ boxed: _Boxed, _ source: _ReadSource?) -> Self?
  /// What stands for an element that does not exist any more.
  static func _$missing(_ source: _ReadSource?) -> Self
  /// The element of a managed list, or what stands for one out of bounds.
  static func _$presentElement(of list: _CollectionSource, at index: Int) -> Self
  /// The next element of a walk over a managed list; nil at the end.
  static func _$next(of walk: _ListWalk) -> Self?
  /// The value of the next entry of a walk over a managed map, whose key takes the place of another; nil at the end.
  static func _$next(of walk: _MapWalk, key: inout String) -> Self?
  /// An object that a walk over results of this class made; for values none.
  static func _$walked(_ object: consuming ObjectBase) -> Self?
  /// The value of a managed map; nil when the key is absent.
  static func _$value(of map: _CollectionSource, forKey key: String) -> Self?
  /// A value that records which properties are read from it.
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

  /// The value of a property that declares no default.
  public static func _$default() -> Self { nil }
  /// What the schema says of the type.
  public static var _$type: _PropertyType { Wrapped._$optionalType }
  /// The value without its type.
  public var _$boxed: _Boxed { self?._$boxed ?? .null }

  /// A value that records which properties are read from it.
  public static func _$recording(_ recorder: _KeyPathRecorder) -> Self {
    Wrapped._$recordingOptional(recorder)
  }
}

extension Optional: RealmCollectionValue where Wrapped: RealmCollectionValue {
  /// What the schema says of the type as an element.
  public static var _$elementType: _PropertyType { Wrapped._$elementType.optional }

  /// The value without its type.
  public var _$boxed: _Boxed { self?._$boxed ?? .null }

  /// The typed value; nil when the box holds something else.
  public static func _$unboxed(_ boxed: _Boxed, _ source: _ReadSource?) -> Self? {
    if boxed.isNull { return .some(nil) }
    return Wrapped._$unboxed(boxed, source).map { .some($0) }
  }

  /// What stands for an element that does not exist any more.
  public static func _$missing(_ source: _ReadSource?) -> Self { nil }

  /// A value that records which properties are read from it.
  public static func _$recordingElement(_ recorder: _KeyPathRecorder) -> Self {
    Wrapped._$recordingElement(recorder)
  }
}

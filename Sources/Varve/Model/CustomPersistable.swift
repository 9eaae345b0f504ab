import VarveCore
import VarveEncoding

/// A type that is stored as a value of another type, in properties and collections.
///
/// ```swift
/// struct Celsius: CustomPersistable {
///   var degrees: Double
///   init(persistedValue: Double) { degrees = persistedValue }
///   var persistableValue: Double { degrees }
/// }
/// ```
///
/// The persisted type is a number, Bool, string, date, identifier or data. Files, indexes, sort
/// orders and the predicates of other programs use the stored value, which is `persistableValue`.
/// The type must be `Hashable` and `Sendable`. Its `init(persistedValue:)` should restore the
/// stored value, so that `==` in memory agrees with `==` in queries.
///
/// Queries support `==`, `!=`, `in` and order comparisons of the type, and compare the stored
/// values. `$0.temperature.persistableValue` supports all operations of the persisted type.
///
/// The value of a property without a declared default is created by `init(persistedValue:)` from 0,
/// "" or the zero value of the persisted type.
public protocol CustomPersistable: _CustomPersistable {
  /// Creates a value from a stored value.
  init(persistedValue: PersistedType)
}

/// A type that is stored as a value of another type, where some stored values are not valid.
///
/// ```swift
/// struct Slug: FailableCustomPersistable {
///   let text: String
///   init?(persistedValue: String) {
///     guard !persistedValue.contains(" ") else { return nil }
///     text = persistedValue
///   }
///   var persistableValue: String { text }
/// }
/// ```
///
/// See ``CustomPersistable``. When `init(persistedValue:)` returns nil for a value in the file, an
/// optional property or element reads as nil. Any other property or element reads as the value of a
/// property without a declared default, created from 0, "" or the zero value of the persisted type.
/// If there is no such value, a class with a property of the type that is not optional is rejected
/// with `.invalidSchema`.
public protocol FailableCustomPersistable: _CustomPersistable {
  /// Creates a value from a stored value, or returns nil when the stored value is not valid.
  init?(persistedValue: PersistedType)
}

/// A type that is stored as a value of another type. Enumerations and custom types conform to it.
public protocol _CustomPersistable: _Persistable, _OptionalPersistable, _QueryScalar,
  SortableType
{
  /// The stored type.
  associatedtype PersistedType: _Scalar
  /// The value to store.
  var persistableValue: PersistedType { get }
  /// The value for a stored value; nil when the stored value is not valid.
  static func _$make(_ stored: PersistedType) -> Self?
  /// The value of a property that was never set; nil when the type has none.
  static func _$nothing() -> Self?
  /// Sample values that distinguish a key path to a property from other key paths.
  static func _$samples() -> [_Boxed]
}

extension CustomPersistable {
  /// The value for a stored value.
  public static func _$make(_ stored: PersistedType) -> Self? { Self(persistedValue: stored) }
}

extension FailableCustomPersistable {
  /// The value for a stored value; nil when the stored value is not valid.
  public static func _$make(_ stored: PersistedType) -> Self? { Self(persistedValue: stored) }
}

extension _CustomPersistable {
  /// Reads the property.
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> Self {
    _$make(PersistedType._$get(object, slot)) ?? _$default()
  }

  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Self? {
    PersistedType._$getOptional(object, slot).flatMap(_$make)
  }

  /// Sets the property.
  public static func _$set(_ object: ObjectBase, _ slot: Int, _ value: Self) {
    object._$setBoxed(slot, value._$boxed)
  }

  /// The value of a property without a declared default.
  public static func _$default() -> Self {
    guard let value = _$nothing() else {
      Misuse.trap("Type \(Self.self) has no value for \(PersistedType._$zero()).")
    }
    return value
  }

  /// The value of a property that was never set; nil when the type has none.
  public static func _$nothing() -> Self? { _$make(PersistedType._$zero()) }

  /// Sample values that distinguish a key path to a property from other key paths.
  public static func _$samples() -> [_Boxed] {
    PersistedType._$type.kind.type.samples.compactMap { sample in
      PersistedType._$unboxed(_Boxed(sample), nil).flatMap(_$make)?._$boxed
    }
  }

  /// The schema's description of the type.
  public static var _$type: _PropertyType { described(PersistedType._$type) }
  /// The schema's description of the optional type.
  public static var _$optionalType: _PropertyType { described(PersistedType._$optionalType) }
  /// The schema's description of the type as an element.
  public static var _$elementType: _PropertyType { described(PersistedType._$elementType) }

  private static func described(_ type: _PropertyType) -> _PropertyType {
    type.restricted(
      to: { PersistedType._$unboxed(_Boxed($0), nil).flatMap(_$make) != nil },
      samples: { _$samples().compactMap(\.value) }, hasNothing: { _$nothing() != nil })
  }

  /// The value as a type-erased box.
  public var _$boxed: _Boxed { persistableValue._$boxed }

  /// The typed value; nil when the box contains a value of another type or a stored value that is
  /// not valid.
  public static func _$unboxed(_ boxed: _Boxed, _ source: _ReadSource?) -> Self? {
    PersistedType._$unboxed(boxed, source).flatMap(_$make)
  }

  /// A placeholder for an element that no longer exists.
  public static func _$missing(_ source: _ReadSource?) -> Self { _$default() }
  /// A value that records the properties read from it.
  public static func _$recording(_ recorder: _KeyPathRecorder) -> Self { _$default() }
  /// A value that records the properties read from it.
  public static func _$recordingOptional(_ recorder: _KeyPathRecorder) -> Self? { _$nothing() }
  /// A value that records the properties read from it.
  public static func _$recordingElement(_ recorder: _KeyPathRecorder) -> Self { _$default() }
}

import VarveCore
import VarveEncoding

/// A type that properties, lists and maps hold as a value of another type.
///
/// ```swift
/// struct Celsius: CustomPersistable {
///   var degrees: Double
///   init(persistedValue: Double) { degrees = persistedValue }
///   var persistableValue: Double { degrees }
/// }
/// ```
///
/// The persisted type is one that a property itself may have: a number, a text, a date, an identifier, data. What
/// is stored is `persistableValue`, so that files, indexes, sorting and the predicates of other
/// programs see that. The type has to be `Hashable` and `Sendable`. Its `init(persistedValue:)` should give back
/// what was stored: `==` in memory and in queries then agree.
///
/// In queries the type knows `==`, `!=`, `in`, and `<` and its like, which go by what is stored.
/// `$0.temperature.persistableValue` knows all that queries ask of that.
///
/// A property without a declared default has what `init(persistedValue:)` makes of 0, "", or their like.
public protocol CustomPersistable: _CustomPersistable {
  /// Makes the value of what is stored.
  init(persistedValue: PersistedType)
}

/// A type that properties, lists and maps hold as a value of another type, of which not every value stands for one.
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
/// As ``CustomPersistable``. Where `init(persistedValue:)` gives nil for what a file holds, an optional property
/// or element reads nil, any other what a property without a declared default has: what is made of 0, "", or
/// their like. A class with a property that is not optional needs that to exist: else it is refused with
/// `.invalidSchema`.
public protocol FailableCustomPersistable: _CustomPersistable {
  /// Makes the value of what is stored; nil when that stands for none.
  init?(persistedValue: PersistedType)
}

/// A type that is stored as a value of another one: what enumerations and custom types have in common.
public protocol _CustomPersistable: _Persistable, _OptionalPersistable, _QueryScalar,
  SortableType
{
  /// The type that is stored.
  associatedtype PersistedType: _Scalar
  /// What is stored.
  var persistableValue: PersistedType { get }
  /// The value that a stored one stands for; nil for none.
  static func _$make(_ stored: PersistedType) -> Self?
  /// The value that stands for nothing; nil when there is none.
  static func _$nothing() -> Self?
  /// Stored values between which key paths that do the same can be told from others.
  static func _$samples() -> [_Boxed]
}

extension CustomPersistable {
  /// The value that a stored one stands for.
  public static func _$make(_ stored: PersistedType) -> Self? { Self(persistedValue: stored) }
}

extension FailableCustomPersistable {
  /// The value that a stored one stands for; nil for none.
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

  /// The value of a property that declares no default.
  public static func _$default() -> Self {
    guard let value = _$nothing() else {
      preconditionFailure("Type \(Self.self) makes no value of \(PersistedType._$zero()).")
    }
    return value
  }

  /// The value that stands for nothing; nil when there is none.
  public static func _$nothing() -> Self? { _$make(PersistedType._$zero()) }

  /// Stored values between which key paths that do the same can be told from others.
  public static func _$samples() -> [_Boxed] {
    PersistedType._$type.kind.type.samples.compactMap { sample in
      PersistedType._$unboxed(_Boxed(sample), nil).flatMap(_$make)?._$boxed
    }
  }

  /// What the schema says of the type.
  public static var _$type: _PropertyType { described(PersistedType._$type) }
  /// What the schema says of the optional type.
  public static var _$optionalType: _PropertyType { described(PersistedType._$optionalType) }
  /// What the schema says of the type as an element.
  public static var _$elementType: _PropertyType { described(PersistedType._$elementType) }

  private static func described(_ type: _PropertyType) -> _PropertyType {
    type.knowing(
      { PersistedType._$unboxed(_Boxed($0), nil).flatMap(_$make) != nil },
      samples: { _$samples().compactMap(\.value) }, hasNothing: { _$nothing() != nil })
  }

  /// The value without its type.
  public var _$boxed: _Boxed { persistableValue._$boxed }

  /// The typed value; nil when the box holds something else, or a stored value that stands for none.
  public static func _$unboxed(_ boxed: _Boxed, _ source: _ReadSource?) -> Self? {
    PersistedType._$unboxed(boxed, source).flatMap(_$make)
  }

  /// What stands for an element that does not exist any more.
  public static func _$missing(_ source: _ReadSource?) -> Self { _$default() }
  /// A value that records which properties are read from it.
  public static func _$recording(_ recorder: _KeyPathRecorder) -> Self { _$default() }
  /// A value that records which properties are read from it.
  public static func _$recordingOptional(_ recorder: _KeyPathRecorder) -> Self? { _$nothing() }
  /// A value that records which properties are read from it.
  public static func _$recordingElement(_ recorder: _KeyPathRecorder) -> Self { _$default() }
}

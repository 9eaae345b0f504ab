import VarveEncoding

/// An enumeration with string or integer raw values that properties, lists and maps may hold.
///
/// ```swift
/// enum Priority: Int, PersistableEnum { case low, normal, high }
/// ```
///
/// In queries an enumeration knows `==`, `!=` and `in`. Its cases have no order there: `<`, `min` and
/// `max` do not compile. Sorting puts them in the order of their raw values.
///
/// The raw value is stored. One that the enumeration does not know, written by another version of the
/// program, reads as nil where the property is optional, and as the first case otherwise.
public protocol PersistableEnum: _Persistable, _OptionalPersistable, RealmCollectionValue,
  RawRepresentable, CaseIterable, SortableType
where RawValue: _Scalar {}

extension PersistableEnum {
  /// Reads the property.
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> Self {
    Self(rawValue: RawValue._$get(object, slot)) ?? _$default()
  }

  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Self? {
    RawValue._$getOptional(object, slot).flatMap(Self.init(rawValue:))
  }

  /// Sets the property.
  public static func _$set(_ object: ObjectBase, _ slot: Int, _ value: Self) {
    object._$setBoxed(slot, value._$boxed)
  }

  /// The value of a property that declares no default.
  public static func _$default() -> Self {
    guard let first = allCases.first else {
      preconditionFailure("Enumeration \(Self.self) has no case.")
    }
    return first
  }

  /// What the schema says of the type.
  public static var _$type: _PropertyType { RawValue._$type.knowing(knows, cases: caseValues) }
  /// What the schema says of the optional type.
  public static var _$optionalType: _PropertyType {
    RawValue._$optionalType.knowing(knows, cases: caseValues)
  }
  /// What the schema says of the type as an element.
  public static var _$elementType: _PropertyType {
    RawValue._$elementType.knowing(knows, cases: caseValues)
  }

  /// Whether a stored value is the raw value of a case.
  private static func knows(_ value: Value) -> Bool {
    RawValue._$from(_Boxed(value)).flatMap(Self.init(rawValue:)) != nil
  }

  private static func caseValues() -> [Value] { allCases.compactMap { $0._$boxed.value } }

  /// The value without its type.
  public var _$boxed: _Boxed { rawValue._$boxed }

  /// The typed value; nil when the box holds something else.
  public static func _$unboxed(_ boxed: _Boxed, _ source: _ReadSource?) -> Self? {
    RawValue._$unboxed(boxed, source).map { Self(rawValue: $0) ?? _$default() }
  }

  /// What stands for an element that does not exist any more.
  public static func _$missing(_ source: _ReadSource?) -> Self { _$default() }
  /// A value that records which properties are read from it.
  public static func _$recording(_ recorder: _KeyPathRecorder) -> Self { _$default() }
  /// A value that records which properties are read from it.
  public static func _$recordingOptional(_ recorder: _KeyPathRecorder) -> Self? { _$default() }
  /// A value that records which properties are read from it.
  public static func _$recordingElement(_ recorder: _KeyPathRecorder) -> Self { _$default() }
}

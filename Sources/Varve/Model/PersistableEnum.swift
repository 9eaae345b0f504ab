/// An enumeration with string or integer raw values that properties, lists and maps may hold.
///
/// ```swift
/// enum Priority: Int, PersistableEnum { case low, normal, high }
/// ```
///
/// The raw value is stored. One that the enumeration does not know, written by another version of the
/// program, reads as nil where the property is optional, and as the first case otherwise.
public protocol PersistableEnum: _Persistable, _OptionalPersistable, RealmCollectionValue,
  RawRepresentable, CaseIterable
where RawValue: _Scalar {}

extension PersistableEnum {
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> Self {
    Self(rawValue: RawValue._$get(object, slot)) ?? _$default()
  }

  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Self? {
    RawValue._$getOptional(object, slot).flatMap(Self.init(rawValue:))
  }

  public static func _$set(_ object: ObjectBase, _ slot: Int, _ value: Self) {
    object._$setBoxed(slot, value._$boxed)
  }

  public static func _$default() -> Self {
    guard let first = allCases.first else {
      preconditionFailure("Enumeration \(Self.self) has no case.")
    }
    return first
  }

  public static var _$type: _PropertyType { RawValue._$type }
  public static var _$optionalType: _PropertyType { RawValue._$optionalType }
  public static var _$elementType: _PropertyType { RawValue._$elementType }
  public var _$boxed: _Boxed { rawValue._$boxed }

  public static func _$unboxed(_ boxed: _Boxed, _ source: _ReadSource?) -> Self? {
    RawValue._$unboxed(boxed, source).map { Self(rawValue: $0) ?? _$default() }
  }

  public static func _$missing(_ source: _ReadSource?) -> Self { _$default() }
  public static func _$recording(_ recorder: _KeyPathRecorder) -> Self { _$default() }
  public static func _$recordingOptional(_ recorder: _KeyPathRecorder) -> Self? { _$default() }
  public static func _$recordingElement(_ recorder: _KeyPathRecorder) -> Self { _$default() }
}

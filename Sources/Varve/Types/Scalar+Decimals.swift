import VarveCore
import VarveEncoding

extension Decimal128: _Scalar {
  /// Reads the property.
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> Decimal128 {
    object.cell.isTied
      ? object.cell.decimal(slot).map(Decimal128.init) ?? _$zero()
      : from(object.unmanagedValue(slot)) ?? _$zero()
  }

  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Decimal128? {
    object.cell.isTied
      ? object.cell.decimal(slot).map(Decimal128.init) : from(object.unmanagedValue(slot))
  }

  /// What the schema says of the type.
  public static var _$type: _PropertyType { _PropertyType(.decimal128) }
  /// The value of a property that declares no default.
  public static func _$default() -> Decimal128 { Decimal128() }
  /// The value without its type.
  public var _$boxed: _Boxed { _Boxed(.decimal(bits)) }

  /// What a property reads as when its object does not exist.
  public static func _$zero() -> Decimal128 { Decimal128() }

  /// The typed value; nil when the box holds something else.
  public static func _$from(_ boxed: _Boxed) -> Decimal128? { boxed.value.flatMap(from) }

  static func from(_ value: Value) -> Decimal128? {
    if case .decimal(let value) = value { Decimal128(value) } else { nil }
  }
}

import VarveCore
import VarveEncoding

extension Bool: _Scalar {
  /// Reads the property.
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> Bool {
    object.cell.isTied
      ? object.cell.bool(slot) ?? _$zero() : from(object.unmanagedValue(slot)) ?? _$zero()
  }

  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Bool? {
    object.cell.isTied ? object.cell.bool(slot) : from(object.unmanagedValue(slot))
  }

  /// What the schema says of the type.
  public static var _$type: _PropertyType { _PropertyType(.bool) }
  /// The value of a property that declares no default.
  public static func _$default() -> Bool { false }
  /// The value without its type.
  public var _$boxed: _Boxed { _Boxed(.bool(self)) }

  /// What a property reads as when its object does not exist.
  public static func _$zero() -> Bool { false }

  /// The typed value; nil when the box holds something else.
  public static func _$from(_ boxed: _Boxed) -> Bool? { boxed.value.flatMap(from) }

  static func from(_ value: Value) -> Bool? {
    if case .bool(let value) = value { value } else { nil }
  }
}

extension Float: _Scalar {
  /// Reads the property.
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> Float {
    object.cell.isTied
      ? object.cell.float(slot) ?? _$zero() : from(object.unmanagedValue(slot)) ?? _$zero()
  }

  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Float? {
    object.cell.isTied ? object.cell.float(slot) : from(object.unmanagedValue(slot))
  }

  /// What the schema says of the type.
  public static var _$type: _PropertyType { _PropertyType(.float) }
  /// The value of a property that declares no default.
  public static func _$default() -> Float { 0 }
  /// The value without its type.
  public var _$boxed: _Boxed { _Boxed(.float(self)) }

  /// What a property reads as when its object does not exist.
  public static func _$zero() -> Float { 0 }

  /// The typed value; nil when the box holds something else.
  public static func _$from(_ boxed: _Boxed) -> Float? { boxed.value.flatMap(from) }

  static func from(_ value: Value) -> Float? {
    if case .float(let value) = value { value } else { nil }
  }
}

extension Double: _Scalar {
  /// Reads the property.
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> Double {
    object.cell.isTied
      ? object.cell.double(slot) ?? _$zero() : from(object.unmanagedValue(slot)) ?? _$zero()
  }

  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Double? {
    object.cell.isTied ? object.cell.double(slot) : from(object.unmanagedValue(slot))
  }

  /// What the schema says of the type.
  public static var _$type: _PropertyType { _PropertyType(.double) }
  /// The value of a property that declares no default.
  public static func _$default() -> Double { 0 }
  /// The value without its type.
  public var _$boxed: _Boxed { _Boxed(.double(self)) }

  /// What a property reads as when its object does not exist.
  public static func _$zero() -> Double { 0 }

  /// The typed value; nil when the box holds something else.
  public static func _$from(_ boxed: _Boxed) -> Double? { boxed.value.flatMap(from) }

  static func from(_ value: Value) -> Double? {
    if case .double(let value) = value { value } else { nil }
  }
}

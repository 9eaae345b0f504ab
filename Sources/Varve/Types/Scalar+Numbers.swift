import VarveCore
import VarveEncoding

extension Bool: _Scalar {
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> Bool {
    object.cell.isTied
      ? object.cell.bool(slot) ?? _$zero() : from(object.unmanagedValue(slot)) ?? _$zero()
  }

  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Bool? {
    object.cell.isTied ? object.cell.bool(slot) : from(object.unmanagedValue(slot))
  }

  public static var _$type: _PropertyType { _PropertyType(.bool) }
  public static func _$default() -> Bool { false }
  public var _$boxed: _Boxed { _Boxed(.bool(self)) }

  public static func _$zero() -> Bool { false }

  public static func _$from(_ boxed: _Boxed) -> Bool? { boxed.value.flatMap(from) }

  static func from(_ value: Value) -> Bool? {
    if case .bool(let value) = value { value } else { nil }
  }
}

extension Float: _Scalar {
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> Float {
    object.cell.isTied
      ? object.cell.float(slot) ?? _$zero() : from(object.unmanagedValue(slot)) ?? _$zero()
  }

  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Float? {
    object.cell.isTied ? object.cell.float(slot) : from(object.unmanagedValue(slot))
  }

  public static var _$type: _PropertyType { _PropertyType(.float) }
  public static func _$default() -> Float { 0 }
  public var _$boxed: _Boxed { _Boxed(.float(self)) }

  public static func _$zero() -> Float { 0 }

  public static func _$from(_ boxed: _Boxed) -> Float? { boxed.value.flatMap(from) }

  static func from(_ value: Value) -> Float? {
    if case .float(let value) = value { value } else { nil }
  }
}

extension Double: _Scalar {
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> Double {
    object.cell.isTied
      ? object.cell.double(slot) ?? _$zero() : from(object.unmanagedValue(slot)) ?? _$zero()
  }

  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Double? {
    object.cell.isTied ? object.cell.double(slot) : from(object.unmanagedValue(slot))
  }

  public static var _$type: _PropertyType { _PropertyType(.double) }
  public static func _$default() -> Double { 0 }
  public var _$boxed: _Boxed { _Boxed(.double(self)) }

  public static func _$zero() -> Double { 0 }

  public static func _$from(_ boxed: _Boxed) -> Double? { boxed.value.flatMap(from) }

  static func from(_ value: Value) -> Double? {
    if case .double(let value) = value { value } else { nil }
  }
}

import VarveCore
import VarveEncoding

extension Bool: _Scalar {
  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Bool? {
    object.handle.isManaged ? object.handle.bool(slot) : _$unboxed(object.unmanagedBox(slot), nil)
  }

  /// The schema's description of the type.
  public static var _$type: _PropertyType { _PropertyType(.bool) }
  /// The value as a type-erased box.
  public var _$boxed: _Boxed { _Boxed(.bool(self)) }
  /// The value of a property whose object does not exist.
  public static func _$zero() -> Bool { false }

  /// The typed value; nil when the box contains a value of another type.
  public static func _$unboxed(_ boxed: _Boxed, _ source: _ReadSource?) -> Bool? {
    if case .value(.bool(let value)) = boxed.content { value } else { nil }
  }
}

extension Float: _Scalar {
  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Float? {
    object.handle.isManaged ? object.handle.float(slot) : _$unboxed(object.unmanagedBox(slot), nil)
  }

  /// The schema's description of the type.
  public static var _$type: _PropertyType { _PropertyType(.float) }
  /// The value as a type-erased box.
  public var _$boxed: _Boxed { _Boxed(.float(self)) }
  /// The value of a property whose object does not exist.
  public static func _$zero() -> Float { 0 }

  /// The typed value; nil when the box contains a value of another type.
  public static func _$unboxed(_ boxed: _Boxed, _ source: _ReadSource?) -> Float? {
    if case .value(.float(let value)) = boxed.content { value } else { nil }
  }
}

extension Double: _Scalar {
  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Double? {
    object.handle.isManaged ? object.handle.double(slot) : _$unboxed(object.unmanagedBox(slot), nil)
  }

  /// The schema's description of the type.
  public static var _$type: _PropertyType { _PropertyType(.double) }
  /// The value as a type-erased box.
  public var _$boxed: _Boxed { _Boxed(.double(self)) }
  /// The value of a property whose object does not exist.
  public static func _$zero() -> Double { 0 }

  /// The typed value; nil when the box contains a value of another type.
  public static func _$unboxed(_ boxed: _Boxed, _ source: _ReadSource?) -> Double? {
    if case .value(.double(let value)) = boxed.content { value } else { nil }
  }

  /// The value of packed bits; nil if they are not of a double.
  @inline(__always)
  public static func _$unpacked(_ bits: _PackedBits) -> Double? {
    bits.type == .double ? Double(bitPattern: bits.bits) : nil
  }
}

extension Decimal128: _Scalar {
  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Decimal128? {
    object.handle.isManaged
      ? object.handle.decimal(slot).map(Decimal128.init)
      : _$unboxed(object.unmanagedBox(slot), nil)
  }

  /// The schema's description of the type.
  public static var _$type: _PropertyType { _PropertyType(.decimal128) }
  /// The value as a type-erased box.
  public var _$boxed: _Boxed { _Boxed(.decimal(bits)) }
  /// The value of a property whose object does not exist.
  public static func _$zero() -> Decimal128 { Decimal128() }

  /// The typed value; nil when the box contains a value of another type.
  public static func _$unboxed(_ boxed: _Boxed, _ source: _ReadSource?) -> Decimal128? {
    if case .value(.decimal(let value)) = boxed.content { Decimal128(value) } else { nil }
  }
}

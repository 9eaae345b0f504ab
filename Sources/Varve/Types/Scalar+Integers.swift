import VarveCore
import VarveEncoding

extension _Scalar where Self: FixedWidthInteger {
  /// The value as a type-erased box.
  @inlinable public var _$boxed: _Boxed { _Boxed(integer: Int64(self)) }
  /// The value of a property whose object does not exist.
  @inlinable
  public static func _$zero() -> Self { 0 }

  /// The typed value; nil when the box contains a value of another type, or an integer that does
  /// not fit.
  @inlinable
  public static func _$unboxed(_ boxed: _Boxed, _ source: _ReadSource?) -> Self? {
    boxed.integer.flatMap { Self(exactly: $0) }
  }
}

extension _Scalar where Self: FixedWidthInteger {
  /// The value of packed bits; nil if they are not of an integer.
  @inline(__always)
  public static func _$unpacked(_ bits: _PackedBits) -> Self? {
    bits.type.isInteger ? Self(exactly: Int64(bitPattern: bits.bits)) : nil
  }
}

extension Int: _Scalar {
  /// Reads the property. Not inlined: returning an optional from another module costs a program 10
  /// more instructions.
  @inline(never)
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> Int {
    _$getOptional(object, slot) ?? 0
  }

  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Int? {
    object.handle.isManaged
      ? object.handle.int64(slot).map { Int(truncatingIfNeeded: $0) }
      : _$unboxed(object.unmanagedBox(slot), nil)
  }

  /// The schema's description of the type.
  public static var _$type: _PropertyType { _PropertyType(.int64) }
}

extension Int8: _Scalar {
  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Int8? {
    object.handle.isManaged ? object.handle.int8(slot) : _$unboxed(object.unmanagedBox(slot), nil)
  }

  /// The schema's description of the type.
  public static var _$type: _PropertyType { _PropertyType(.int8) }
}

extension Int16: _Scalar {
  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Int16? {
    object.handle.isManaged ? object.handle.int16(slot) : _$unboxed(object.unmanagedBox(slot), nil)
  }

  /// The schema's description of the type.
  public static var _$type: _PropertyType { _PropertyType(.int16) }
}

extension Int32: _Scalar {
  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Int32? {
    object.handle.isManaged ? object.handle.int32(slot) : _$unboxed(object.unmanagedBox(slot), nil)
  }

  /// The schema's description of the type.
  public static var _$type: _PropertyType { _PropertyType(.int32) }
}

extension Int64: _Scalar {
  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Int64? {
    object.handle.isManaged ? object.handle.int64(slot) : _$unboxed(object.unmanagedBox(slot), nil)
  }

  /// The schema's description of the type.
  public static var _$type: _PropertyType {
    _PropertyType(PropertyKind(type: .int64), isInt64: true)
  }
}

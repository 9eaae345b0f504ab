import VarveCore
import VarveEncoding

extension Int: _Scalar {
  /// Reads the property.
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> Int {
    object.cell.isTied
      ? object.cell.int64(slot).map { Int(truncatingIfNeeded: $0) } ?? _$zero()
      : from(object.unmanagedValue(slot)) ?? _$zero()
  }

  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Int? {
    object.cell.isTied
      ? object.cell.int64(slot).map { Int(truncatingIfNeeded: $0) }
      : from(object.unmanagedValue(slot))
  }

  /// What the schema says of the type.
  public static var _$type: _PropertyType { _PropertyType(.int64) }
  /// The value of a property that declares no default.
  public static func _$default() -> Int { 0 }
  /// The value without its type.
  public var _$boxed: _Boxed { _Boxed(.int(Int64(self))) }

  /// What a property reads as when its object does not exist.
  public static func _$zero() -> Int { 0 }

  /// The typed value; nil when the box holds something else.
  public static func _$from(_ boxed: _Boxed) -> Int? { boxed.value.flatMap(from) }

  static func from(_ value: Value) -> Int? {
    value.exactInt()
  }
}

extension Int8: _Scalar {
  /// Reads the property.
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> Int8 {
    object.cell.isTied
      ? object.cell.int8(slot) ?? _$zero() : from(object.unmanagedValue(slot)) ?? _$zero()
  }

  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Int8? {
    object.cell.isTied ? object.cell.int8(slot) : from(object.unmanagedValue(slot))
  }

  /// What the schema says of the type.
  public static var _$type: _PropertyType { _PropertyType(.int8) }
  /// The value of a property that declares no default.
  public static func _$default() -> Int8 { 0 }
  /// The value without its type.
  public var _$boxed: _Boxed { _Boxed(.int(Int64(self))) }

  /// What a property reads as when its object does not exist.
  public static func _$zero() -> Int8 { 0 }

  /// The typed value; nil when the box holds something else.
  public static func _$from(_ boxed: _Boxed) -> Int8? { boxed.value.flatMap(from) }

  static func from(_ value: Value) -> Int8? {
    value.exactInt()
  }
}

extension Int16: _Scalar {
  /// Reads the property.
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> Int16 {
    object.cell.isTied
      ? object.cell.int16(slot) ?? _$zero() : from(object.unmanagedValue(slot)) ?? _$zero()
  }

  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Int16? {
    object.cell.isTied ? object.cell.int16(slot) : from(object.unmanagedValue(slot))
  }

  /// What the schema says of the type.
  public static var _$type: _PropertyType { _PropertyType(.int16) }
  /// The value of a property that declares no default.
  public static func _$default() -> Int16 { 0 }
  /// The value without its type.
  public var _$boxed: _Boxed { _Boxed(.int(Int64(self))) }

  /// What a property reads as when its object does not exist.
  public static func _$zero() -> Int16 { 0 }

  /// The typed value; nil when the box holds something else.
  public static func _$from(_ boxed: _Boxed) -> Int16? { boxed.value.flatMap(from) }

  static func from(_ value: Value) -> Int16? {
    value.exactInt()
  }
}

extension Int32: _Scalar {
  /// Reads the property.
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> Int32 {
    object.cell.isTied
      ? object.cell.int32(slot) ?? _$zero() : from(object.unmanagedValue(slot)) ?? _$zero()
  }

  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Int32? {
    object.cell.isTied ? object.cell.int32(slot) : from(object.unmanagedValue(slot))
  }

  /// What the schema says of the type.
  public static var _$type: _PropertyType { _PropertyType(.int32) }
  /// The value of a property that declares no default.
  public static func _$default() -> Int32 { 0 }
  /// The value without its type.
  public var _$boxed: _Boxed { _Boxed(.int(Int64(self))) }

  /// What a property reads as when its object does not exist.
  public static func _$zero() -> Int32 { 0 }

  /// The typed value; nil when the box holds something else.
  public static func _$from(_ boxed: _Boxed) -> Int32? { boxed.value.flatMap(from) }

  static func from(_ value: Value) -> Int32? {
    value.exactInt()
  }
}

extension Int64: _Scalar {
  /// Reads the property.
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> Int64 {
    object.cell.isTied
      ? object.cell.int64(slot) ?? _$zero() : from(object.unmanagedValue(slot)) ?? _$zero()
  }

  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Int64? {
    object.cell.isTied ? object.cell.int64(slot) : from(object.unmanagedValue(slot))
  }

  /// What the schema says of the type.
  public static var _$type: _PropertyType {
    _PropertyType(PropertyKind(type: .int64), isInt64: true)
  }
  /// The value of a property that declares no default.
  public static func _$default() -> Int64 { 0 }
  /// The value without its type.
  public var _$boxed: _Boxed { _Boxed(.int(self)) }

  /// What a property reads as when its object does not exist.
  public static func _$zero() -> Int64 { 0 }

  /// The typed value; nil when the box holds something else.
  public static func _$from(_ boxed: _Boxed) -> Int64? { boxed.value.flatMap(from) }

  static func from(_ value: Value) -> Int64? {
    value.exactInt()
  }
}

import VarveCore
public import Foundation
import VarveEncoding

extension String: _Scalar {
  /// Reads the property.
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> String {
    object.cell.isTied
      ? object.cell.string(slot) ?? _$zero() : from(object.unmanagedValue(slot)) ?? _$zero()
  }

  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> String? {
    object.cell.isTied ? object.cell.string(slot) : from(object.unmanagedValue(slot))
  }

  /// What the schema says of the type.
  public static var _$type: _PropertyType { _PropertyType(.string) }
  /// The value of a property that declares no default.
  public static func _$default() -> String { "" }
  /// The value without its type.
  public var _$boxed: _Boxed { _Boxed(.string(self)) }

  /// What a property reads as when its object does not exist.
  public static func _$zero() -> String { "" }

  /// The typed value; nil when the box holds something else.
  public static func _$from(_ boxed: _Boxed) -> String? { boxed.value.flatMap(from) }

  static func from(_ value: Value) -> String? {
    if case .string(let value) = value { value } else { nil }
  }
}

extension Data: _Scalar {
  /// Reads the property.
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> Data {
    object.cell.isTied
      ? object.cell.data(slot) ?? _$zero() : from(object.unmanagedValue(slot)) ?? _$zero()
  }

  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Data? {
    object.cell.isTied ? object.cell.data(slot) : from(object.unmanagedValue(slot))
  }

  /// What the schema says of the type.
  public static var _$type: _PropertyType { _PropertyType(.data) }
  /// The value of a property that declares no default.
  public static func _$default() -> Data { Data() }
  /// The value without its type.
  public var _$boxed: _Boxed { _Boxed(.data(self)) }

  /// What a property reads as when its object does not exist.
  public static func _$zero() -> Data { Data() }

  /// The typed value; nil when the box holds something else.
  public static func _$from(_ boxed: _Boxed) -> Data? { boxed.value.flatMap(from) }

  static func from(_ value: Value) -> Data? {
    if case .data(let value) = value { value } else { nil }
  }
}

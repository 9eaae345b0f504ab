import VarveCore
public import Foundation
import VarveEncoding

extension String: _Scalar {
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> String {
    object.cell.isTied
      ? object.cell.string(slot) ?? _$zero() : from(object.unmanagedValue(slot)) ?? _$zero()
  }

  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> String? {
    object.cell.isTied ? object.cell.string(slot) : from(object.unmanagedValue(slot))
  }

  public static var _$type: _PropertyType { _PropertyType(.string) }
  public static func _$default() -> String { "" }
  public var _$boxed: _Boxed { _Boxed(.string(self)) }

  public static func _$zero() -> String { "" }

  public static func _$from(_ boxed: _Boxed) -> String? { boxed.value.flatMap(from) }

  static func from(_ value: Value) -> String? {
    if case .string(let value) = value { value } else { nil }
  }
}

extension Data: _Scalar {
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> Data {
    object.cell.isTied
      ? from(object.cell.value(slot)) ?? _$zero() : from(object.unmanagedValue(slot)) ?? _$zero()
  }

  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Data? {
    object.cell.isTied ? from(object.cell.value(slot)) : from(object.unmanagedValue(slot))
  }

  public static var _$type: _PropertyType { _PropertyType(.data) }
  public static func _$default() -> Data { Data() }
  public var _$boxed: _Boxed { _Boxed(.data(self)) }

  public static func _$zero() -> Data { Data() }

  public static func _$from(_ boxed: _Boxed) -> Data? { boxed.value.flatMap(from) }

  static func from(_ value: Value) -> Data? {
    if case .data(let value) = value { value } else { nil }
  }
}

import VarveCore
public import Foundation
import VarveEncoding

extension String: _Scalar {
  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> String? {
    object.handle.isManaged ? object.handle.string(slot) : _$unboxed(object.unmanagedBox(slot), nil)
  }

  /// The schema's description of the type.
  public static var _$type: _PropertyType { _PropertyType(.string) }
  /// The value as a type-erased box.
  public var _$boxed: _Boxed { _Boxed(.string(self)) }
  /// The value of a property whose object does not exist.
  public static func _$zero() -> String { "" }

  /// The typed value; nil when the box contains a value of another type.
  public static func _$unboxed(_ boxed: _Boxed, _ source: _ReadSource?) -> String? {
    if case .value(.string(let value)) = boxed.content { value } else { nil }
  }
}

extension Data: _Scalar {
  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Data? {
    object.handle.isManaged ? object.handle.data(slot) : _$unboxed(object.unmanagedBox(slot), nil)
  }

  /// The schema's description of the type.
  public static var _$type: _PropertyType { _PropertyType(.data) }
  /// The value as a type-erased box.
  public var _$boxed: _Boxed { _Boxed(.data(self)) }
  /// The value of a property whose object does not exist.
  public static func _$zero() -> Data { Data() }

  /// The typed value; nil when the box contains a value of another type.
  public static func _$unboxed(_ boxed: _Boxed, _ source: _ReadSource?) -> Data? {
    if case .value(.data(let value)) = boxed.content { value } else { nil }
  }
}

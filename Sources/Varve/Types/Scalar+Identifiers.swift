import VarveCore
public import Foundation
import VarveEncoding

extension Date: _Scalar {
  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Date? {
    object.handle.isManaged ? object.handle.date(slot) : _$unboxed(object.unmanagedBox(slot), nil)
  }

  /// The schema's description of the type.
  public static var _$type: _PropertyType { _PropertyType(.date) }
  /// The value as a type-erased box.
  public var _$boxed: _Boxed { _Boxed(.date(self)) }
  /// The value of a property whose object does not exist.
  public static func _$zero() -> Date { Date(timeIntervalSince1970: 0) }

  /// The typed value; nil when the box contains a value of another type.
  public static func _$unboxed(_ boxed: _Boxed, _ source: _ReadSource?) -> Date? {
    if case .value(.date(let value)) = boxed.content { value } else { nil }
  }
}

extension UUID: _Scalar {
  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> UUID? {
    object.handle.isManaged ? object.handle.uuid(slot) : _$unboxed(object.unmanagedBox(slot), nil)
  }

  /// The schema's description of the type.
  public static var _$type: _PropertyType { _PropertyType(.uuid) }
  /// The value of a property without a declared default.
  public static func _$default() -> UUID { UUID() }
  /// The value as a type-erased box.
  public var _$boxed: _Boxed { _Boxed(.uuid(self)) }
  /// The value of a property whose object does not exist.
  public static func _$zero() -> UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }

  /// The typed value; nil when the box contains a value of another type.
  public static func _$unboxed(_ boxed: _Boxed, _ source: _ReadSource?) -> UUID? {
    if case .value(.uuid(let value)) = boxed.content { value } else { nil }
  }
}

extension ObjectId: _Scalar {
  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> ObjectId? {
    object.handle.isManaged
      ? object.handle.objectId(slot).map(ObjectId.init)
      : _$unboxed(object.unmanagedBox(slot), nil)
  }

  /// The schema's description of the type.
  public static var _$type: _PropertyType { _PropertyType(.objectId) }
  /// The value of a property without a declared default.
  public static func _$default() -> ObjectId { ObjectId.generate() }
  /// The value as a type-erased box.
  public var _$boxed: _Boxed { _Boxed(.objectId(bytes)) }
  /// The value of a property whose object does not exist.
  public static func _$zero() -> ObjectId { ObjectId(.zero) }

  /// The typed value; nil when the box contains a value of another type.
  public static func _$unboxed(_ boxed: _Boxed, _ source: _ReadSource?) -> ObjectId? {
    if case .value(.objectId(let value)) = boxed.content { ObjectId(value) } else { nil }
  }
}

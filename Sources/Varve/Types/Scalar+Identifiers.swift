import VarveCore
public import Foundation
import VarveEncoding

extension Date: _Scalar {
  /// Reads the property.
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> Date {
    object.cell.isTied
      ? object.cell.date(slot) ?? _$zero() : from(object.unmanagedValue(slot)) ?? _$zero()
  }

  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Date? {
    object.cell.isTied ? object.cell.date(slot) : from(object.unmanagedValue(slot))
  }

  /// What the schema says of the type.
  public static var _$type: _PropertyType { _PropertyType(.date) }
  /// The value of a property that declares no default.
  public static func _$default() -> Date { Date(timeIntervalSince1970: 0) }
  /// The value without its type.
  public var _$boxed: _Boxed { _Boxed(.date(self)) }

  /// What a property reads as when its object does not exist.
  public static func _$zero() -> Date { Date(timeIntervalSince1970: 0) }

  /// The typed value; nil when the box holds something else.
  public static func _$from(_ boxed: _Boxed) -> Date? { boxed.value.flatMap(from) }

  static func from(_ value: Value) -> Date? {
    if case .date(let value) = value { value } else { nil }
  }
}

extension UUID: _Scalar {
  /// Reads the property.
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> UUID {
    object.cell.isTied
      ? object.cell.uuid(slot) ?? _$zero() : from(object.unmanagedValue(slot)) ?? _$zero()
  }

  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> UUID? {
    object.cell.isTied ? object.cell.uuid(slot) : from(object.unmanagedValue(slot))
  }

  /// What the schema says of the type.
  public static var _$type: _PropertyType { _PropertyType(.uuid) }
  /// The value of a property that declares no default.
  public static func _$default() -> UUID { UUID() }
  /// The value without its type.
  public var _$boxed: _Boxed { _Boxed(.uuid(self)) }

  /// What a property reads as when its object does not exist.
  public static func _$zero() -> UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }

  /// The typed value; nil when the box holds something else.
  public static func _$from(_ boxed: _Boxed) -> UUID? { boxed.value.flatMap(from) }

  static func from(_ value: Value) -> UUID? {
    if case .uuid(let value) = value { value } else { nil }
  }
}

extension ObjectId: _Scalar {
  /// Reads the property.
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> ObjectId {
    object.cell.isTied
      ? object.cell.objectId(slot).map(ObjectId.init) ?? _$zero()
      : from(object.unmanagedValue(slot)) ?? _$zero()
  }

  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> ObjectId? {
    object.cell.isTied
      ? object.cell.objectId(slot).map(ObjectId.init) : from(object.unmanagedValue(slot))
  }

  /// What the schema says of the type.
  public static var _$type: _PropertyType { _PropertyType(.objectId) }
  /// The value of a property that declares no default.
  public static func _$default() -> ObjectId { ObjectId.generate() }
  /// The value without its type.
  public var _$boxed: _Boxed { _Boxed(.objectId(bytes)) }

  /// What a property reads as when its object does not exist.
  public static func _$zero() -> ObjectId { ObjectId(.zero) }

  /// The typed value; nil when the box holds something else.
  public static func _$from(_ boxed: _Boxed) -> ObjectId? { boxed.value.flatMap(from) }

  static func from(_ value: Value) -> ObjectId? {
    if case .objectId(let value) = value { ObjectId(value) } else { nil }
  }
}

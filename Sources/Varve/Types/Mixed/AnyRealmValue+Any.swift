import Foundation
import VarveEncoding

extension AnyRealmValue {
  /// A value of any type that can be stored, as `init(value:)` takes it; nil for others.
  ///
  /// Numbers of `JSONSerialization`, which are `NSNumber`, are a Bool, an integer where they are one, or a Double.
  init?(any part: Any) {
    let part = Value.unwrapped(part)
    if let value = part as? AnyRealmValue {
      self = value
    } else if Value.isNull(part) {
      self = .none
    } else if let object = Value.instance(part) as? Object {
      self = .object(object)
    } else if let value = AnyRealmValue.scalar(part) {
      self.init(value, nil)
    } else {
      return nil
    }
  }

  /// What is one value of the database.
  private static func scalar(_ part: Any) -> Value? {
    if let bool = Value.converting(part, to: .bool) { return bool }
    // An `NSNumber` casts to any number.
    if Value.instance(part) == nil {
      if part is Float { return Value.converting(part, to: .float) }
      if part is any BinaryFloatingPoint { return Value.converting(part, to: .double) }
    }
    for type in [VarveEncoding.PropertyType.int64, .double, .data, .date] {
      if let value = Value.converting(part, to: type) { return value }
    }
    // Their spelling in a string is a string.
    if part is Decimal128 { return Value.converting(part, to: .decimal128) }
    if part is UUID { return Value.converting(part, to: .uuid) }
    if part is ObjectId { return Value.converting(part, to: .objectId) }
    return Value.converting(part, to: .string)
  }
}

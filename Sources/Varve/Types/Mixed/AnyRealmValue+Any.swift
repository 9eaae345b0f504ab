import Foundation
import VarveEncoding

extension AnyRealmValue {
  /// Creates a value from any type that can be stored, as accepted by `init(value:)`. Returns nil
  /// for other types.
  ///
  /// `NSNumber`, as returned by `JSONSerialization`, becomes a Bool, an integer if it is integral,
  /// or a Double.
  init?(any part: Any) {
    let part = VarveEncoding.Value.unwrapped(part)
    if let value = part as? AnyRealmValue {
      self = value
    } else if VarveEncoding.Value.isNull(part) {
      self = .none
    } else if let object = VarveEncoding.Value.instance(part) as? Object {
      self = .object(object)
    } else if let value = AnyRealmValue.scalar(part) {
      self.init(value, nil)
    } else {
      return nil
    }
  }

  /// Converts a value that is not an object or a collection.
  private static func scalar(_ part: Any) -> VarveEncoding.Value? {
    if let bool = VarveEncoding.Value.plainBool(part) { return .bool(bool) }
    if part is Decimal128 || part is Decimal {
      return VarveEncoding.Value.converting(part, to: .decimal128)
    }
    // An `NSNumber` casts to any number type.
    if VarveEncoding.Value.instance(part) == nil {
      if part is Float { return VarveEncoding.Value.converting(part, to: .float) }
      if part is any BinaryFloatingPoint {
        return VarveEncoding.Value.converting(part, to: .double)
      }
    }
    for type in [VarveEncoding.PropertyType.int64, .double, .data, .date] {
      if let value = VarveEncoding.Value.converting(part, to: type) { return value }
    }
    // The text form of these identifiers remains a string.
    if part is UUID { return VarveEncoding.Value.converting(part, to: .uuid) }
    if part is ObjectId { return VarveEncoding.Value.converting(part, to: .objectId) }
    return VarveEncoding.Value.converting(part, to: .string)
  }
}

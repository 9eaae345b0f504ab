import Foundation
import VarveCore
import VarveEncoding

extension Value {
  /// The value as its Swift type.
  var any: Any {
    switch self {
    case .null: NSNull()
    case .bool(let value): value
    case .int(let value): Int(truncatingIfNeeded: value)
    case .float(let value): value
    case .double(let value): value
    case .string(let value): value
    case .data(let value): value
    case .date(let value): value
    case .uuid(let value): value
    case .objectId(let value): ObjectId(value)
    case .decimal(let value): Decimal128(value)
    case .link, .nested: NSNull()
    }
  }

  /// Converts a value of any type to a value of a property type. Returns nil when it does not fit.
  ///
  /// `NSNumber`, as returned by `JSONSerialization`, is accepted when the conversion is exact. The
  /// integers 0 and 1 are also accepted as Bool, but a Bool is not accepted as a number.
  static func converting(_ part: Any, to type: VarveEncoding.PropertyType) -> Value? {
    if let value = direct(part, to: type) { return value }
    guard let custom = part as? any _CustomPersistable, let stored = custom._$boxed.value else {
      return nil
    }
    return direct(stored.any, to: type)
  }

  private static func direct(_ part: Any, to type: VarveEncoding.PropertyType) -> Value? {
    switch type {
    case .bool: bool(part).map(Value.bool)
    case .int8, .int16, .int32, .int64: integer(part).map(Value.int)
    case .float: double(part).flatMap(float).map(Value.float)
    case .double: double(part).map(Value.double)
    case .string:
      (part as? String ?? (part as? any StringProtocol).map { String($0) }).map(Value.string)
    case .data: (part as? Data).map(Value.data)
    case .date: (part as? Date ?? (part as? String).flatMap(Date.init(iso8601:))).map(Value.date)
    case .uuid: (part as? UUID ?? (part as? String).flatMap(UUID.init(uuidString:))).map(Value.uuid)
    case .objectId:
      (part as? ObjectId ?? (part as? String).flatMap { ObjectId($0) }).map { .objectId($0.bytes) }
    case .decimal128: decimal(part).map { .decimal($0.bits) }
    case .mixed, .link: nil
    }
  }

  /// Unwraps an optional, however deeply it is nested. Returns `NSNull` for nil.
  static func unwrapped(_ part: Any) -> Any {
    guard let optional = part as? any OptionalValue else { return part }
    return optional.unwrapped.map(unwrapped) ?? NSNull()
  }

  /// Whether a value that is not an optional represents null.
  static func isNull(_ part: Any) -> Bool { instance(part) is NSNull }

  /// Returns the value if it is an instance of a class, otherwise nil.
  ///
  /// Use it before a cast to a class: on a dictionary or an array, such a cast would bridge the
  /// collection and all its contents to Foundation objects.
  static func instance(_ part: Any) -> AnyObject? {
    Swift.type(of: part) is AnyClass ? part as AnyObject : nil
  }

  /// Returns the value of a Bool or of an `NSNumber` created from one; otherwise nil.
  static func plainBool(_ part: Any) -> Bool? {
    if Swift.type(of: part) == Bool.self { return part as? Bool }
    return number(part).flatMap { isBoolean($0) ? $0.boolValue : nil }
  }

  private static func bool(_ part: Any) -> Bool? {
    if let bool = plainBool(part) { return bool }
    if let number = number(part) {
      if ["f", "d"].contains(String(cString: number.objCType)) || number is NSDecimalNumber {
        return nil
      }
    } else if !(part is any BinaryInteger) {
      return nil
    }
    return switch integer(part) {
    case 0: false
    case 1: true
    default: nil
    }
  }

  private static func integer(_ part: Any) -> Int64? {
    if Swift.type(of: part) == Bool.self { return nil }
    if let number = number(part) {
      if isBoolean(number) { return nil }
      return Int64(exactly: number)
    }
    if let integer = part as? any BinaryInteger { return Int64(exactly: integer) }
    if let number = part as? any BinaryFloatingPoint { return Int64(exactly: Double(number)) }
    return nil
  }

  private static func double(_ part: Any) -> Double? {
    if Swift.type(of: part) == Bool.self { return nil }
    // Before the other casts, because an `NSNumber` of a Bool casts to any number.
    if let number = number(part) { return isBoolean(number) ? nil : double(number) }
    if let number = part as? any BinaryFloatingPoint { return Double(number) }
    if let integer = part as? any BinaryInteger { return exact(integer) }
    return nil
  }

  /// Returns nil for an integer that a Double cannot represent exactly.
  private static func double(_ number: NSNumber) -> Double? {
    switch String(cString: number.objCType) {
    case "f", "d": number.doubleValue
    case "Q": Double(exactly: number.uint64Value)
    default:
      number is NSDecimalNumber ? number.doubleValue : Double(exactly: number.int64Value)
    }
  }

  /// Converts a number or its text.
  private static func decimal(_ part: Any) -> Decimal128? {
    if Swift.type(of: part) == Bool.self { return nil }
    if let decimal = part as? Decimal128 { return decimal }
    if let decimal = part as? Decimal { return Decimal128(decimal) }
    if let number = number(part) { return isBoolean(number) ? nil : Decimal128(number: number) }
    if let text = part as? String { return Decimal128(text) }
    if let integer = part as? any BinaryInteger { return Decimal128(exactly: integer) }
    return double(part).map { Decimal128($0) }
  }

  private static func exact(_ integer: some BinaryInteger) -> Double? { Double(exactly: integer) }

  /// Rounds to a Float. Returns nil for a number that is out of range.
  private static func float(_ double: Double) -> Float? {
    let float = Float(double)
    return float.isInfinite && double.isFinite ? nil : float
  }

  /// Returns a Foundation number. `Decimal` is one of them.
  private static func number(_ part: Any) -> NSNumber? {
    if let object = instance(part) { return object as? NSNumber }
    return (part as? Decimal).map { NSDecimalNumber(decimal: $0) }
  }

  /// Whether an `NSNumber` was created from a Bool.
  private static func isBoolean(_ number: NSNumber) -> Bool {
    String(cString: number.objCType) == "c" && (number === kCFTrue || number === kCFFalse)
  }

  private static let kCFTrue = true as NSNumber
  private static let kCFFalse = false as NSNumber
}

/// An optional as an existential type.
private protocol OptionalValue {
  var unwrapped: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var unwrapped: Any? { self }
}

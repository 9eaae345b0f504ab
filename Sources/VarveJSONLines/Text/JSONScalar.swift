import Foundation
import VarveCore
import VarveEncoding

/// How single values stand in JSON Lines: each type in its own way, exact to the bit.
///
/// The forms are told in `Docs/JSON-Lines.md`.
enum JSONScalar {
  /// Writes a value that is neither a link nor a collection, as a property of its type has it.
  static func write(_ value: Value, to writer: inout JSONWriter) {
    switch value {
    case .null, .link, .nested: writer.raw("null")
    case .bool(let value): writer.raw(value ? "true" : "false")
    case .int(let value): writer.raw(String(value))
    case .float(let value):
      number(
        value.isFinite ? "\(value)" : nil, value.isNaN, value.sign == .minus,
        bits: value.bitPattern, plain: Float.nan.bitPattern, to: &writer)
    case .double(let value): write(value, to: &writer)
    case .string(let value): writer.string(value)
    case .data(let value): writer.string(value.base64EncodedString())
    case .date(let value):
      if let text = ExactDateText.text(value) {
        writer.string(text)
      } else {
        write(value.timeIntervalSinceReferenceDate, to: &writer)
      }
    case .uuid(let value): writer.string(value.uuidString)
    case .objectId(let value): writer.string("\(value)")
    case .decimal(let value): writer.string(text(of: value))
    }
  }

  private static func write(_ value: Double, to writer: inout JSONWriter) {
    number(
      value.isFinite ? "\(value)" : nil, value.isNaN, value.sign == .minus,
      bits: value.bitPattern, plain: Double.nan.bitPattern, to: &writer)
  }

  private static func number<Bits: FixedWidthInteger & UnsignedInteger>(
    _ digits: String?, _ isNaN: Bool, _ isNegative: Bool, bits: Bits, plain: Bits,
    to writer: inout JSONWriter
  ) {
    if let digits { return writer.raw(digits) }
    if !isNaN { return writer.string(isNegative ? "-inf" : "inf") }
    writer.string(bits == plain ? "nan" : "nan:" + hexadecimal(bits))
  }

  /// The digits, where they are read as the same bits, or the bits.
  private static func text(of value: Decimal128Bits) -> String {
    let text = value.description
    return Decimal128Bits(text)?.littleEndian == value.littleEndian
      ? text : "bits:" + hexadecimal(UInt128(littleEndian: value.littleEndian))
  }

  private static func hexadecimal<Bits: FixedWidthInteger & UnsignedInteger>(
    _ bits: Bits
  ) -> String {
    let digits = String(bits, radix: 16)
    return String(repeating: "0", count: Bits.bitWidth / 4 - digits.count) + digits
  }

  // MARK: Reading

  /// Reads a value of a type other than `link` and `mixed`.
  ///
  /// - Returns: nil when the text stands for no value of the type.
  static func read(_ json: JSONValue, as type: PropertyType) -> Value? {
    switch (type, json) {
    case (_, .null): .null
    case (.bool, .bool(let value)): .bool(value)
    case (.int8, .number), (.int16, .number), (.int32, .number), (.int64, .number):
      integer(json, as: type)
    case (.float, _): float(json).map(Value.float)
    case (.double, _): double(json).map(Value.double)
    case (.string, .string(let text)): .string(text)
    case (.data, .string(let text)): Data(base64Encoded: text).map(Value.data)
    case (.date, .string(let text)) where text.utf8.count >= 20:
      (ExactDateText.date(text) ?? otherDate(json)).map(Value.date)
    case (.date, _): otherDate(json).map(Value.date)
    case (.uuid, .string(let text)): UUID(uuidString: text).map(Value.uuid)
    case (.objectId, .string(let text)): objectId(text).map(Value.objectId)
    case (.decimal128, .string(let text)): decimal(text).map(Value.decimal)
    default: nil
    }
  }

  private static func integer(_ json: JSONValue, as type: PropertyType) -> Value? {
    guard case .number(let digits) = json, let value = Int64(digits) else { return nil }
    return PropertyKind(type: type).accepts(.int(value)) ? .int(value) : nil
  }

  private static func float(_ json: JSONValue) -> Float? {
    switch json {
    case .number(let digits): Float(digits).flatMap { $0.isFinite ? $0 : nil }
    case .string("inf"): .infinity
    case .string("-inf"): -.infinity
    case .string(let text):
      bits(text, plain: Float.nan.bitPattern).map(Float.init(bitPattern:))
        .flatMap { $0.isNaN ? $0 : nil }
    default: nil
    }
  }

  private static func double(_ json: JSONValue) -> Double? {
    switch json {
    case .number(let digits): Double(digits).flatMap { $0.isFinite ? $0 : nil }
    case .string("inf"): .infinity
    case .string("-inf"): -.infinity
    case .string(let text):
      bits(text, plain: Double.nan.bitPattern).map(Double.init(bitPattern:))
        .flatMap { $0.isNaN ? $0 : nil }
    default: nil
    }
  }

  private static func bits<Bits: FixedWidthInteger>(_ text: String, plain: Bits) -> Bits? {
    if text == "nan" { return plain }
    guard text.hasPrefix("nan:"), text.utf8.count == 4 + Bits.bitWidth / 4 else { return nil }
    return Bits(text.dropFirst(4), radix: 16)
  }

  private static func otherDate(_ json: JSONValue) -> Date? {
    double(json).map(Date.init(timeIntervalSinceReferenceDate:))
  }

  private static func objectId(_ text: String) -> ObjectIdBytes? {
    let digits = Array(text.utf8)
    guard digits.count == 24 else { return nil }
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: 24, by: 2) {
      guard digits[place] != UInt8(ascii: "+"), digits[place] != UInt8(ascii: "-"),
        let byte = UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(byte)
    }
    return ObjectIdBytes(bytes)
  }

  private static func decimal(_ text: String) -> Decimal128Bits? {
    guard text.hasPrefix("bits:") else { return Decimal128Bits(text) }
    guard text.utf8.count == 37, let bits = UInt128(text.dropFirst(5), radix: 16) else {
      return nil
    }
    return Decimal128Bits(littleEndian: bits.littleEndian)
  }
}

extension Value {
  /// The name of the value's type in a mixed value; nil for those that need none.
  var jsonTag: String? {
    switch self {
    case .null, .bool, .string: nil
    case .int: "int"
    case .float: "float"
    case .double: "double"
    case .data: "data"
    case .date: "date"
    case .uuid: "uuid"
    case .objectId: "objectId"
    case .decimal: "decimal128"
    case .link: "link"
    case .nested(let kind, _): kind.jsonName
    }
  }
}

extension PropertyType {
  /// The type that a mixed value names; nil for an unknown name.
  init?(jsonTag: String) {
    switch jsonTag {
    case "int": self = .int64
    case "float": self = .float
    case "double": self = .double
    case "data": self = .data
    case "date": self = .date
    case "uuid": self = .uuid
    case "objectId": self = .objectId
    case "decimal128": self = .decimal128
    case "link": self = .link
    default: return nil
    }
  }

  /// The name of the type in a schema.
  var jsonName: String { "\(self)" }

  init?(jsonName: String) {
    guard let type = PropertyType.allCases.first(where: { $0.jsonName == jsonName }) else {
      return nil
    }
    self = type
  }
}

extension CollectionKind {
  /// The name of the collection in a schema.
  var jsonName: String { "\(self)" }

  init?(jsonName: String) {
    guard let kind = CollectionKind.allCases.first(where: { $0.jsonName == jsonName }) else {
      return nil
    }
    self = kind
  }
}

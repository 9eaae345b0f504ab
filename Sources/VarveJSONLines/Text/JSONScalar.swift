import Foundation
import VarveCore
package import VarveEncoding

/// The JSON representation of single values, exact to the bit for each type.
///
/// The representations are described in `Docs/JSON-Lines.md`.
package enum JSONScalar {
  /// Writes a value in the representation of a property of its type; null for a link and for a
  /// collection.
  package static func write(_ value: Value, to writer: inout JSONWriter) {
    switch value {
    case .null, .link, .nested: writer.raw("null")
    case .bool(let value): writer.raw(value ? "true" : "false")
    case .int(let value): writer.raw(String(value))
    case .float(let value): number(value, to: &writer)
    case .double(let value): number(value, to: &writer)
    case .string(let value): writer.string(value)
    case .data(let value): writer.string(value.base64EncodedString())
    case .date(let value):
      if let text = ExactDateText.text(value) {
        writer.string(text)
      } else {
        number(value.timeIntervalSinceReferenceDate, to: &writer)
      }
    case .uuid(let value): writer.string(value.uuidString)
    case .objectId(let value): writer.string("\(value)")
    case .decimal(let value): writer.string(text(of: value))
    }
  }

  /// Writes a mixed value that is no link and no collection, with its type where the type needs a tag.
  static func writeMixed(_ value: Value, to writer: inout JSONWriter) {
    guard let tag = value.jsonTag else { return write(value, to: &writer) }
    writer.beginObject()
    writer.member(tag)
    write(value, to: &writer)
    writer.endObject()
  }

  private static func number<Number: BitNumber>(_ value: Number, to writer: inout JSONWriter) {
    if value.isFinite { return writer.raw(value.description) }
    if !value.isNaN { return writer.string(value.sign == .minus ? "-inf" : "inf") }
    let isPlain = value.bitPattern == Number.nan.bitPattern
    writer.string(isPlain ? "nan" : "nan:" + hexadecimal(value.bitPattern))
  }

  /// The decimal digits if parsing them gives the same bits; otherwise the bits.
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

  /// Parses a mixed value that is no link and no collection.
  ///
  /// - Returns: The value, or nil when the text is no such value.
  static func readMixed(_ json: JSONValue) -> Value? {
    switch json {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .string(let text): return .string(text)
    case .object(let members):
      guard members.count == 1, let type = PropertyType(jsonTag: members[0].name), type != .link
      else { return nil }
      return read(members[0].value, as: type).flatMap { $0.isNull ? nil : $0 }
    case .number, .array: return nil
    }
  }

  /// Parses a value of a type other than `link` and `mixed`.
  ///
  /// - Returns: The value, or nil when the text is not a value of the type.
  static func read(_ json: JSONValue, as type: PropertyType) -> Value? {
    switch (type, json) {
    case (_, .null): .null
    case (.bool, .bool(let value)): .bool(value)
    case (.int8, .number), (.int16, .number), (.int32, .number), (.int64, .number):
      integer(json, as: type)
    case (.float, _): number(json).map(Value.float)
    case (.double, _): number(json).map(Value.double)
    case (.string, .string(let text)): .string(text)
    case (.data, .string(let text)): Data(base64Encoded: text).map(Value.data)
    case (.date, .string(let text)) where text.utf8.count >= 20:
      (ExactDateText.date(text) ?? otherDate(json)).map(Value.date)
    case (.date, _): otherDate(json).map(Value.date)
    case (.uuid, .string(let text)): UUID(uuidString: text).map(Value.uuid)
    case (.objectId, .string(let text)):
      ObjectIdBytes(hexadecimal: text).map(Value.objectId)
    case (.decimal128, .string(let text)): decimal(text).map(Value.decimal)
    default: nil
    }
  }

  /// Returns the text that ``value(of:as:)`` reads as a value that is neither a link nor a
  /// collection.
  package static func plainText(of value: Value) -> String {
    if case .string(let text) = value { return text }
    // No such text contains a character that JSON escapes.
    return JSONWriter.text { write(value, to: &$0) }.replacing("\"", with: "")
  }

  /// Reads a value of a type from text as a person writes it: a string without quotes, a number as
  /// its digits.
  ///
  /// - Returns: The value, or nil when the text is not a value of the type.
  package static func value(of text: String, as type: PropertyType) -> Value? {
    json(of: text, as: type).flatMap { read($0, as: type) }
  }

  /// Returns the JSON of a value that ``value(of:as:)`` reads; nil when the text is not a value of
  /// the type.
  package static func json(of text: String, as type: PropertyType) -> JSONValue? {
    // A number would be the seconds since 2001.
    if type == .date {
      return Date(iso8601: text).flatMap { ExactDateText.text($0) }.map { .string($0) }
    }
    var candidates: [JSONValue] = [.string(text), .number(text)]
    if let bool = Bool(text) { candidates.append(.bool(bool)) }
    return candidates.first { read($0, as: type) != nil }
  }

  private static func integer(_ json: JSONValue, as type: PropertyType) -> Value? {
    guard case .number(let digits) = json, let value = Int64(digits) else { return nil }
    return PropertyKind(type: type).accepts(.int(value)) ? .int(value) : nil
  }

  private static func number<Number: BitNumber>(_ json: JSONValue) -> Number? {
    switch json {
    case .number(let digits): Number(digits).flatMap { $0.isFinite ? $0 : nil }
    case .string("inf"): .infinity
    case .string("-inf"): -.infinity
    case .string("nan"): .nan
    case .string(let text) where text.hasPrefix("nan:"): nan(text.dropFirst(4))
    default: nil
    }
  }

  private static func nan<Number: BitNumber>(_ digits: Substring) -> Number? {
    guard digits.utf8.count == Number.Bits.bitWidth / 4,
      let bits = Number.Bits(digits, radix: 16)
    else { return nil }
    let number = Number(bitPattern: bits)
    return number.isNaN ? number : nil
  }

  private static func otherDate(_ json: JSONValue) -> Date? {
    number(json).map(Date.init(timeIntervalSinceReferenceDate:))
  }

  private static func decimal(_ text: String) -> Decimal128Bits? {
    guard text.hasPrefix("bits:") else {
      guard let value = Decimal128Bits(text) else { return nil }
      let digits = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        .filter { (0x30...0x39).contains($0) }
      // NaN or an infinity.
      if digits.isEmpty { return value }
      // Neither an overflow nor a rounding is accepted.
      let significant = digits.drop { $0 == 0x30 }.reversed().drop { $0 == 0x30 }
      return value.isFinite && significant.count <= 34 ? value : nil
    }
    guard text.utf8.count == 37, let bits = UInt128(text.dropFirst(5), radix: 16) else {
      return nil
    }
    return Decimal128Bits(littleEndian: bits.littleEndian)
  }
}

/// A floating-point number that can be represented by the bits of an integer.
private protocol BitNumber: BinaryFloatingPoint, LosslessStringConvertible {
  associatedtype Bits: FixedWidthInteger & UnsignedInteger
  var bitPattern: Bits { get }
  init(bitPattern: Bits)
}

extension Float: BitNumber {}
extension Double: BitNumber {}

extension Value {
  /// The type tag of the value in a mixed property, or nil for types without a tag.
  var jsonTag: String? {
    if case .nested(let kind, _) = self { return kind.jsonName }
    return type.flatMap { PropertyType.jsonTags[$0] }
  }
}

extension PropertyType {
  /// The tags of the types that need one in a mixed value.
  fileprivate static let jsonTags: [PropertyType: String] = [
    .int64: "int", .float: "float", .double: "double", .data: "data", .date: "date",
    .uuid: "uuid", .objectId: "objectId", .decimal128: "decimal128", .link: "link",
  ]

  /// The type for a tag of a mixed value, or nil for an unknown tag.
  init?(jsonTag: String) {
    guard let type = Self.jsonTags.first(where: { $0.value == jsonTag })?.key else { return nil }
    self = type
  }
}

/// An enumeration whose cases are written by name in the schema.
protocol JSONNamed: CaseIterable {}

extension JSONNamed {
  var jsonName: String { "\(self)" }

  init?(jsonName: String) {
    guard let found = Self.allCases.first(where: { $0.jsonName == jsonName }) else { return nil }
    self = found
  }
}

extension PropertyType: JSONNamed {}
extension CollectionKind: JSONNamed {}
extension IndexKind: JSONNamed {}

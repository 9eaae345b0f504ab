import Foundation
import VarveCore
import VarveEncoding

/// A value of the oracle, in plain Swift.
enum OracleValue {
  case null
  case bool(Bool)
  case number(OracleNumber)
  case string(String)
  case data([UInt8])
  /// Seconds since the reference date.
  case date(Double)
  case uuid([UInt8])
  case objectId([UInt8])
  case object(OracleObject)
  case collection(OracleCollection)
}

struct OracleNumber {
  enum Kind { case int, float, double, decimal }

  let kind: Kind
  let exact: ExactNumber
  /// The value of an integer.
  var integer: Int64 = 0
  /// The nearest double.
  let double: Double
  /// The stored form of a decimal: 1.0 and 1.00 are distinct.
  var text = ""

  init(_ value: Int64) {
    kind = .int
    exact = ExactNumber(value)
    integer = value
    double = Double(value)
  }

  init(_ value: Float) {
    kind = .float
    exact = ExactNumber(Double(value))
    double = Double(value)
  }

  init(_ value: Double) {
    kind = .double
    exact = ExactNumber(value)
    double = value
  }

  init(decimal: ExactNumber) {
    kind = .decimal
    exact = decimal
    double = decimal.double
  }

  /// The number as an operand of decimal addition: for a double, the shortest decimal that reads
  /// back as the double.
  var decimal: ExactNumber {
    kind == .int || kind == .decimal ? exact : ExactNumber(shortest: double)
  }

  var isNaN: Bool { exact.kind == .nan }
}

/// An object of the oracle.
final class OracleObject {
  let className: String
  let id: Int
  /// The id in the store.
  var storedID: UInt64 = 0
  /// The reference to the object in conditions.
  var reference: ObjectReference?
  var properties: [String: OracleValue] = [:]

  init(_ className: String, _ id: Int) {
    self.className = className
    self.id = id
  }
}

/// A collection of the oracle, in a property or in a mixed value; equal only to itself.
final class OracleCollection {
  enum Kind { case list, set, dictionary }

  let kind: Kind
  /// The keys of a dictionary.
  let keys: [String]
  var elements: [OracleValue]

  init(_ kind: Kind, _ elements: [OracleValue], keys: [String] = []) {
    self.kind = kind
    self.keys = keys
    self.elements = elements
  }
}

extension OracleValue {
  var isNull: Bool { if case .null = self { true } else { false } }

  var number: OracleNumber? { if case .number(let number) = self { number } else { nil } }

  var collection: OracleCollection? {
    if case .collection(let collection) = self { collection } else { nil }
  }

  var object: OracleObject? { if case .object(let object) = self { object } else { nil } }

  static func int(_ value: Int64) -> OracleValue { .number(OracleNumber(value)) }
  static func float(_ value: Float) -> OracleValue { .number(OracleNumber(value)) }
  static func double(_ value: Double) -> OracleValue { .number(OracleNumber(value)) }
  static func decimal(_ text: String) -> OracleValue {
    var number = OracleNumber(decimal: ExactNumber(text: text))
    number.text = text
    return .number(number)
  }

  /// The name of the value's type.
  var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .number(let number):
      switch number.kind {
      case .int: "int"
      case .float: "float"
      case .double: "double"
      case .decimal: "decimal"
      }
    case .string: "string"
    case .data: "binary"
    case .date: "date"
    case .uuid: "uuid"
    case .objectId: "objectid"
    case .object: "object"
    case .collection(let collection): collection.kind == .dictionary ? "dictionary" : "list"
    }
  }
}

extension OracleValue: CustomStringConvertible {
  var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let number):
      number.kind == .int ? "\(number.integer)" : "\(number.kind) \(number.double)"
    case .string(let text):
      text.utf8.count < 60 ? "'\(text)'" : "'\(text.prefix(9))…' \(text.utf8.count)"
    case .data(let bytes): bytes.count < 20 ? "data \(bytes)" : "data of \(bytes.count)"
    case .date(let seconds): "date \(seconds)"
    case .uuid(let bytes): "uuid \(bytes)"
    case .objectId(let bytes): "objectid \(bytes)"
    case .object(let object): "\(object.className)(\(object.id))"
    case .collection(let collection):
      collection.kind == .dictionary
        ? "\(Array(zip(collection.keys, collection.elements)))" : "\(collection.elements)"
    }
  }
}

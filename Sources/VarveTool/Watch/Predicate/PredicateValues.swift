import Foundation
import VarveCore
import VarveEncoding

extension ClassSchema {
  /// The property of a name.
  ///
  /// - Throws: ``PredicateError`` that tells which ones there are.
  func property(_ name: Predicate.Name) throws(PredicateError) -> StoredProperty {
    guard let property = property(named: name.text) else {
      throw PredicateError(
        message: "The class \(self.name) has no property of this name.", position: name.position,
        details: ["properties: " + properties.map(\.name).joined(separator: ", ")])
    }
    guard property.kind.collection == .none else {
      throw PredicateError(
        message: "Collections cannot be asked for yet.", position: name.position)
    }
    return property
  }
}

extension StoredProperty {
  private var isNumber: Bool {
    switch kind.type {
    case .int8, .int16, .int32, .int64, .float, .double, .decimal128: true
    default: false
    }
  }

  /// Whether values of this and of another property have an order, or can be equal.
  func isComparable(with other: StoredProperty) -> Bool {
    kind.type == other.kind.type ? kind.type != .link : isNumber && other.isNumber
  }

  /// Refuses an operation that values of the type do not know.
  func check(_ comparison: Predicate.Comparison) throws(PredicateError) {
    let isKnown =
      switch comparison.operation {
      case .equal, .notEqual, .in: true
      case .less, .lessOrEqual, .greater, .greaterOrEqual:
        ![.bool, .link, .uuid, .objectId].contains(kind.type)
      case .beginsWith, .endsWith, .contains: kind.type == .string
      }
    guard isKnown, !comparison.isCaseInsensitive || kind.type == .string else {
      let option = comparison.isCaseInsensitive ? "[c]" : ""
      throw PredicateError(
        message: "Properties of the type \(kind.typeName(target: nil)) do not know"
          + " \(comparison.operation.rawValue)\(option).", position: comparison.property.position)
    }
  }

  /// What a literal stands for beside this property.
  ///
  /// - Throws: ``PredicateError`` for one that its type does not have.
  func value(of literal: Predicate.Literal) throws(PredicateError) -> Value {
    let value: Value? =
      switch (literal.content, kind.type) {
      case (.null, _): .null
      case (.bool(let value), .bool): .bool(value)
      case (.int(let value), _) where isNumber: .int(value)
      case (.double(let value), .decimal128): .decimal(Decimal128Bits(shortest: value))
      case (.double(let value), _) where isNumber: .double(value)
      case (.string(let text), .string): .string(text)
      case (.string(let text), .decimal128): Decimal128Bits(text).map { .decimal($0) }
      case (.string(let text), .uuid): UUID(uuidString: text).map { .uuid($0) }
      case (.string(let text), .objectId): Self.objectID(text).map { .objectId($0) }
      case (.string(let text), .date): Self.date(text).map { .date($0) }
      default: nil
      }
    guard let value else {
      throw PredicateError(
        message: "This cannot be compared with the type \(kind.typeName(target: nil)).",
        position: literal.position, details: kind.type == .date ? [Self.dateForms] : [])
    }
    return value
  }

  private static func objectID(_ text: String) -> ObjectIdBytes? {
    let digits = Array(text.utf8)
    guard digits.count == 2 * ObjectIdBytes.byteCount, text.allSatisfy(\.isHexDigit) else {
      return nil
    }
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
    }
    return ObjectIdBytes(bytes)
  }

  private static let dateForms = "A date is written as 2024-01-31 or 2024-01-31T12:00:00Z."

  private static func date(_ text: String) -> Date? {
    (try? Date(text, strategy: .iso8601))
      ?? (try? Date(text, strategy: .iso8601.year().month().day()))
      ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
  }
}

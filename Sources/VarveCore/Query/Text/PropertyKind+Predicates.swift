import Foundation
package import VarveEncoding

/// What predicates know of the types of properties.
extension PropertyKind {
  private var isNumber: Bool {
    switch type {
    case .int8, .int16, .int32, .int64, .float, .double, .decimal128, .mixed: true
    default: false
    }
  }

  /// Whether values of this and of another kind have an order, or can be equal.
  package func isComparable(with other: PropertyKind) -> Bool {
    type == other.type || isNumber && other.isNumber || type == .mixed || other.type == .mixed
  }

  /// Refuses an operation that values of the type do not know.
  package func check(_ comparison: TextPredicate.Comparison) throws(TextPredicateError) {
    let isKnown =
      switch comparison.operation {
      case .equal, .notEqual, .in: true
      case .less, .lessOrEqual, .greater, .greaterOrEqual:
        ![.bool, .link, .uuid, .objectId].contains(type)
      case .beginsWith, .endsWith, .contains: [.string, .data, .mixed].contains(type)
      case .geoWithin: false
      }
    guard isKnown, !comparison.isCaseInsensitive || [.string, .mixed].contains(type) else {
      let option = comparison.isCaseInsensitive ? "[c]" : ""
      throw TextPredicateError(
        message: "Properties of the type \(typeName(target: nil)) do not know"
          + " \(comparison.operation.rawValue)\(option).", position: comparison.property.position)
    }
  }

  /// What a literal stands for beside this property.
  ///
  /// - Throws: ``TextPredicateError`` for one that its type does not have.
  package func value(of literal: TextPredicate.Literal) throws(TextPredicateError) -> Value {
    let value: Value? =
      switch (literal.content, type) {
      case (.null, _): .null
      case (.bool(let value), .bool), (.bool(let value), .mixed): .bool(value)
      case (.int(let value), _) where isNumber: .int(value)
      case (.double(let value), .decimal128): .decimal(Decimal128Bits(shortest: value))
      // What a program writes as 0.1 is, beside a Float, the Float that is nearest.
      case (.double(let value), .float) where Float(value).isFinite: .float(Float(value))
      case (.double(let value), _) where isNumber: .double(value)
      case (.string(let text), .string), (.string(let text), .mixed): .string(text)
      case (.string(let text), .decimal128): Decimal128Bits(text).map { .decimal($0) }
      case (.string(let text), .uuid): UUID(uuidString: text).map { .uuid($0) }
      case (.string(let text), .objectId): Self.objectID(text).map { .objectId($0) }
      case (.string(let text), .date): Date(iso8601: text).map { .date($0) }
      case (.value(let value), .mixed): value
      case (.value(.decimal(let value)), _) where isNumber: .decimal(value)
      case (.value(let value), _) where value.type == type: value
      default: nil
      }
    guard let value else {
      throw TextPredicateError(
        message: "This cannot be compared with the type \(typeName(target: nil)).",
        position: literal.position, details: type == .date ? [Self.dateForms] : [])
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
}

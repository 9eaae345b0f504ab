import Foundation
import VarveEncoding

/// The operations that types support in predicates.
extension PropertyKind {
  /// Whether values of this kind and of another kind can be compared.
  func isComparable(with other: PropertyKind) -> Bool {
    type == other.type || type.mayBeNumber && other.type.mayBeNumber || type == .mixed
      || other.type == .mixed
  }

  /// Whether the type supports an operation.
  func supports(_ operation: Condition.Operation) -> Bool {
    switch operation {
    case .equal, .notEqual, .in: true
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .between:
      ![.bool, .link, .uuid].contains(type)
    case .beginsWith, .endsWith, .contains: [.string, .data, .mixed].contains(type)
    case .like, .matches: [.string, .mixed].contains(type)
    case .text: type == .string
    case .geoWithin: type == .link
    // Not part of the predicate language.
    case .follows, .precedes, .doesNotFollow, .doesNotPrecede: false
    }
  }

  /// Whether the type supports an operation with a folding.
  func supports(_ operation: Condition.Operation, _ folding: TextFolding) -> Bool {
    if folding.isEmpty { return true }
    return [.string, .mixed].contains(type) && !operation.isOrder && operation != .text
  }

  /// Converts a literal to a value that is comparable with values of this kind.
  ///
  /// - Throws: ``TextPredicateError`` for a literal that cannot be converted.
  func value(of literal: TextPredicate.Literal) throws(TextPredicateError) -> Value {
    guard let value = value(of: literal.content) else {
      throw TextPredicateError(
        message: "This value cannot be compared with the type \(typeName(target: nil)).",
        position: literal.position, details: type == .date ? [Self.dateForms] : [])
    }
    return value
  }

  private func value(of content: TextPredicate.Literal.Content) -> Value? {
    let isNumber = type.mayBeNumber
    switch (content, type) {
    case (.value(.null), _): return .null
    case (.value(.int(0)), .bool): return .bool(false)
    case (.value(.int(1)), .bool): return .bool(true)
    case (.value(.double(let value)), .decimal128):
      return .decimal(Decimal128Bits(shortest: value))
    // A Double compared with a Float property is rounded to Float, so that a literal 0.1 equals a
    // stored 0.1.
    case (.value(.double(let value)), .float), (.number(let value, _), .float):
      let float = Float(value)
      return float.isFinite || !value.isFinite ? .float(float) : .double(value)
    case (.number(let value, _), .double), (.number(let value, _), .mixed): return .double(value)
    case (.number(_, let exact), _) where isNumber: return .decimal(exact)
    case (.value(let value), .mixed): return value
    case (.value(let value), _) where isNumber && value.type?.isNumber == true: return value
    case (.value(let value), _) where value.type == type: return value
    case (.value(.string(let text)), .decimal128): return Decimal128Bits(text).map { .decimal($0) }
    case (.value(.string(let text)), .uuid): return UUID(uuidString: text).map { .uuid($0) }
    case (.value(.string(let text)), .objectId):
      return ObjectIdBytes(hexadecimal: text).map { .objectId($0) }
    case (.value(.string(let text)), .date): return Date(iso8601: text).map { .date($0) }
    default: return nil
    }
  }

  private static let dateForms = "A date is written as 2024-01-31 or 2024-01-31T12:00:00Z."
}

import Foundation
package import VarveEncoding

extension ValueOrdering {
  /// Whether two values in this order satisfy a comparison.
  func satisfies(_ operation: Condition.Operation) -> Bool {
    switch operation {
    case .equal, .in: self == .equal
    case .notEqual: self != .equal
    case .less: self == .ascending
    case .lessOrEqual: self == .ascending || self == .equal
    case .greater: self == .descending
    case .greaterOrEqual: self == .descending || self == .equal
    case .beginsWith, .endsWith, .contains, .geoWithin: false
    }
  }
}

extension Value {
  /// Whether the value, on the left, satisfies a comparison. Null has no place in an order.
  package func satisfies(
    _ operation: Condition.Operation, _ right: Value, _ isCaseInsensitive: Bool
  ) -> Bool {
    isCaseInsensitive
      ? folded.satisfies(operation, right.folded) : satisfies(operation, right)
  }

  private func satisfies(_ operation: Condition.Operation, _ right: Value) -> Bool {
    switch operation {
    case .equal, .notEqual, .in:
      return compared(to: right).satisfies(operation)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard !isNull, !right.isNull else { return false }
      return compared(to: right).satisfies(operation)
    case .beginsWith, .endsWith, .contains:
      return holds(operation, part: right)
    case .geoWithin:
      return false
    }
  }

  /// A string with its case folded; other values as they are.
  private var folded: Value {
    if case .string(let string) = self { .string(string.lowercased()) } else { self }
  }

  /// Whether a string or data begins with, ends with or contains a part. An empty part holds for
  /// none.
  private func holds(_ operation: Condition.Operation, part: Value) -> Bool {
    switch (self, part) {
    case (.string(let whole), .string(let part)):
      Value.holds(Array(whole.utf8), operation, Array(part.utf8))
    case (.data(let whole), .data(let part)): Value.holds(Array(whole), operation, Array(part))
    default: false
    }
  }

  private static func holds(
    _ whole: [UInt8], _ operation: Condition.Operation, _ part: [UInt8]
  ) -> Bool {
    guard !part.isEmpty, part.count <= whole.count else { return false }
    switch operation {
    case .beginsWith: return whole.starts(with: part)
    case .endsWith: return whole.suffix(part.count).elementsEqual(part)
    case .contains: return whole.firstRange(of: part) != nil
    default: return false
    }
  }
}

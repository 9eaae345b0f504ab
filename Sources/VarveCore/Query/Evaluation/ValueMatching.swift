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
    case .greater, .follows: self == .descending
    case .precedes: self == .ascending
    case .doesNotFollow: self != .descending
    case .doesNotPrecede: self != .ascending
    case .greaterOrEqual: self == .descending || self == .equal
    default: false
    }
  }
}

extension Value {
  /// Whether the value, as the left operand, satisfies a comparison. Null is not ordered; two nulls
  /// are equal.
  package func satisfies(
    _ operation: Condition.Operation, _ right: Value, _ folding: TextFolding
  ) -> Bool {
    if operation == .like || operation == .matches {
      return matches(operation, pattern: right, folding)
    }
    return folding.isEmpty
      ? satisfies(operation, right) : folded(folding).satisfies(operation, right.folded(folding))
  }

  /// Whether a text matches a pattern. An invalid pattern matches nothing.
  private func matches(
    _ operation: Condition.Operation, pattern: Value, _ folding: TextFolding
  ) -> Bool {
    guard case .string(let text) = self, case .string(let pattern) = pattern,
      let test = try? TextTest(operation, pattern, folding: folding)
    else { return false }
    return test.matches(text)
  }

  private func satisfies(_ operation: Condition.Operation, _ right: Value) -> Bool {
    switch operation {
    case .equal, .notEqual, .in:
      return compared(to: right).satisfies(operation)
    case .less, .greater:
      return hasOrder && compared(to: right).satisfies(operation)
    case .lessOrEqual, .greaterOrEqual:
      return (hasOrder || isNull) && compared(to: right).satisfies(operation)
    case .beginsWith, .endsWith, .contains:
      return matches(operation, part: right)
    case .follows, .precedes:
      return compared(to: right).satisfies(operation)
    case .doesNotFollow, .doesNotPrecede:
      return SortOrder.order(self, right).satisfies(operation)
    case .between, .like, .matches, .text, .geoWithin:
      return false
    }
  }

  /// Whether the values of the type can be ordered in conditions. This differs from the order of
  /// keys and of sorting.
  var hasOrder: Bool {
    switch self {
    case .int, .float, .double, .decimal, .string, .data, .date, .objectId: true
    case .null, .bool, .uuid, .link, .nested: false
    }
  }

  /// A string with case or diacritics removed, and other values unchanged.
  func folded(_ folding: TextFolding) -> Value {
    if case .string(let string) = self { .string(folding.fold(string)) } else { self }
  }

  /// Whether a string or data value begins with, ends with or contains a part. The result is false
  /// for an empty part.
  private func matches(_ operation: Condition.Operation, part: Value) -> Bool {
    switch (self, part) {
    case (.string(var whole), .string(var part)):
      whole.withUTF8 { whole in
        part.withUTF8 {
          Value.matches(UnsafeRawBufferPointer(whole), operation, UnsafeRawBufferPointer($0))
        }
      }
    case (.data(let whole), .data(let part)):
      whole.withUnsafeBytes { whole in
        part.withUnsafeBytes { Value.matches(whole, operation, $0) }
      }
    default: false
    }
  }

  private static func matches(
    _ whole: UnsafeRawBufferPointer, _ operation: Condition.Operation,
    _ part: UnsafeRawBufferPointer
  ) -> Bool {
    guard !part.isEmpty, part.count <= whole.count else { return false }
    switch operation {
    case .beginsWith: return ByteOrder.hasPrefix(whole, part)
    case .endsWith:
      return ByteOrder.areEqual(
        UnsafeRawBufferPointer(rebasing: whole.suffix(part.count)), part)
    case .contains: return ByteOrder.contains(whole, part)
    default: return false
    }
  }
}

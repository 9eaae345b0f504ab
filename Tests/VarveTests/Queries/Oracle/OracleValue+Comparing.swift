import Foundation
import VarveCore

/// The meaning of one comparison of two values, in the simplest form.
extension OracleValue {
  func satisfies(
    _ operation: Condition.Operation, _ right: OracleValue, _ folding: TextFolding
  ) -> Bool {
    let a = folded(folding)
    let b = right.folded(folding)
    switch operation {
    case .equal, .in: return a.equals(b)
    case .notEqual: return !a.equals(b)
    case .less: return a.order(b).map { $0 < 0 } ?? false
    case .lessOrEqual: return a.order(b).map { $0 <= 0 } ?? (a.isNull && b.isNull)
    case .greater: return a.order(b).map { $0 > 0 } ?? false
    case .greaterOrEqual: return a.order(b).map { $0 >= 0 } ?? (a.isNull && b.isNull)
    case .beginsWith, .endsWith, .contains: return a.matches(operation, b)
    case .like, .matches: return a.matches(operation, b, folding)
    case .between, .text, .geoWithin, .follows, .precedes, .doesNotFollow, .doesNotPrecede:
      return false
    }
  }

  func equals(_ other: OracleValue) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.number(let a), .number(let b)): a.exact.order(b.exact) == 0
    case (.string(let a), .string(let b)): Array(a.utf8) == Array(b.utf8)
    case (.data(let a), .data(let b)): a == b
    case (.date(let a), .date(let b)): a == b
    case (.uuid(let a), .uuid(let b)): a == b
    case (.objectId(let a), .objectId(let b)): a == b
    case (.object(let a), .object(let b)): a === b
    case (.collection(let a), .collection(let b)): a === b
    default: false
    }
  }

  /// Negative, 0 or positive; nil where there is no order.
  func order(_ other: OracleValue) -> Int? {
    switch (self, other) {
    case (.number(let a), .number(let b)): a.exact.order(b.exact)
    case (.string(let a), .string(let b)): OracleValue.order(Array(a.utf8), Array(b.utf8))
    case (.data(let a), .data(let b)): OracleValue.order(a, b)
    case (.objectId(let a), .objectId(let b)): OracleValue.order(a, b)
    case (.date(let a), .date(let b)): a < b ? -1 : a > b ? 1 : a == b ? 0 : nil
    default: nil
    }
  }

  private static func order(_ a: [UInt8], _ b: [UInt8]) -> Int {
    for (x, y) in zip(a, b) where x != y { return x < y ? -1 : 1 }
    return a.count - b.count
  }

  func folded(_ folding: TextFolding) -> OracleValue {
    guard case .string(let text) = self else { return self }
    return .string(OracleText.fold(text, folding))
  }

  private func matches(_ operation: Condition.Operation, _ part: OracleValue) -> Bool {
    switch (self, part) {
    case (.string(let a), .string(let b)):
      OracleValue.matches(Array(a.utf8), operation, Array(b.utf8))
    case (.data(let a), .data(let b)): OracleValue.matches(a, operation, b)
    default: false
    }
  }

  private static func matches(
    _ whole: [UInt8], _ operation: Condition.Operation, _ part: [UInt8]
  ) -> Bool {
    guard !part.isEmpty, part.count <= whole.count else { return false }
    switch operation {
    case .beginsWith: return Array(whole.prefix(part.count)) == part
    case .endsWith: return Array(whole.suffix(part.count)) == part
    default:
      return (0...whole.count - part.count).contains { offset in
        whole[offset] == part[0] && whole[offset..<offset + part.count].elementsEqual(part)
      }
    }
  }

  private func matches(
    _ operation: Condition.Operation, _ pattern: OracleValue, _ folding: TextFolding
  ) -> Bool {
    guard case .string(let text) = self, case .string(let pattern) = pattern else { return false }
    if operation == .like {
      return OracleText.isLike(Array(text.unicodeScalars)[...], Array(pattern.unicodeScalars)[...])
    }
    return OracleText.matches(text, pattern)
  }
}

/// Strings and patterns.
enum OracleText {
  /// Texts that are equal under the folding have the same folded form.
  static func fold(_ text: String, _ folding: TextFolding) -> String {
    if folding.isEmpty { return text }
    var text = text
    if folding.contains(.diacriticless) {
      let scalars = text.decomposedStringWithCanonicalMapping.unicodeScalars
        .filter { $0.properties.generalCategory != .nonspacingMark }
      text = String(String.UnicodeScalarView(scalars))
    }
    // Uppercased first, so that ß becomes ss.
    if folding.contains(.caseless) { text = text.uppercased().lowercased() }
    return text.precomposedStringWithCanonicalMapping
  }

  /// `?` matches one scalar, `*` any number of scalars.
  static func isLike(
    _ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    if first == "*" {
      return isLike(text, rest) || (!text.isEmpty && isLike(text.dropFirst(), pattern))
    }
    guard let scalar = text.first else { return false }
    return (first == "?" || first == scalar) && isLike(text.dropFirst(), rest)
  }

  /// Whether the whole text matches a regular expression.
  static func matches(_ text: String, _ pattern: String) -> Bool {
    guard let regex = try? NSRegularExpression(pattern: #"\A(?:\#(pattern))\z"#) else {
      return false
    }
    let all = NSRange(text.startIndex..., in: text)
    return regex.firstMatch(in: text, range: all) != nil
  }
}

import Foundation
package import VarveEncoding

/// The result of comparing two values.
package enum ValueOrdering: Sendable {
  case ascending, equal, descending
  /// The values are not ordered: different types, null, or NaN and a number.
  case unordered
}

extension Value {
  /// Compares two values: numbers exactly and across types, strings by UTF-8 bytes, dates by time.
  package func compared(to other: Value) -> ValueOrdering {
    switch (self, other) {
    case (.null, .null): .equal
    case (.bool(let a), .bool(let b)): ValueOrdering(a ? 1 : 0, b ? 1 : 0)
    case (.int(let a), .int(let b)): ValueOrdering(a, b)
    case (.string(let a), .string(let b)): Value.compareBytes(a.utf8, b.utf8)
    case (.data(let a), .data(let b)): Value.compareBytes(a, b)
    case (.date(let a), .date(let b)):
      ValueOrdering(a.timeIntervalSinceReferenceDate, b.timeIntervalSinceReferenceDate)
    case (.uuid(let a), .uuid(let b)):
      withUnsafeBytes(of: a.uuid) { a in
        withUnsafeBytes(of: b.uuid) { b in Value.compareBytes(a, b) }
      }
    case (.objectId(let a), .objectId(let b)): ValueOrdering(a, b)
    case (.decimal(let a), .decimal(let b)): ValueOrdering(a.order(b))
    case (.link(let a, let x), .link(let b, let y)): a == b ? ValueOrdering(x, y) : .unordered
    case (.nested(let a, let x), .nested(let b, let y)):
      a == b ? ValueOrdering(x.id, y.id) : .unordered
    default: compareNumbers(other)
    }
  }

  private func compareNumbers(_ other: Value) -> ValueOrdering {
    if case .decimal(let decimal) = self { return other.compared(to: decimal).reversed }
    if case .decimal(let decimal) = other { return compared(to: decimal) }
    switch (asDouble, other.asDouble) {
    case (let a?, let b?):
      // Converting an integer beyond 2^53 to a double loses precision, so compare it with the
      // double's exact integer part.
      if case .int(let exact) = self { return ValueOrdering(exact, comparedTo: b) }
      if case .int(let exact) = other { return ValueOrdering(exact, comparedTo: a).reversed }
      return ValueOrdering(a, b)
    default: return .unordered
    }
  }

  private func compared(to decimal: Decimal128Bits) -> ValueOrdering {
    if case .int(let value) = self { return ValueOrdering(Decimal128Bits(value).order(decimal)) }
    guard let double = asDouble else { return .unordered }
    return ValueOrdering(decimal.order(double: double)).reversed
  }

  /// The number as the nearest double, or nil for a value that is not a number.
  package var asDouble: Double? {
    switch self {
    case .int(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    case .decimal(let value): value.double
    default: nil
    }
  }

  static func compareBytes<A: Sequence<UInt8>, B: Sequence<UInt8>>(
    _ a: A, _ b: B
  ) -> ValueOrdering {
    if a.lexicographicallyPrecedes(b) { return .ascending }
    return b.lexicographicallyPrecedes(a) ? .descending : .equal
  }
}

extension ValueOrdering {
  init<T: Comparable>(_ a: T, _ b: T) {
    if a < b {
      self = .ascending
    } else if a == b {
      self = .equal
    } else {
      self = a > b ? .descending : .unordered
    }
  }

  /// The order that the sign of a comparison result expresses, or unordered for nil.
  init(_ order: Int?) {
    self = order.map { ValueOrdering($0, 0) } ?? .unordered
  }

  /// Compares an integer with a double, exactly.
  init(_ integer: Int64, comparedTo double: Double) {
    if double.isNaN { self = .unordered; return }
    if double >= 0x1p63 { self = .ascending; return }
    if double < -0x1p63 { self = .descending; return }
    let whole = Int64(double.rounded(.down))
    if integer != whole { self = ValueOrdering(integer, whole); return }
    self = double > double.rounded(.down) ? .ascending : .equal
  }

  var reversed: ValueOrdering {
    switch self {
    case .ascending: .descending
    case .descending: .ascending
    case .equal, .unordered: self
    }
  }
}

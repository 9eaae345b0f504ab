package import VarveEncoding

/// The sum of some values, with their number. What is no number is left out.
///
/// Thread safety: a value.
package struct ValueSum: Sendable {
  /// How many numbers were added.
  package private(set) var count = 0
  private var integer: Int64 = 0
  private var double = 0.0

  package init() {}

  package mutating func add(_ value: Value) {
    switch value {
    case .int(let value):
      integer &+= value
      double += Double(value)
    case .float(let value): double += Double(value)
    case .double(let value): double += value
    default: return
    }
    count += 1
  }

  /// The mean; nil when there was no number.
  package var average: Double? { count == 0 ? nil : double / Double(count) }

  /// The sum in the type of the values; integers wrap around.
  package func value(as type: PropertyType) -> Value {
    switch type {
    case .double: .double(double)
    case .float: .float(Float(double))
    case .int8: .int(Int64(Int8(truncatingIfNeeded: integer)))
    case .int16: .int(Int64(Int16(truncatingIfNeeded: integer)))
    case .int32: .int(Int64(Int32(truncatingIfNeeded: integer)))
    default: .int(integer)
    }
  }
}

/// The least or the greatest of some values. Nulls and NaNs are left out.
///
/// Thread safety: a value.
package struct ValueExtreme: Sendable {
  package enum End: Sendable { case least, greatest }

  private let wanted: ValueOrdering
  /// Nil while no value was added.
  package private(set) var value: Value?

  package init(_ end: End) { wanted = end == .least ? .ascending : .descending }

  package mutating func add(_ candidate: Value) {
    guard !candidate.isNull, !candidate.isNaN else { return }
    if value.map({ candidate.compared(to: $0) == wanted }) ?? true { value = candidate }
  }
}

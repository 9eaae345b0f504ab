package import VarveEncoding

/// The sum and the number of some values. Values that are not numbers are skipped.
package struct ValueSum: Sendable {
  /// The number of numbers that were added.
  package private(set) var count = 0
  /// The exact sum of the integers.
  private var integer: Int128 = 0
  /// The sum of the floats and doubles, added in order.
  private var double = 0.0
  /// Whether all numbers were integers.
  private var isInteger = true
  /// The sum of the decimals, or nil if there are none.
  private var decimal: Decimal128Bits?

  package init() {}

  /// Sums the values of a sequence.
  package init(_ values: some Sequence<Value>) {
    for value in values { add(value) }
  }

  package mutating func add(_ value: Value) {
    switch value {
    case .int(let value):
      integer += Int128(value)
    case .float(let value):
      double += Double(value)
      isInteger = false
    case .double(let value):
      double += value
      isInteger = false
    case .decimal(let value): decimal = decimal.map { $0 + value } ?? value
    default: return
    }
    count += 1
  }

  /// The exact sum of integers that exceeds 64 bits, as a decimal of 34 digits; nil for other sums.
  package var wideInteger: Decimal128Bits? {
    Int64(exactly: integer) == nil ? Decimal128Bits("\(integer)") : nil
  }

  /// Adds a number of integers whose total is known.
  mutating func addIntegers(_ total: Int128, count: Int) {
    integer += total
    self.count += count
  }

  /// Adds the integers of another sum.
  mutating func addIntegers(of other: ValueSum) { addIntegers(other.integer, count: other.count) }

  /// Adds doubles in order: `body` adds them to its argument and returns their number.
  @inline(__always)
  mutating func addDoubles(_ body: (inout Double) -> Int) {
    let added = body(&double)
    if added > 0 { isInteger = false }
    count += added
  }

  /// The sum of the numbers that are not decimals.
  private var binary: Double { Double(integer) + double }

  /// The average, or nil if there were no numbers.
  package var average: Double? {
    if decimal != nil { return decimalAverage?.double }
    return count == 0 ? nil : binary / Double(count)
  }

  /// The average in a type, truncated for integers. Nil if there were no numbers, or if the type
  /// cannot represent the value.
  package func mean(as type: PropertyType) -> Value? {
    switch type {
    case .double: average.map(Value.double)
    case .mixed where decimal == nil: average.map(Value.double)
    case .float: average.map { .float(Float($0)) }
    case .decimal128, .mixed: decimalAverage.map(Value.decimal)
    case .int8, .int16, .int32, .int64:
      average.flatMap { Int64(exactly: $0.rounded(.towardZero)) }.map(Value.int)
    default: nil
    }
  }

  /// The average as a decimal, rounded to 34 digits. Nil if there were no numbers.
  package var decimalAverage: Decimal128Bits? {
    count == 0 ? nil : decimalSum / Decimal128Bits(Int64(count))
  }

  /// The sum as a decimal. Numbers that are not decimals are converted from their sum as a double.
  private var decimalSum: Decimal128Bits {
    guard let decimal else { return Decimal128Bits(shortest: binary) }
    return binary == 0 ? decimal : decimal + Decimal128Bits(shortest: binary)
  }

  /// The sum in the type of the values. Integers wrap around, and decimals are rounded to 34
  /// digits. The sum of mixed values is an integer if all numbers are integers, a decimal if any
  /// number is a decimal, and otherwise a double.
  package func value(as type: PropertyType) -> Value {
    switch type {
    case .double: .double(binary)
    case .float: .float(Float(binary))
    case .decimal128: .decimal(decimalSum)
    case .mixed where decimal != nil: .decimal(decimalSum)
    case .mixed where !isInteger: .double(binary)
    case .int8: .int(Int64(Int8(truncatingIfNeeded: integer)))
    case .int16: .int(Int64(Int16(truncatingIfNeeded: integer)))
    case .int32: .int(Int64(Int32(truncatingIfNeeded: integer)))
    default: .int(Int64(truncatingIfNeeded: integer))
    }
  }
}

/// The least or greatest of some values. Nulls and NaNs are skipped. Among mixed values, only
/// numbers are compared.
package struct ValueExtreme: Sendable {
  package enum End: Sendable { case least, greatest }

  private let better: ValueOrdering
  /// Nil if no value was added.
  package private(set) var value: Value?

  /// Whether only numbers are compared.
  private let isOfNumbers: Bool

  /// Creates an extreme of values of a type.
  package init(_ end: End, of type: PropertyType) {
    better = end == .least ? .ascending : .descending
    isOfNumbers = type == .mixed
  }

  /// The least or greatest value of a sequence.
  package init(_ end: End, of type: PropertyType, among values: some Sequence<Value>) {
    self.init(end, of: type)
    for value in values { add(value) }
  }

  package mutating func add(_ candidate: Value) {
    guard !candidate.isNull, !candidate.isNaN else { return }
    if isOfNumbers, candidate.asDouble == nil { return }
    if value.map({ candidate.compared(to: $0) == better }) ?? true { value = candidate }
  }
}

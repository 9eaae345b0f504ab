package import VarveEncoding

/// The sum of some values, with their number. What is no number is left out.
///
/// Thread safety: a value.
package struct ValueSum: Sendable {
  /// How many numbers were added.
  package private(set) var count = 0
  /// The sum of the integers among the numbers, exactly.
  private var integer: Int128 = 0
  /// The sum of the floats and doubles, added up in their order.
  private var double = 0.0
  /// Whether all numbers were integers.
  private var isInteger = true
  /// The sum of the decimals among the numbers; nil while there is none.
  private var decimal: Decimal128Bits?

  package init() {}

  /// The sum of all that `values` has.
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

  /// Adds so many integers at once.
  mutating func addIntegers(_ total: Int128, count: Int) {
    integer += total
    self.count += count
  }

  /// Adds the integers that another sum has.
  mutating func addIntegers(of other: ValueSum) { addIntegers(other.integer, count: other.count) }

  /// Adds doubles in their order: `body` adds them to what it is given, and returns their number.
  @inline(__always)
  mutating func addDoubles(_ body: (inout Double) -> Int) {
    let added = body(&double)
    if added > 0 { isInteger = false }
    count += added
  }

  /// The numbers that are no decimals.
  private var binary: Double { Double(integer) + double }

  /// The mean; nil when there was no number.
  package var average: Double? {
    if decimal != nil { return decimalAverage?.double }
    return count == 0 ? nil : binary / Double(count)
  }

  /// The mean in a type, of integers without its fraction; nil when there was no number, or the type has no such value.
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

  /// The mean as a decimal, rounded to 34 digits; nil when there was no number.
  package var decimalAverage: Decimal128Bits? {
    count == 0 ? nil : decimalSum / Decimal128Bits(Int64(count))
  }

  /// The sum of the decimals, and of the other numbers as what a Double makes of them.
  private var decimalSum: Decimal128Bits {
    guard let decimal else { return Decimal128Bits(shortest: binary) }
    return binary == 0 ? decimal : decimal + Decimal128Bits(shortest: binary)
  }

  /// The sum in the type of the values; integers wrap around, decimals are rounded to 34 digits. Of values of any type
  /// it is an integer if all numbers are, a decimal if any is, else a double.
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

/// The least or the greatest of some values. Nulls and NaNs are left out, and of values of any type what is no number.
///
/// Thread safety: a value.
package struct ValueExtreme: Sendable {
  package enum End: Sendable { case least, greatest }

  private let wanted: ValueOrdering
  /// Nil while no value was added.
  package private(set) var value: Value?

  /// Whether only numbers count.
  private let isOfNumbers: Bool

  /// `type`: of the values.
  package init(_ end: End, of type: PropertyType) {
    wanted = end == .least ? .ascending : .descending
    isOfNumbers = type == .mixed
  }

  /// The least or the greatest of `values`.
  package init(_ end: End, of type: PropertyType, among values: some Sequence<Value>) {
    self.init(end, of: type)
    for value in values { add(value) }
  }

  package mutating func add(_ candidate: Value) {
    guard !candidate.isNull, !candidate.isNaN else { return }
    if isOfNumbers, candidate.asDouble == nil { return }
    if value.map({ candidate.compared(to: $0) == wanted }) ?? true { value = candidate }
  }
}

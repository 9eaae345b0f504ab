public import Foundation
import VarveEncoding
import VarveCore

// Literals. A literal with a fraction is read as a Double; use a string for more than 17 digits.

extension Decimal128: ExpressibleByIntegerLiteral {
  /// Creates a decimal from an integer literal.
  public init(integerLiteral value: Int64) { self.init(value) }
}

extension Decimal128: ExpressibleByFloatLiteral {
  /// Creates the shortest decimal that converts back to the Double: 0.1 is 0.1. Use a string for
  /// more than 17 digits.
  public init(floatLiteral value: Double) { self.init(value) }
}

extension Decimal128: ExpressibleByStringLiteral {
  /// Creates a decimal from a string literal.
  ///
  /// - Precondition: The literal is a number. For a string known only at run time, use
  ///   ``init(string:)``.
  public init(stringLiteral value: String) {
    guard let number = Decimal128(value) else {
      Misuse.trap("The literal '\(value)' is not a decimal number.")
    }
    self = number
  }
}

// Numbers of the standard library.

extension Decimal128 {
  /// Creates a decimal from an integer. More than 34 digits are rounded, ties to even.
  public init<T: BinaryInteger>(_ value: T) {
    if let small = Int64(exactly: value) {
      self.init(Decimal128Bits(small))
    } else {
      // The text of an integer is always a number.
      self.init(Decimal128Bits(String(value)) ?? .nan)
    }
  }

  /// Creates a decimal from an integer. Returns nil when the integer has more than 34 digits.
  ///
  /// Trailing zeros do not count as digits.
  public init?<T: BinaryInteger>(exactly value: T) {
    let rounded = Decimal128(value)
    guard T(exactly: rounded) == value else { return nil }
    self = rounded
  }

  /// Creates the shortest decimal that converts back to the Double: 0.1 gives 0.1.
  public init(_ value: Double) { self.init(Decimal128Bits(shortest: value)) }

  /// Creates the shortest decimal that converts back to the Float.
  public init(_ value: Float) { self.init(Decimal128Bits(value.description) ?? .nan) }

  /// Creates a decimal with the exact value of the Double. Returns nil when that value has more
  /// than 34 digits.
  ///
  /// `Decimal128(exactly: 0.1)` is nil, because no Double is exactly 0.1.
  public init?(exactly value: Double) {
    guard value.isFinite else {
      self.init(value)
      return
    }
    // 34 digits of the exact value. If digits are missing, the comparison finds a difference.
    let digits = String(format: "%.33e", value)
    guard let bits = Decimal128Bits(digits), bits.order(double: value) == 0 else { return nil }
    self.init(
      Decimal128Bits(shortest: value).order(double: value) == 0 ? .init(shortest: value) : bits)
  }

  /// The nearest Double, ties to even. Infinite when the number is out of range.
  public var doubleValue: Double { bits.double }
}

extension Double {
  /// Creates the nearest Double. Infinite when the number is out of range.
  public init(_ value: Decimal128) { self = value.doubleValue }
}

extension BinaryInteger {
  /// Creates an integer with the same value. Returns nil when the number has a fraction, is out of
  /// range, or is not finite.
  public init?(exactly value: Decimal128) {
    guard let number = value.bits.finite?.trimmed() else { return nil }
    if number.coefficient == 0 {
      self = 0
      return
    }
    // Numbers of 10^38 and above fit only the 128-bit integers of the standard library.
    guard number.exponent >= 0, number.exponent <= 38 else { return nil }
    var magnitude = number.coefficient
    for _ in 0..<number.exponent {
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      magnitude = product
    }
    guard number.isNegative else {
      self.init(exactly: magnitude)
      return
    }
    guard magnitude <= UInt128(1) << 127 else { return nil }
    self.init(exactly: Int128(truncatingIfNeeded: 0 &- magnitude))
  }
}

// Foundation's `Decimal`: up to 38 digits, exponents from -128 to 127, no infinities.

extension Decimal128 {
  /// Creates a decimal from a Foundation `Decimal`. More than 34 digits are rounded, ties to even.
  public init(_ value: Decimal) {
    self.init(value.isNaN ? .nan : Decimal128Bits(value.description) ?? .nan)
  }

  /// Creates a decimal from a Foundation `Decimal`. Returns nil when it has more than 34 digits.
  public init?(exactly value: Decimal) {
    let rounded = Decimal128(value)
    guard value.isNaN || Decimal(exactly: rounded) == value else { return nil }
    self = rounded
  }

  /// Creates a decimal from an `NSNumber`. An `NSDecimalNumber` is exact up to 34 digits; other
  /// numbers are converted like their Swift types.
  public init(number: NSNumber) {
    if let decimal = number as? NSDecimalNumber {
      self.init(decimal.decimalValue)
    } else if let integer = Int64(exactly: number) {
      self.init(integer)
    } else if let integer = UInt64(exactly: number) {
      self.init(integer)
    } else {
      self.init(number.doubleValue)
    }
  }

  /// The number as a Foundation `Decimal`, or nil when `Decimal` cannot represent it exactly.
  public var decimalValue: Decimal? { Decimal(exactly: self) }
}

extension Decimal {
  /// Creates a `Decimal` with the same value. Returns nil for infinities and for numbers that
  /// `Decimal` cannot represent exactly.
  public init?(exactly value: Decimal128) {
    let nearest = Decimal(value)
    guard value.isNaN || Decimal128(nearest) == value else { return nil }
    self = nearest
  }

  /// Creates the nearest `Decimal`, ties to even. Digits past the 128th decimal place are lost. NaN
  /// for infinities and for numbers that are out of range.
  public init(_ value: Decimal128) {
    guard let number = value.bits.finite?.trimmed() else {
      self = .nan
      return
    }
    let exponents = -128...127
    let dropped = Swift.max(exponents.lowerBound - number.exponent, 0)
    let zeros = Swift.max(number.exponent - exponents.upperBound, 0)
    var coefficient = number.rounded(dropping: dropped)
    for _ in 0..<(coefficient == 0 ? 0 : zeros) {
      let (product, overflow) = coefficient.multipliedReportingOverflow(by: 10)
      guard !overflow else {
        self = .nan
        return
      }
      coefficient = product
    }
    self.init(
      sign: number.isNegative ? .minus : .plus, exponent: number.exponent + dropped - zeros,
      significand: Decimal(coefficient: coefficient))
  }

  private init(coefficient: UInt128) {
    let unit: UInt128 = 10_000_000_000_000_000_000
    let (high, low) = coefficient.quotientAndRemainder(dividingBy: unit)
    // Two products of 19 digits each, so that the sum is exact.
    self =
      Decimal(UInt64(high / 10)) * Decimal(UInt64(unit)) * 10
      + Decimal(UInt64(high % 10)) * Decimal(UInt64(unit)) + Decimal(UInt64(low))
  }
}

public import Foundation
import VarveEncoding

// Literals. A literal with a fraction is read as a Double: digits past the 17th are for a text.

extension Decimal128: ExpressibleByIntegerLiteral {
  /// The integer.
  public init(integerLiteral value: Int64) { self.init(value) }
}

extension Decimal128: ExpressibleByFloatLiteral {
  /// The shortest decimal that reads back as the Double: 0.1 is 0.1. More than 17 digits take a text.
  public init(floatLiteral value: Double) { self.init(value) }
}

extension Decimal128: ExpressibleByStringLiteral {
  /// The number that the text says.
  ///
  /// - Precondition: the text is a number; one that is known only when the program runs goes to ``init(string:)``.
  public init(stringLiteral value: String) {
    guard let number = Decimal128(value) else {
      preconditionFailure("The literal '\(value)' is no decimal number.")
    }
    self = number
  }
}

// Numbers of the standard library.

extension Decimal128 {
  /// An integer; more than 34 digits are rounded, ties to the even digit.
  public init<T: BinaryInteger>(_ value: T) {
    if let small = Int64(exactly: value) {
      self.init(Decimal128Bits(small))
    } else {
      // The text of an integer is a number.
      self.init(Decimal128Bits(String(value)) ?? .nan)
    }
  }

  /// An integer; nil when it has more than 34 digits.
  ///
  /// Zeros at the end do not count.
  public init?<T: BinaryInteger>(exactly value: T) {
    let rounded = Decimal128(value)
    guard T(exactly: rounded) == value else { return nil }
    self = rounded
  }

  /// The shortest decimal that reads back as the Double: 0.1 gives 0.1.
  public init(_ value: Double) { self.init(Decimal128Bits(shortest: value)) }

  /// The shortest decimal that reads back as the Float.
  public init(_ value: Float) { self.init(Decimal128Bits(value.description) ?? .nan) }

  /// The number that the Double is, to its last binary digit; nil when that has more than 34 digits.
  ///
  /// `Decimal128(exactly: 0.1)` is nil: no Double is 0.1.
  public init?(exactly value: Double) {
    guard value.isFinite else {
      self.init(value)
      return
    }
    // 34 digits of the exact number: what is left out would be the difference.
    let digits = String(format: "%.33e", value)
    guard let bits = Decimal128Bits(digits), bits.order(double: value) == 0 else { return nil }
    self.init(
      Decimal128Bits(shortest: value).order(double: value) == 0 ? .init(shortest: value) : bits)
  }

  /// The nearest Double, ties to even; an infinity for what is beyond the greatest.
  public var doubleValue: Double { bits.double }
}

extension Double {
  /// The nearest Double; an infinity for what is beyond the greatest.
  public init(_ value: Decimal128) { self = value.doubleValue }
}

extension BinaryInteger {
  /// The integer that the number is; nil when it has a fraction, is out of range or no number.
  public init?(exactly value: Decimal128) {
    guard let number = value.bits.finite?.trimmed() else { return nil }
    if number.coefficient == 0 {
      self = 0
      return
    }
    // 10^38 and above fits no integer of the standard library but as 128 bits.
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

// Foundation's decimal numbers: up to 38 digits, exponents from -128 to 127, no infinities.

extension Decimal128 {
  /// A decimal number of Foundation; more than 34 digits are rounded, ties to the even digit.
  public init(_ value: Decimal) {
    self.init(value.isNaN ? .nan : Decimal128Bits(value.description) ?? .nan)
  }

  /// A decimal number of Foundation; nil when it has more than 34 digits.
  public init?(exactly value: Decimal) {
    let rounded = Decimal128(value)
    guard value.isNaN || Decimal(exactly: rounded) == value else { return nil }
    self = rounded
  }

  /// A number of Foundation: a decimal one exactly up to 34 digits, others as their Swift types.
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

  /// The number as Foundation's, if that has it exactly; nil else.
  public var decimalValue: Decimal? { Decimal(exactly: self) }
}

extension Decimal {
  /// The number, exactly; nil for infinities, and for what is beyond the type's exponents.
  public init?(exactly value: Decimal128) {
    let nearest = Decimal(value)
    guard value.isNaN || Decimal128(nearest) == value else { return nil }
    self = nearest
  }

  /// The nearest number of the type, ties to even: digits past the 128th place of the fraction are lost. NaN
  /// for infinities and for what is too great.
  public init(_ value: Decimal128) {
    guard let number = value.bits.finite?.trimmed() else {
      self = .nan
      return
    }
    let places = -128...127
    let dropped = Swift.max(places.lowerBound - number.exponent, 0)
    let zeros = Swift.max(number.exponent - places.upperBound, 0)
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
    // Two products of 19 digits each: the sum is exact.
    self =
      Decimal(UInt64(high / 10)) * Decimal(UInt64(unit)) * 10
      + Decimal(UInt64(high % 10)) * Decimal(UInt64(unit)) + Decimal(UInt64(low))
  }
}

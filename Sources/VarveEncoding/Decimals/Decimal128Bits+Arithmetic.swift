// Arithmetic as defined by IEEE 754-2008: the exact result, rounded once to 34 digits, ties to
// even. An operation on a NaN and an undefined operation give NaN; nothing traps.

extension Decimal128Bits {
  /// The number of digits of intermediate results: enough to round from, and their sums fit.
  private static let workingDigits = 37

  package static func + (a: Decimal128Bits, b: Decimal128Bits) -> Decimal128Bits {
    guard let left = a.finite, let right = b.finite else {
      if a.isNaN || b.isNaN { return .nan }
      guard a.isInfinite, b.isInfinite else { return a.isInfinite ? a : b }
      return a.isNegative == b.isNegative ? a : .nan
    }
    return left.exponent >= right.exponent ? sum(left, right) : sum(right, left)
  }

  package static func - (a: Decimal128Bits, b: Decimal128Bits) -> Decimal128Bits { a + b.negated }

  package static func * (a: Decimal128Bits, b: Decimal128Bits) -> Decimal128Bits {
    let isNegative = a.isNegative != b.isNegative
    guard let left = a.finite, let right = b.finite else {
      if a.isNaN || b.isNaN || a.isZero || b.isZero { return .nan }
      return .infinity(isNegative: isNegative)
    }
    let exponent = left.exponent + right.exponent
    let (high, low) = left.coefficient.multipliedFullWidth(by: right.coefficient)
    let excess = left.digitCount + right.digitCount - workingDigits
    guard excess > 0 else {
      return Decimal128Bits(
        rounding: FiniteDecimal(isNegative: isNegative, coefficient: low, exponent: exponent))
    }
    let (digits, remainder) = FiniteDecimal.powers[excess].dividingFullWidth((high, low))
    return Decimal128Bits(
      rounding: FiniteDecimal(
        isNegative: isNegative, coefficient: digits, exponent: exponent + excess),
      isInexact: remainder != 0)
  }

  package static func / (a: Decimal128Bits, b: Decimal128Bits) -> Decimal128Bits {
    let isNegative = a.isNegative != b.isNegative
    guard let left = a.finite, let right = b.finite else {
      if a.isNaN || b.isNaN || (a.isInfinite && b.isInfinite) { return .nan }
      guard b.isInfinite else { return .infinity(isNegative: isNegative) }
      return Decimal128Bits(
        FiniteDecimal(isNegative: isNegative, coefficient: 0, exponent: exponents.lowerBound))
    }
    let exponent = left.exponent - right.exponent
    guard right.coefficient != 0 else {
      return left.coefficient == 0 ? .nan : .infinity(isNegative: isNegative)
    }
    guard left.coefficient != 0 else {
      return Decimal128Bits(
        rounding: FiniteDecimal(isNegative: isNegative, coefficient: 0, exponent: exponent))
    }
    // With 34 digits on both sides the quotient has 37 or 38.
    let leftShift = maximumDigits - left.digitCount
    let rightShift = maximumDigits - right.digitCount
    let divisor = right.coefficient * FiniteDecimal.powers[rightShift]
    let dividend = (left.coefficient * FiniteDecimal.powers[leftShift]).multipliedFullWidth(
      by: FiniteDecimal.powers[workingDigits])
    let (digits, remainder) = divisor.dividingFullWidth(dividend)
    let quotient = FiniteDecimal(
      isNegative: isNegative, coefficient: digits,
      exponent: exponent - leftShift + rightShift - workingDigits)
    return Decimal128Bits(
      rounding: remainder == 0 ? quotient.trimmed(upTo: exponent) : quotient,
      isInexact: remainder != 0)
  }

  /// The sum of two numbers of which the first has the higher exponent.
  private static func sum(_ a: FiniteDecimal, _ b: FiniteDecimal) -> Decimal128Bits {
    let distance = a.exponent - b.exponent
    if a.coefficient == 0, b.coefficient == 0 {
      return Decimal128Bits(
        FiniteDecimal(
          isNegative: a.isNegative && b.isNegative, coefficient: 0, exponent: b.exponent))
    }
    if a.coefficient == 0 { return Decimal128Bits(b) }
    if a.digitCount + distance <= workingDigits {
      return sum(
        a.coefficient * FiniteDecimal.powers[distance], a.isNegative, b.coefficient, b.isNegative,
        exponent: b.exponent, isInexact: false)
    }
    // The first number is far greater: a part of the second is cut off.
    let shift = workingDigits - a.digitCount
    let exponent = a.exponent - shift
    let cut = exponent - b.exponent
    var digits: UInt128 = 0
    var remainder = b.coefficient
    if cut < FiniteDecimal.powers.count {
      (digits, remainder) = b.coefficient.quotientAndRemainder(
        dividingBy: FiniteDecimal.powers[cut])
    }
    return sum(
      a.coefficient * FiniteDecimal.powers[shift], a.isNegative, digits, b.isNegative,
      exponent: exponent, isInexact: remainder != 0)
  }

  /// Returns the sum of two coefficients with one exponent. If it is inexact, the second one has a
  /// fraction in addition.
  private static func sum(
    _ a: UInt128, _ aIsNegative: Bool, _ b: UInt128, _ bIsNegative: Bool, exponent: Int,
    isInexact: Bool
  ) -> Decimal128Bits {
    if aIsNegative == bIsNegative {
      return Decimal128Bits(
        rounding: FiniteDecimal(isNegative: aIsNegative, coefficient: a + b, exponent: exponent),
        isInexact: isInexact)
    }
    if a == b {
      return Decimal128Bits(
        rounding: FiniteDecimal(isNegative: false, coefficient: 0, exponent: exponent))
    }
    let isFirst = a > b
    let difference = isFirst ? a - b : b - a
    return Decimal128Bits(
      rounding: FiniteDecimal(
        isNegative: isFirst ? aIsNegative : bIsNegative,
        // The subtrahend has a fraction, so that the whole part is one less.
        coefficient: difference - (isInexact ? 1 : 0), exponent: exponent),
      isInexact: isInexact)
  }
}

/// A decimal number taken apart: ± coefficient × 10^exponent.
///
/// Thread safety: an immutable value.
package struct FiniteDecimal: Sendable {
  package let isNegative: Bool
  /// Of a number that is stored at most 34 digits; of one that is to be rounded up to 38.
  package let coefficient: UInt128
  package let exponent: Int

  /// 10^0 to 10^38, all that fit.
  static let powers: [UInt128] = (0..<38).reduce(into: [1]) { powers, place in
    powers.append(powers[place] * 10)
  }

  /// How many digits a number has; 0 has none.
  static func digits(_ value: UInt128) -> Int {
    // log10(2) = 1233 / 4096 and a little more: the estimate is right or one too low.
    let estimate = ((128 - value.leadingZeroBitCount) * 1233) >> 12
    return estimate < powers.count && value >= powers[estimate] ? estimate + 1 : estimate
  }

  /// How many digits the coefficient has; 0 has none.
  var digitCount: Int { Self.digits(coefficient) }

  /// Where the number begins: it is 0.d₁d₂d₃… × 10^start.
  var start: Int { exponent + digitCount }

  /// The coefficient without its last digits, rounded, ties to the even digit.
  ///
  /// `isInexact`: whether a fraction of the last digit was left out already.
  package func rounded(dropping count: Int, isInexact: Bool = false) -> UInt128 {
    if count == 0 { return coefficient }
    // Less than half of what would be the last digit.
    guard count < Self.powers.count else { return 0 }
    let divisor = Self.powers[count]
    let (whole, rest) = coefficient.quotientAndRemainder(dividingBy: divisor)
    let half = divisor / 2
    return whole + (rest > half || rest == half && (isInexact || whole & 1 == 1) ? 1 : 0)
  }

  /// The same number with fewer zeros at the end: none, or as many as leave the exponent at `limit`. A zero is
  /// left as it is.
  package func trimmed(upTo limit: Int = .max) -> FiniteDecimal {
    guard coefficient != 0 else { return self }
    var coefficient = coefficient
    var exponent = exponent
    while exponent < limit {
      let (quotient, remainder) = coefficient.quotientAndRemainder(dividingBy: 10)
      if remainder != 0 { break }
      coefficient = quotient
      exponent += 1
    }
    return FiniteDecimal(isNegative: isNegative, coefficient: coefficient, exponent: exponent)
  }
}

extension Decimal128Bits {
  /// The nearest number that has 34 digits, ties to the even one: an infinity above the greatest, a zero below
  /// the smallest.
  ///
  /// - Parameters:
  ///   - number: the number, or the whole part of it.
  ///   - isInexact: whether a fraction of its last digit was left out.
  /// - Precondition: an inexact number has at least 36 digits.
  package init(rounding number: FiniteDecimal, isInexact: Bool = false) {
    let limits = Self.exponents
    let digits = number.digitCount
    let dropped = max(digits - Self.maximumDigits, limits.lowerBound - number.exponent, 0)
    var coefficient = number.rounded(dropping: dropped, isInexact: isInexact)
    var exponent = number.exponent + dropped
    if coefficient == FiniteDecimal.powers[Self.maximumDigits] {
      coefficient /= 10
      exponent += 1
    }
    if exponent > limits.upperBound {
      let zeros = exponent - limits.upperBound
      if coefficient != 0 {
        guard FiniteDecimal.digits(coefficient) + zeros <= Self.maximumDigits else {
          self = .infinity(isNegative: number.isNegative)
          return
        }
        coefficient *= FiniteDecimal.powers[zeros]
      }
      exponent = limits.upperBound
    }
    self.init(
      FiniteDecimal(isNegative: number.isNegative, coefficient: coefficient, exponent: exponent))
  }
}

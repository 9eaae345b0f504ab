/// A decomposed decimal number: ± coefficient × 10^exponent.
package struct FiniteDecimal: Sendable {
  package let isNegative: Bool
  /// A stored number has at most 34 digits; a number to be rounded has up to 38.
  package let coefficient: UInt128
  package let exponent: Int

  /// 10^0 to 10^38, the powers that fit.
  static let powers: [UInt128] = (0..<38).reduce(into: [1]) { powers, index in
    powers.append(powers[index] * 10)
  }

  /// Returns the number of digits of a value; 0 has none.
  static func digits(_ value: UInt128) -> Int {
    // log10(2) = 1233 / 4096 and a little more: the estimate is right or one too low.
    let estimate = ((128 - value.leadingZeroBitCount) * 1233) >> 12
    return estimate < powers.count && value >= powers[estimate] ? estimate + 1 : estimate
  }

  /// The number of digits of the coefficient; 0 has none.
  var digitCount: Int { Self.digits(coefficient) }

  /// The decimal position at which the number begins: it is 0.d₁d₂d₃… × 10^start.
  var start: Int { exponent + digitCount }

  /// Returns the coefficient without its last digits, rounded, ties to even.
  ///
  /// - Parameter isInexact: Whether a fraction of the last digit was cut off already.
  package func rounded(dropping count: Int, isInexact: Bool = false) -> UInt128 {
    if count == 0 { return coefficient }
    // Less than half of the last remaining digit.
    guard count < Self.powers.count else { return 0 }
    let divisor = Self.powers[count]
    let (quotient, remainder) = coefficient.quotientAndRemainder(dividingBy: divisor)
    let half = divisor / 2
    return quotient
      + (remainder > half || remainder == half && (isInexact || quotient & 1 == 1) ? 1 : 0)
  }

  /// Returns the number with fewer trailing zeros: none, or as many as keep the exponent at
  /// `limit`. A zero is unchanged.
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
  /// Creates the nearest number that has 34 digits, ties to even: an infinity above the greatest, a
  /// zero below the smallest.
  ///
  /// - Parameters:
  ///   - number: The number, or its whole part.
  ///   - isInexact: Whether a fraction of its last digit was cut off.
  /// - Precondition: An inexact number has at least 36 digits.
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

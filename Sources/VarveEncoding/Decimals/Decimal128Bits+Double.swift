// Conversion and comparison of decimal and binary numbers: every comparison is exact.

extension Decimal128Bits {
  /// The shortest decimal that converts back to the Double: 0.1 gives 0.1.
  package init(shortest value: Double) {
    // A Double's text is a decimal of at most 17 digits, or the name of an infinity or NaN.
    let decimal = Decimal128Bits(value.description) ?? .nan
    guard let number = decimal.finite else {
      self = decimal
      return
    }
    self = Decimal128Bits(
      number.coefficient == 0
        ? FiniteDecimal(isNegative: number.isNegative, coefficient: 0, exponent: 0)
        : number.trimmed(upTo: 0))
  }

  /// The nearest Double, ties to even; an infinity on overflow.
  package var double: Double {
    guard let number = finite else { return isNaN ? .nan : isNegative ? -.infinity : .infinity }
    // Converted through text without a point, which is correctly rounded for every number.
    let magnitude = Double("\(number.coefficient)e\(number.exponent)") ?? .nan
    return number.isNegative ? -magnitude : magnitude
  }

  /// The greatest Double that is not above the number, and whether it equals the number.
  ///
  /// A NaN gives a NaN, and an infinity an infinity.
  package var floor: (double: Double, isExact: Bool) {
    let nearest = double
    guard let number = finite else { return (nearest, true) }
    if nearest == .infinity { return (.greatestFiniteMagnitude, false) }
    if nearest == -.infinity { return (nearest, false) }
    switch number.order(finite: nearest) {
    case 0: return (nearest, true)
    case 1: return (nearest == 0 ? 0 : nearest, false)
    default: return (nearest.nextDown, false)
    }
  }

  /// Compares the number with a Double: -1, 0 or 1; nil when one is a NaN.
  package func order(double other: Double) -> Int? {
    if isNaN || other.isNaN { return nil }
    guard let number = finite, other.isFinite else {
      let own = isInfinite ? (isNegative ? -1 : 1) : 0
      let others = other.isInfinite ? (other < 0 ? -1 : 1) : 0
      return own < others ? -1 : own == others ? 0 : 1
    }
    return number.order(finite: other)
  }
}

extension FiniteDecimal {
  /// Compares the number with a finite Double, exactly: -1, 0 or 1.
  fileprivate func order(finite other: Double) -> Int {
    let sign = coefficient == 0 ? 0 : isNegative ? -1 : 1
    let otherSign = other == 0 ? 0 : other < 0 ? -1 : 1
    if sign != otherSign { return sign < otherSign ? -1 : 1 }
    if sign == 0 { return 0 }
    return sign * magnitudeOrder(other.magnitude)
  }

  /// Compares the magnitudes. See ``order(finite:)``. Neither is 0.
  private func magnitudeOrder(_ other: Double) -> Int {
    // The magnitude of a Double is between 10^-324 and 10^309.
    if start > 310 { return 1 }
    if start < -324 { return -1 }
    // c × 10^q against m × 2^e: negative exponents move to the other side.
    let binary = Int(other.exponent) - 52
    let significand = UInt64((other.significand * 0x1p52).rounded())
    let shift = exponent - binary
    var left = WideMagnitude(coefficient)
    var right = WideMagnitude(UInt128(significand))
    if exponent > 0 { left.multiply(byPowerOfFive: exponent) }
    if exponent < 0 { right.multiply(byPowerOfFive: -exponent) }
    if shift > 0 { left.shift(by: shift) } else { right.shift(by: -shift) }
    return left.order(right)
  }
}

/// A natural number of any size, with only the operations that a comparison needs.
private struct WideMagnitude {
  /// The words from the lowest on, without zeros at the end.
  private var words: [UInt64]

  init(_ value: UInt128) {
    words = [UInt64(truncatingIfNeeded: value), UInt64(truncatingIfNeeded: value >> 64)]
    trim()
  }

  mutating func multiply(byPowerOfFive count: Int) {
    var rest = count
    while rest > 0 {
      // 5^27 is the greatest power that fits a word.
      let step = min(rest, 27)
      multiply(by: (0..<step).reduce(1) { power, _ in power * 5 })
      rest -= step
    }
  }

  private mutating func multiply(by factor: UInt64) {
    var carry: UInt64 = 0
    for index in words.indices {
      let product = words[index].multipliedFullWidth(by: factor)
      let (low, overflow) = product.low.addingReportingOverflow(carry)
      words[index] = low
      carry = product.high + (overflow ? 1 : 0)
    }
    if carry > 0 { words.append(carry) }
  }

  mutating func shift(by bits: Int) {
    let rest = UInt64(bits % 64)
    if rest > 0 { multiply(by: 1 << rest) }
    words.insert(contentsOf: repeatElement(0, count: bits / 64), at: 0)
  }

  private mutating func trim() {
    while words.last == 0 { words.removeLast() }
  }

  func order(_ other: WideMagnitude) -> Int {
    if words.count != other.words.count { return words.count < other.words.count ? -1 : 1 }
    for (a, b) in zip(words.reversed(), other.words.reversed()) where a != b {
      return a < b ? -1 : 1
    }
    return 0
  }
}

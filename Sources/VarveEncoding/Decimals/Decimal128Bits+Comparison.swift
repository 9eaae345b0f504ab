extension Decimal128Bits {
  /// Compares two numbers: -1, 0 or 1; nil when one is a NaN.
  ///
  /// - Complexity: O(1).
  package func order(_ other: Decimal128Bits) -> Int? {
    if isNaN || other.isNaN { return nil }
    guard let a = finite, let b = other.finite else {
      return Self.infiniteRank(self) - Self.infiniteRank(other) < 0
        ? -1 : Self.infiniteRank(self) == Self.infiniteRank(other) ? 0 : 1
    }
    if a.coefficient == 0 || b.coefficient == 0 {
      return a.coefficient != 0
        ? (a.isNegative ? -1 : 1) : b.coefficient == 0 ? 0 : b.isNegative ? 1 : -1
    }
    if a.isNegative != b.isNegative { return a.isNegative ? -1 : 1 }
    let order = Self.magnitudeOrder(a, b)
    return a.isNegative ? -order : order
  }

  private static func infiniteRank(_ number: Decimal128Bits) -> Int {
    number.isInfinite ? (number.isNegative ? -1 : 1) : 0
  }

  private static func magnitudeOrder(_ a: FiniteDecimal, _ b: FiniteDecimal) -> Int {
    if a.start != b.start { return a.start < b.start ? -1 : 1 }
    // Both begin at the same decimal position, so that the exponents differ by less than 34.
    let distance = a.exponent - b.exponent
    let left = distance > 0 ? a.coefficient * FiniteDecimal.powers[distance] : a.coefficient
    let right = distance < 0 ? b.coefficient * FiniteDecimal.powers[-distance] : b.coefficient
    return left < right ? -1 : left == right ? 0 : 1
  }
}

extension Decimal128Bits: Hashable {
  /// Equal numbers, whatever their exponents; NaNs are equal.
  @usableFromInline
  package static func == (a: Decimal128Bits, b: Decimal128Bits) -> Bool {
    a.isIdentical(to: b) || (a.isNaN && b.isNaN) || a.order(b) == 0
  }

  @usableFromInline
  package func hash(into hasher: inout Hasher) {
    guard let number = finite?.trimmed() else {
      hasher.combine(isNaN)
      hasher.combine(!isNaN && isNegative)
      return
    }
    hasher.combine(number.coefficient)
    guard number.coefficient != 0 else { return }
    hasher.combine(number.isNegative)
    hasher.combine(number.exponent)
  }
}

extension Decimal128Bits: Comparable {
  /// A total order: NaN first, then the numbers.
  @usableFromInline
  package static func < (a: Decimal128Bits, b: Decimal128Bits) -> Bool {
    if let order = a.order(b) { return order < 0 }
    return a.isNaN && !b.isNaN
  }
}

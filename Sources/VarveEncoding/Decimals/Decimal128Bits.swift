/// A decimal number of up to 34 digits: the bits of an IEEE 754-2008 decimal128 in its binary
/// encoding.
///
/// `==` compares numbers: 1 equals 1.00, -0 equals 0, and all NaNs are equal. A stored number keeps
/// its exponent: 1.00 reads back as 1.00.
///
/// Byte layout: Docs/Format.md, "Decimal numbers".
@usableFromInline
package struct Decimal128Bits: Sendable {
  // Two words and not one UInt128, whose alignment would make every `Value` larger.

  /// Sign, exponent and the upper digits.
  @usableFromInline package let high: UInt64
  /// The lower digits.
  @usableFromInline package let low: UInt64

  @usableFromInline package static let byteCount = 16

  /// The maximum number of digits.
  package static let maximumDigits = 34
  /// The range of exponents: a number is an integer below 10^34 times 10^exponent.
  package static let exponents = -6176...6111

  package static let zero = Decimal128Bits(0)
  package static let nan = Decimal128Bits(high: 0x7C00_0000_0000_0000, low: 0)
  package static let infinity = Decimal128Bits(high: 0x7800_0000_0000_0000, low: 0)
  package static let negativeInfinity = Decimal128Bits(high: 0xF800_0000_0000_0000, low: 0)
  /// The greatest finite number; the least is its negative.
  package static let greatestFinite = Decimal128Bits(
    FiniteDecimal(
      isNegative: false, coefficient: FiniteDecimal.powers[maximumDigits] - 1,
      exponent: exponents.upperBound))

  /// Creates a number from its stored bits.
  @inlinable
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Creates a number from the stored 16 bytes, loaded at once.
  package init(littleEndian stored: UInt128) {
    let bits = UInt128(littleEndian: stored)
    self.init(high: UInt64(truncatingIfNeeded: bits >> 64), low: UInt64(truncatingIfNeeded: bits))
  }

  /// The stored 16 bytes.
  package var littleEndian: UInt128 { (UInt128(high) << 64 | UInt128(low)).littleEndian }

  /// Reads the 16 bytes at `source`.
  ///
  /// - Precondition: 16 bytes can be read there.
  @inlinable
  package init(unchecked source: UnsafeRawPointer) {
    low = source.uint64(at: 0)
    high = source.uint64(at: 8)
  }

  /// Writes the 16 bytes to `target`.
  ///
  /// - Precondition: 16 bytes can be written there.
  @inlinable
  package func store(to target: UnsafeMutableRawPointer) {
    target.store(low, at: 0)
    target.store(high, at: 8)
  }

  /// Creates a number that equals an integer.
  package init(_ value: Int64) {
    self.init(
      FiniteDecimal(
        isNegative: value < 0, coefficient: UInt128(value.magnitude), exponent: 0))
  }
}

// Fields of the bits.

extension Decimal128Bits {
  private static let exponentBias = 6176
  private static let combination: UInt64 = 0x6000_0000_0000_0000
  private static let special: UInt64 = 0x7800_0000_0000_0000
  private static let specialKind: UInt64 = 0x7C00_0000_0000_0000

  @usableFromInline package var isNaN: Bool { high & Self.specialKind == Self.specialKind }
  package var isInfinite: Bool { high & Self.specialKind == Self.special }
  package var isFinite: Bool { high & Self.special != Self.special }
  /// Whether the sign is set, also for zeros and NaNs.
  package var isNegative: Bool { high >> 63 == 1 }
  package var isZero: Bool { finite?.coefficient == 0 }

  /// Sign, digits and exponent; nil for infinities and NaNs.
  ///
  /// As the standard requires, a coefficient of more than 34 digits is read as zero. No writer
  /// stores one.
  package var finite: FiniteDecimal? {
    guard isFinite else { return nil }
    guard high & Self.combination != Self.combination else {
      return FiniteDecimal(
        isNegative: isNegative, coefficient: 0,
        exponent: Int(high >> 47 & 0x3FFF) - Self.exponentBias)
    }
    let coefficient = UInt128(high & 0x1_FFFF_FFFF_FFFF) << 64 | UInt128(low)
    return FiniteDecimal(
      isNegative: isNegative,
      coefficient: coefficient < FiniteDecimal.powers[Self.maximumDigits] ? coefficient : 0,
      exponent: Int(high >> 49 & 0x3FFF) - Self.exponentBias)
  }

  /// Creates the bits of a number that needs no rounding.
  ///
  /// - Precondition: The number has at most 34 digits and an exponent in ``exponents``.
  init(_ number: FiniteDecimal) {
    precondition(
      number.coefficient < FiniteDecimal.powers[Self.maximumDigits]
        && Self.exponents.contains(number.exponent), "The number needs rounding")
    let exponent = UInt64(number.exponent + Self.exponentBias)
    let digits = UInt64(truncatingIfNeeded: number.coefficient >> 64)
    self.init(
      high: (number.isNegative ? 1 << 63 : 0) | exponent << 49 | digits,
      low: UInt64(truncatingIfNeeded: number.coefficient))
  }

  /// Returns an infinity.
  static func infinity(isNegative: Bool) -> Decimal128Bits {
    isNegative ? negativeInfinity : infinity
  }

  /// The number with the opposite sign; a NaN unchanged.
  package var negated: Decimal128Bits {
    isNaN ? self : Decimal128Bits(high: high ^ 1 << 63, low: low)
  }

  /// The absolute value; a NaN unchanged.
  package var magnitude: Decimal128Bits { isNegative ? negated : self }

  /// Whether both have the same stored bits: 1 is not identical to 1.00.
  package func isIdentical(to other: Decimal128Bits) -> Bool {
    high == other.high && low == other.low
  }
}

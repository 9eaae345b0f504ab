/// An exact number that no Double can represent, as ordered bytes: ± 0.d₁d₂d₃… × 10^exponent, with
/// d₁ ≠ 0 and without trailing zeros, so that one number has one representation regardless of its
/// original type.
///
/// Byte layout: Docs/Format.md, "Numbers in mixed keys".
struct ExactDecimal {
  /// The byte after the floor: the number is that Double …
  static let isDouble: UInt8 = 0x00
  /// … or it is greater, and its decimal follows.
  static let isAboveDouble: UInt8 = 0x01

  private static let negativeSign: UInt8 = 0x01
  private static let positiveSign: UInt8 = 0x02
  private static let exponentBias = 0x8000

  let isNegative: Bool
  let exponent: Int
  /// The digits in pairs, each 0 to 99; the last one is padded with a zero.
  let pairs: [UInt8]

  /// Creates the decimal of an integer other than 0.
  init(_ value: Int64) {
    self.init(isNegative: value < 0, digits: String(value.magnitude), exponent: 0)
  }

  /// Creates the decimal of a number other than 0.
  init(_ number: FiniteDecimal) {
    self.init(
      isNegative: number.isNegative, digits: String(number.coefficient), exponent: number.exponent)
  }

  /// `digits` × 10^`exponent`.
  init(isNegative: Bool, digits text: String, exponent shift: Int) {
    var digits = text.utf8.map { $0 - UInt8(ascii: "0") }
    self.isNegative = isNegative
    exponent = digits.count + shift
    while digits.last == 0 { digits.removeLast() }
    if digits.count % 2 == 1 { digits.append(0) }
    pairs = stride(from: 0, to: digits.count, by: 2).map { digits[$0] * 10 + digits[$0 + 1] }
  }

  /// Appends sign, biased exponent and digits; for a negative number all after the sign inverted.
  func append(to key: inout some KeyParts) {
    let mask: UInt8 = isNegative ? 0xFF : 0
    let biased = UInt16(truncatingIfNeeded: exponent + Self.exponentBias)
    key.append(byte: isNegative ? Self.negativeSign : Self.positiveSign)
    key.append(byte: UInt8(biased >> 8) ^ mask)
    key.append(byte: UInt8(biased & 0xFF) ^ mask)
    for pair in pairs { key.append(byte: (pair + 1) ^ mask) }
    key.append(byte: mask)
  }
}

// The typed form of a decimal number: Docs/Format.md, "Decimal numbers".

extension ExactDecimal {
  private static let nan: UInt8 = 0x00
  /// The byte pair that replaces the exponent of 0 and of the infinities.
  private static let zeroExponent: UInt16 = 0
  private static let infiniteExponent = UInt16.max

  /// Appends a decimal number in the typed form, without the presence byte.
  static func appendKey(of value: Decimal128Bits, to key: inout some KeyParts) {
    guard !value.isNaN else { return key.append(byte: nan) }
    if let number = value.finite, number.coefficient != 0 {
      return ExactDecimal(number).append(to: &key)
    }
    let isNegative = value.isInfinite && value.isNegative
    appendEnd(isNegative, value.isInfinite ? infiniteExponent : zeroExponent, to: &key)
  }

  private static func appendEnd(
    _ isNegative: Bool, _ exponent: UInt16, to key: inout some KeyParts
  ) {
    let mask: UInt8 = isNegative ? 0xFF : 0
    key.append(byte: isNegative ? negativeSign : positiveSign)
    key.append(byte: UInt8(exponent >> 8) ^ mask)
    key.append(byte: UInt8(exponent & 0xFF) ^ mask)
    key.append(byte: mask)
  }
}

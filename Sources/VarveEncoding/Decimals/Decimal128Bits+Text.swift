// Decimal text as defined by the General Decimal Arithmetic specification: digits, with an exponent
// if the number would need padding zeros. NaN and the infinities are written `NaN`, `Inf` and
// `-Inf`.

extension Decimal128Bits: CustomStringConvertible {
  /// The number in decimal digits; parsing it gives the same bits.
  @usableFromInline package var description: String {
    guard let number = finite else { return isNaN ? "NaN" : isNegative ? "-Inf" : "Inf" }
    return number.text(plus: "+")
  }

  /// The number in decimal digits, without trailing zeros of a fraction, and without the sign of a
  /// positive exponent. See ``description``.
  package var shortDescription: String {
    guard let number = finite else { return description }
    guard number.coefficient > 0 else { return number.isNegative ? "-0" : "0" }
    return number.trimmed(upTo: number.exponent > 0 ? .max : 0).text(plus: "")
  }

  /// Parses a number: digits with an optional sign, point and exponent, or `NaN`, `Inf` and
  /// `Infinity` in either case.
  ///
  /// More than 34 digits are rounded, ties to even; overflow gives an infinity.
  ///
  /// - Returns: nil for any other text.
  package init?(_ text: some StringProtocol) {
    var bytes = Array(text.utf8)[...]
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative || bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
    switch String(decoding: bytes, as: UTF8.self).lowercased() {
    case "nan":
      self = .nan
      return
    case "inf", "infinity":
      self = .infinity(isNegative: isNegative)
      return
    default: break
    }
    var digits = DigitReader()
    guard digits.readNumber(&bytes), let exponent = Self.exponent(bytes) else { return nil }
    self.init(
      rounding: FiniteDecimal(
        isNegative: isNegative, coefficient: digits.coefficient,
        exponent: exponent + digits.exponent),
      isInexact: digits.isInexact)
  }

  /// Parses the exponent of the remaining text; 0 for empty text, nil for an invalid exponent.
  private static func exponent(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let mark = bytes.first else { return 0 }
    guard mark | 0x20 == UInt8(ascii: "e") else { return nil }
    var rest = bytes.dropFirst()
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    guard !rest.isEmpty else { return nil }
    var exponent = 0
    for byte in rest {
      guard let digit = DigitReader.digit(byte) else { return nil }
      // Far out of range, and far from an overflow.
      exponent = min(exponent * 10 + Int(digit), 1 << 40)
    }
    return isNegative ? -exponent : exponent
  }
}

extension FiniteDecimal {
  /// Returns the number in digits, with an exponent if it would need padding zeros.
  ///
  /// - Parameter plus: The sign of a positive exponent.
  fileprivate func text(plus: String) -> String {
    let sign = isNegative ? "-" : ""
    let digits = String(coefficient)
    let point = digits.count + exponent
    if exponent > 0 || point < -5 {
      let fraction = digits.count > 1 ? "." : ""
      let power = "\(point > 0 ? plus : "-")\((point - 1).magnitude)"
      return "\(sign)\(digits.prefix(1))\(fraction)\(digits.dropFirst())E\(power)"
    }
    if exponent == 0 { return sign + digits }
    if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
    return "\(sign)\(digits.prefix(point)).\(digits.dropFirst(point))"
  }
}

/// Collects the digits of a number. Of the digits beyond its capacity, it records only whether they
/// were zeros.
private struct DigitReader {
  private(set) var coefficient: UInt128 = 0
  private(set) var exponent = 0
  private(set) var isInexact = false

  static func digit(_ byte: UInt8) -> UInt8? {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? byte - UInt8(ascii: "0") : nil
  }

  /// Reads digits with at most one point among them.
  ///
  /// - Returns: Whether there was a digit.
  mutating func readNumber(_ bytes: inout ArraySlice<UInt8>) -> Bool {
    var hasDigits = false
    var isAfterPoint = false
    while let byte = bytes.first {
      if let digit = Self.digit(byte) {
        add(digit, isAfterPoint)
        hasDigits = true
      } else if byte == UInt8(ascii: "."), !isAfterPoint {
        isAfterPoint = true
      } else {
        break
      }
      bytes.removeFirst()
    }
    return hasDigits
  }

  private mutating func add(_ digit: UInt8, _ isAfterPoint: Bool) {
    guard coefficient < FiniteDecimal.powers[37] else {
      if digit != 0 { isInexact = true }
      if !isAfterPoint { exponent += 1 }
      return
    }
    coefficient = coefficient * 10 + UInt128(digit)
    if isAfterPoint { exponent -= 1 }
  }
}

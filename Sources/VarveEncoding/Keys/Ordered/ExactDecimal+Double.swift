extension ExactDecimal {
  /// Creates the exact decimal value of a Double: up to 767 digits.
  ///
  /// - Precondition: The Double is finite and not 0.
  init(exactly double: Double) {
    let exponent = max(Int(double.exponentBitPattern), 1) - 1075
    let significand = double.significandBitPattern | (double.isNormal ? 1 << 52 : 0)
    // m × 2^e; for a negative e that equals m × 5^-e × 10^e.
    var words: [UInt32] = [
      UInt32(truncatingIfNeeded: significand), UInt32(truncatingIfNeeded: significand >> 32),
    ]
    for _ in 0..<abs(exponent) { Self.multiply(&words, by: exponent < 0 ? 5 : 2) }
    self.init(
      isNegative: double < 0, digits: Self.digits(&words), exponent: min(0, exponent))
  }

  private static func multiply(_ words: inout [UInt32], by factor: UInt64) {
    var carry: UInt64 = 0
    for index in words.indices {
      carry += UInt64(words[index]) * factor
      words[index] = UInt32(truncatingIfNeeded: carry)
      carry >>= 32
    }
    if carry > 0 { words.append(UInt32(carry)) }
  }

  /// Returns the decimal digits of a natural number given from its lowest word up, without leading
  /// zeros.
  private static func digits(_ words: inout [UInt32]) -> String {
    var groups: [String] = []
    while let last = words.last {
      guard last > 0 else {
        words.removeLast()
        continue
      }
      var rest: UInt64 = 0
      for index in words.indices.reversed() {
        rest = rest << 32 | UInt64(words[index])
        words[index] = UInt32(rest / 1_000_000_000)
        rest %= 1_000_000_000
      }
      let group = String(rest)
      groups.append(String(repeating: "0", count: 9 - group.count) + group)
    }
    return String(groups.reversed().joined().drop { $0 == "0" })
  }
}

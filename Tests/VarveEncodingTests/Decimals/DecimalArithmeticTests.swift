import Testing
import VarveEncoding
import VarveTestSupport

@Suite struct DecimalArithmeticTests {
  @Test func resultsAreExactResultsRoundedOnce() throws {
    var random = SeededRandom()
    for _ in 0..<400 {
      let (a, b) = (random.finiteDecimal(), random.finiteDecimal())
      let (x, y, negative) = (try exact(a), try exact(b), try exact(b.negated))
      let comment: Comment = "\(a) \(b) \(random)"
      expect(a + b, is: x + y, comment)
      expect(a - b, is: x + negative, comment)
      expect(a * b, is: x * y, comment)
      if !b.isZero { expect(a / b, is: ExactNumber.quotient(x, y), comment) }
    }
  }

  @Test(arguments: [
    ("1.00 + 2", "3.00"), ("1 + -1.00", "0.00"), ("-0 + -0.0", "-0.0"), ("0 + 1E+3", "1000"),
    ("1E+40 + 1", "10000000000000000000000000000000000000000".rounded34),
    ("9999999999999999999999999999999999 + 1", "1.000000000000000000000000000000000E+34"),
    ("9999999999999999999999999999999999 + 0.5", "1.000000000000000000000000000000000E+34"),
    ("1000000000000000000000000000000000 + 0.5", "1000000000000000000000000000000000"),
    ("1000000000000000000000000000000001 + 0.5", "1000000000000000000000000000000002"),
    (
      "1000000000000000000000000000000000 + 0.5000000000000000000000000000000001",
      "1000000000000000000000000000000001"
    ),
    ("1 + -1E-40", "1.000000000000000000000000000000000"),
    ("1E+34 + -1E-40", "1.000000000000000000000000000000000E+34"),
    ("1.20 * 3", "3.60"), ("-2 * 0", "-0"), ("1E+6000 * 1E+6000", "Inf"),
    ("1E-4000 * -1E-4000", "-0E-6176"),
    ("3E-6176 / 2", "2E-6176"), ("1E-6176 / 2", "0E-6176"),
    ("1 / 3", "0.3333333333333333333333333333333333"),
    ("2 / 3", "0.6666666666666666666666666666666667"), ("1.00 / 4", "0.25"), ("10.0 / 5", "2.0"),
    ("100 / 1E+2", "1.00"),
    ("1 / 0", "Inf"), ("-1 / 0", "-Inf"), ("0 / 0", "NaN"), ("1 / Inf", "0E-6176"),
    ("Inf / Inf", "NaN"),
    ("Inf + -Inf", "NaN"), ("Inf + 1", "Inf"), ("0 * Inf", "NaN"), ("-2 * Inf", "-Inf"),
    ("NaN + 1", "NaN"),
    ("9.999999999999999999999999999999999E+6144 + 1E+6111", "Inf"), ("1 - NaN", "NaN"),
    ("3 - 5.0", "-2.0"),
  ])
  func resultsHaveExpectedDigits(expression: String, expected: String) throws {
    let parts = expression.split(separator: " ").map(String.init)
    let a = try #require(Decimal128Bits(parts[0]))
    let b = try #require(Decimal128Bits(parts[2]))
    let result =
      switch parts[1] {
      case "+": a + b
      case "-": a - b
      case "*": a * b
      default: a / b
      }
    #expect("\(result)" == expected, "\(expression)")
  }

  private func exact(_ decimal: Decimal128Bits) throws -> ExactNumber {
    try #require(ExactNumber("\(decimal)"))
  }

  private func expect(_ result: Decimal128Bits, is exact: ExactNumber, _ comment: Comment) {
    guard let rounded = exact.rounded else {
      #expect(result == (exact.isNegative ? .negativeInfinity : .infinity), comment)
      return
    }
    #expect(ExactNumber("\(result)") == rounded, comment)
  }
}

extension String {
  /// The number in a text of 41 digits, of which 34 are kept.
  fileprivate var rounded34: String { "\(prefix(1)).\(dropFirst().prefix(33))E+40" }
}

extension SeededRandom {
  /// A finite decimal: often with few digits, near a power of ten, or with an extreme exponent.
  mutating func finiteDecimal() -> Decimal128Bits {
    let digits =
      switch int(0...3) {
      case 0: "\(int(0...200))"
      case 1: String(repeating: pick(["9", "0", "5"]), count: int(1...34))
      case 2: "1" + String(repeating: "0", count: int(0...32)) + "\(int(0...9))"
      default: (0..<int(1...34)).map { _ in "\(int(0...9))" }.joined()
      }
    let exponent =
      switch int(0...5) {
      case 0: pick([-6176, -6170, -6143, 6111, 6100, -330, 290, 308])
      case 1: int(-60...60)
      default: int(-12...12)
      }
    return Decimal128Bits("\(oneIn(2) ? "-" : "")\(digits)E\(exponent)") ?? .nan
  }
}

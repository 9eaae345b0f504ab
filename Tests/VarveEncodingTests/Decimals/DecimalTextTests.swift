import Testing
import VarveEncoding
import VarveTestSupport

@Suite struct DecimalTextTests {
  /// The encodings of the standard's examples: the sign, the exponent + 6176 in 14 bits, and 113
  /// bits of digits.
  @Test(
    arguments: [
      ("0", 0x3040_0000_0000_0000, 0), ("1", 0x3040_0000_0000_0000, 1),
      ("-1", 0xB040_0000_0000_0000, 1),
      ("1.00", 0x303C_0000_0000_0000, 100), ("-0.0", 0xB03E_0000_0000_0000, 0),
      ("1E+3", 0x3046_0000_0000_0000, 1), ("1E-6176", 0, 1),
      ("9.999999999999999999999999999999999E+6144", 0x5FFF_ED09_BEAD_87C0, 0x378D_8E63_FFFF_FFFF),
      ("Inf", 0x7800_0000_0000_0000, 0), ("-Inf", 0xF800_0000_0000_0000, 0),
      ("NaN", 0x7C00_0000_0000_0000, 0),
    ] as [(String, UInt64, UInt64)])
  func bitsMatchStandard(text: String, high: UInt64, low: UInt64) throws {
    let number = try #require(Decimal128Bits(text))
    #expect(number.high == high && number.low == low)
    #expect("\(number)" == text)
  }

  @Test(arguments: [
    ("+12", "12"), ("007.50", "7.50"), (".5", "0.5"), ("5.", "5"), ("1e5", "1E+5"),
    ("123E-2", "1.23"),
    ("0.000001", "0.000001"), ("0.0000001", "1E-7"), ("12E-8", "1.2E-7"), ("0E+5", "0E+5"),
    ("0.00", "0.00"),
    ("nan", "NaN"), ("-nan", "NaN"), ("INFINITY", "Inf"), ("-inf", "-Inf"), ("1E+6145", "Inf"),
    ("1E+6144", "1.000000000000000000000000000000000E+6144"),
    ("-1E+99999999999999999999", "-Inf"), ("1E-99999999999999999999", "0E-6176"),
    ("4E-6177", "0E-6176"),
    ("6E-6177", "1E-6176"), ("0E+99999", "0E+6111"),
    ("12345678901234567890123456789012345", "1.234567890123456789012345678901234E+34"),
    ("12345678901234567890123456789012335", "1.234567890123456789012345678901234E+34"),
    (
      "123456789012345678901234567890123350000000000000000000000001",
      "1.234567890123456789012345678901234E+59"
    ),
    (
      "123456789012345678901234567890123450000000000000000000000001",
      "1.234567890123456789012345678901235E+59"
    ),
    ("0.123456789012345678901234567890123450000", "0.1234567890123456789012345678901234"),
  ])
  func textIsParsedAndRounded(text: String, expected: String) throws {
    #expect(try "\(#require(Decimal128Bits(text)))" == expected)
  }

  @Test(arguments: [
    "", " ", "-", ".", "1 ", " 1", "1.2.3", "1E", "1E+", "E5", "1E5.", "0x1", "--1", "infin", "1,5",
    "٣",
  ])
  func nonNumericTextIsRefused(text: String) {
    #expect(Decimal128Bits(text) == nil)
  }

  @Test func descriptionsParseBackToSameBits() {
    var random = SeededRandom()
    for _ in 0..<2000 {
      let number = random.finiteDecimal()
      #expect(
        Decimal128Bits(number.description)?.isIdentical(to: number) == true, "\(number) \(random)")
    }
  }

  /// Bits that are never written: digits of 10^34 and more are zero, as the standard specifies, and
  /// nothing traps.
  @Test func bitsOfEveryKindHaveText() {
    var random = SeededRandom()
    for _ in 0..<2000 {
      let number = Decimal128Bits(high: random.next(), low: random.next())
      let read = Decimal128Bits(number.description)
      #expect(read == number, "\(random)")
      #expect((number + .zero == number) && number == number.negated.negated, "\(random)")
    }
    #expect(Decimal128Bits(high: 0x6000_0000_0000_0000, low: 5) == .zero)
    #expect(Decimal128Bits(high: 0x3041_FFFF_FFFF_FFFF, low: 5) == .zero)
    #expect(Decimal128Bits(high: 0xFE00_0000_0000_0000, low: 7) == .nan)
  }
}

import Testing
import VarveEncoding
import VarveTestSupport

@Suite struct DecimalOrderTests {
  @Test func orderMatchesExactNumbers() throws {
    var random = SeededRandom()
    let numbers = (0..<250).map { _ in random.finiteDecimal() }
    let exact = try numbers.map { try #require(ExactNumber("\($0)")) }
    for (i, a) in numbers.enumerated() {
      for (j, b) in numbers.enumerated() {
        let expected = exact[i].order(exact[j])
        let comment: Comment = "\(a) \(b) \(random)"
        #expect(a.order(b) == expected, comment)
        #expect((a == b) == (expected == 0) && (a < b) == (expected < 0), comment)
        if expected == 0 { #expect(a.hashValue == b.hashValue, comment) }
      }
    }
  }

  @Test func equalNumbersAreEqualWithAnyDigits() throws {
    let ones = try ["1", "1.00", "1.0000000000000000000000000000000"].map {
      try #require(Decimal128Bits($0))
    }
    #expect(Set(ones).count == 1)
    #expect(!ones[0].isIdentical(to: ones[1]))
    #expect(Set(["0", "-0", "0E+50", "-0.00"].compactMap { Decimal128Bits($0) }).count == 1)
    #expect(Decimal128Bits.nan == .nan && Decimal128Bits.nan.order(.nan) == nil)
    #expect(Decimal128Bits.nan < .negativeInfinity && !(Decimal128Bits.negativeInfinity < .nan))
    #expect(Decimal128Bits.negativeInfinity.order(.infinity) == -1)
    #expect(Decimal128Bits.infinity.order(.infinity) == 0)
    #expect(Decimal128Bits.infinity.order(.greatestFinite) == 1)
  }

  @Test func orderAgainstDoublesIsExact() throws {
    var random = SeededRandom()
    for _ in 0..<200 {
      let double = random.finiteDouble()
      let near = Decimal128Bits(shortest: double)
      for decimal in [near, near + random.finiteDecimal(), random.finiteDecimal(), near.negated] {
        let expected = try #require(ExactNumber("\(decimal)").map { $0.order(ExactNumber(double)) })
        #expect(decimal.order(double: double) == expected, "\(decimal) \(double) \(random)")
      }
    }
    #expect(Decimal128Bits.infinity.order(double: .infinity) == 0)
    #expect(Decimal128Bits.greatestFinite.order(double: .infinity) == -1)
    #expect(
      Decimal128Bits.nan.order(double: 1) == nil && Decimal128Bits.zero.order(double: .nan) == nil)
    #expect(Decimal128Bits("-0")?.order(double: 0.0) == 0)
  }

  @Test func floorIsGreatestDoubleNotAbove() throws {
    var random = SeededRandom()
    for _ in 0..<200 {
      let decimal =
        random.oneIn(3)
        ? Decimal128Bits(shortest: random.finiteDouble()) : random.finiteDecimal()
      let number = try #require(ExactNumber("\(decimal)"))
      let (floor, isExact) = decimal.floor
      let comment: Comment = "\(decimal) \(floor) \(random)"
      if floor.isFinite {
        #expect(number.order(ExactNumber(floor)) == (isExact ? 0 : 1), comment)
      } else {
        #expect(floor == -.infinity && !isExact, comment)
      }
      let next = floor.nextUp
      if next.isFinite { #expect(number.order(ExactNumber(next)) == -1, comment) }
    }
  }

  @Test func nearestDoubleMatchesText() throws {
    var random = SeededRandom()
    for _ in 0..<1000 {
      let double = random.finiteDouble()
      #expect(Decimal128Bits(shortest: double).double == double, "\(double) \(random)")
    }
    #expect(try #require(Decimal128Bits("1E+309")).double == .infinity)
    #expect(try #require(Decimal128Bits("-1E+6000")).double == -.infinity)
    #expect(try #require(Decimal128Bits("1E-400")).double == 0)
    #expect(Decimal128Bits.nan.double.isNaN)
  }

  @Test(
    arguments: [
      (0.1, "0.1"), (5, "5"), (1e20, "1E+20"), (-0.0, "-0"), (1e-7, "1E-7"), (.nan, "NaN"),
      (-.infinity, "-Inf"), (1200, "1200"),
    ] as [(Double, String)])
  func doubleBecomesShortestDecimal(double: Double, expected: String) {
    #expect("\(Decimal128Bits(shortest: double))" == expected)
  }
}

extension SeededRandom {
  mutating func finiteDouble() -> Double {
    let value = double()
    return value.isFinite ? value : Double(integer())
  }
}

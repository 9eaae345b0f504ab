import Foundation
import Testing
import VarveCore
import VarveEncoding
import VarveTestSupport

@testable import VarveJSONLines

@Suite struct JSONScalarTests {
  /// The JSON of a value.
  private func text(_ value: Value) throws -> String {
    var text: [UInt8] = []
    var writer = JSONWriter { text += $0 }
    JSONScalar.write(value, to: &writer)
    try writer.flush()
    return String(decoding: text, as: UTF8.self)
  }

  private func roundTrip(_ value: Value) throws -> Value? {
    let type = try #require(value.type)
    return JSONScalar.read(try JSONReader.read(Array(text(value).utf8)), as: type)
  }

  @Test(arguments: [
    (0, "2001-01-01T00:00:00Z"), (-1, "2000-12-31T23:59:59Z"), (-0.25, "2000-12-31T23:59:59.75Z"),
    (-978_307_200, "1970-01-01T00:00:00Z"), (728_395_200.5, "2024-01-31T12:00:00.5Z"),
    (750_000_000.123456, "2024-10-07T13:20:00.123456Z"),
    (-63_113_904_000, "0001-01-01T00:00:00Z"), (252_423_993_599, "9999-12-31T23:59:59Z"),
    (-31_622_400, "2000-01-01T00:00:00Z"), (-26_524_800, "2000-02-29T00:00:00Z"),
    (-3_187_296_000, "1900-01-01T00:00:00Z"),
  ])
  func datesAreExactCalendarTexts(seconds: Double, expected: String) throws {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    #expect(ExactDateText.text(date) == expected)
    #expect(ExactDateText.date(expected)?.bits == date.bits)
  }

  @Test func otherDatesAreNumbers() throws {
    for (seconds, expected) in [
      (-0.0, "-0.0"), (1e-7, "1e-07"), (.infinity, "\"inf\""), (.nan, "\"nan\""),
      (252_423_993_600, "252423993600.0"), (-1e300, "-1e+300"),
    ] {
      let date = Value.date(Date(timeIntervalSinceReferenceDate: seconds))
      #expect(try text(date) == expected)
      guard case .date(let read)? = try roundTrip(date) else {
        Issue.record("\(seconds)")
        continue
      }
      #expect(read.timeIntervalSinceReferenceDate.bitPattern == seconds.bitPattern)
    }
  }

  @Test(arguments: [
    "2024-02-30T00:00:00Z", "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z", "2024-01-01T24:00:00Z",
    "2024-01-01T00:00:60Z", "0000-01-01T00:00:00Z", "2024-01-01T00:00:00", "2024-01-01 00:00:00Z",
    "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00.5+01:00", "+024-01-01T00:00:00Z",
    "2024-01-01T00:00:00.123456789012345678Z", "2024-01-01T00:00:00.-5Z",
  ])
  func invalidDatesAreRefused(text: String) {
    #expect(ExactDateText.date(text) == nil)
    #expect(JSONScalar.read(.string(text), as: .date) == nil)
  }

  @Test func randomDatesKeepBits() throws {
    var random = SeededRandom()
    for _ in 0..<20_000 {
      let seconds =
        switch random.below(4) {
        case 0: Double(random.int(-63_113_904_000...252_423_993_599))
        case 1: Double.random(in: -1e9...1e9, using: &random)
        case 2: (Double.random(in: -1e9...1e9, using: &random) * 1000).rounded() / 1000
        default: Double(bitPattern: random.next())
        }
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      guard case .date(let read)? = try roundTrip(.date(date)) else {
        Issue.record("\(random): \(seconds)")
        continue
      }
      #expect(read.bits == date.bits, "\(random): \(seconds)")
    }
  }

  @Test func randomNumbersKeepBits() throws {
    var random = SeededRandom()
    for _ in 0..<20_000 {
      let bits = random.next()
      guard case .double(let double)? = try roundTrip(.double(Double(bitPattern: bits))),
        case .float(let float)? = try roundTrip(
          .float(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))),
        case .int(let int)? = try roundTrip(.int(Int64(bitPattern: bits)))
      else {
        Issue.record("\(random): \(bits)")
        continue
      }
      #expect(double.bitPattern == bits, "\(random)")
      #expect(float.bitPattern == UInt32(truncatingIfNeeded: bits), "\(random)")
      #expect(int == Int64(bitPattern: bits), "\(random)")
    }
  }

  @Test func nonFiniteNumbersAreTexts() throws {
    #expect(try text(.double(.nan)) == "\"nan\"")
    #expect(try text(.double(-.infinity)) == "\"-inf\"")
    #expect(try text(.double(-0.0)) == "-0.0")
    #expect(try text(.float(.infinity)) == "\"inf\"")
    #expect(
      try text(.double(Double(bitPattern: 0x7FF8_0000_0000_0001))) == "\"nan:7ff8000000000001\"")
    for wrong in ["NaN", "nan:", "nan:3ff0000000000000", "nan:7ff800000000001", "infinity", "1"] {
      #expect(JSONScalar.read(.string(wrong), as: .double) == nil)
    }
    #expect(JSONScalar.read(.number("1e999"), as: .double) == nil)
    #expect(JSONScalar.read(.number("1e39"), as: .float) == nil)
  }

  @Test func integersOutOfRangeAreRefused() {
    #expect(JSONScalar.read(.number("127"), as: .int8) == .int(127))
    for (digits, type) in [
      ("128", PropertyType.int8), ("32768", .int16), ("2147483648", .int32),
      ("9223372036854775808", .int64), ("1.0", .int64), ("1e2", .int64),
    ] {
      #expect(JSONScalar.read(.number(digits), as: type) == nil)
    }
    #expect(JSONScalar.read(.string("1"), as: .int64) == nil)
    #expect(JSONScalar.read(.bool(true), as: .int64) == nil)
  }

  @Test func decimalsKeepBits() throws {
    var random = SeededRandom()
    let chosen = ["1.50", "1.5", "-0", "0E-10", "1E+30", "NaN", "Inf", "-Inf"].compactMap {
      Decimal128Bits($0)
    }
    let others = (0..<2000).map { _ in
      Decimal128Bits(littleEndian: UInt128(random.next()) << 64 | UInt128(random.next()))
    }
    for decimal in chosen + others {
      guard case .decimal(let read)? = try roundTrip(.decimal(decimal)) else {
        Issue.record("\(random): \(decimal)")
        continue
      }
      #expect(read.littleEndian == decimal.littleEndian, "\(random): \(decimal)")
    }
  }

  @Test func textsIdentifiersAndDataAreRead() throws {
    for value in [
      Value.string("a\u{0}\n\"\\é😀\u{7F}"), .data(Data([0, 255, 10])), .data(Data()), .uuid(UUID()),
      .objectId(ObjectIdBytes(high: 0xFF00_0000_0000_0001, low: 7)), .bool(true), .bool(false),
    ] {
      #expect(try roundTrip(value) == value)
    }
    #expect(try text(.string("\u{1}é/\u{7F}")) == "\"\\u0001é/\u{7F}\"")
    #expect(JSONScalar.read(.string("0102030405060708090a0b"), as: .objectId) == nil)
    #expect(JSONScalar.read(.string("+102030405060708090a0b0c"), as: .objectId) == nil)
    #expect(JSONScalar.read(.string("no"), as: .uuid) == nil)
    #expect(JSONScalar.read(.string("a"), as: .data) == nil)
  }
}

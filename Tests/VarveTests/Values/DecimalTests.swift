import Foundation
import Testing
import Varve
import VarveCore
import VarveEncoding
import VarveTestSupport

@Model final class Sale: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var price: Decimal128 = 1.50
  @Persisted var discount: Decimal128?
  @Persisted var prices: List<Decimal128>
  @Persisted var quotes: Map<String, Decimal128?>
}

@Suite struct DecimalTests {
  @Test func numbersConvertToDecimal() throws {
    #expect(try Decimal128(string: "12.50").description == "12.5")
    expectError(.invalidInput) { _ = try Decimal128(string: "12,50") }
    #expect(Decimal128(String("1.2.3")) == nil)
    #expect(Decimal128(-7) == -7 && Decimal128(UInt64.max).stringValue == "18446744073709551615")
    #expect(
      Decimal128(0.1) == "0.1" && Decimal128(Float(0.1)) == "0.1" && 0.25 == Decimal128("0.25"))
    #expect(Decimal128(exactly: 0.1) == nil && Decimal128(exactly: 0.375)?.description == "0.375")
    #expect(Decimal128(exactly: 0x1p100) == "1267650600228229401496703205376")
    #expect(
      Decimal128(exactly: Int128.max) == nil
        && Decimal128(exactly: 1 << 62) == "4611686018427387904")
    #expect(Int(exactly: "12.00" as Decimal128) == 12 && Int(exactly: "12.5" as Decimal128) == nil)
    #expect(
      Int8(exactly: "-128" as Decimal128) == -128 && Int8(exactly: "128" as Decimal128) == nil)
    #expect(UInt(exactly: "-1" as Decimal128) == nil && Int(exactly: Decimal128.nan) == nil)
    #expect(Int(exactly: "1E+30" as Decimal128) == nil && Int(exactly: "-0.0" as Decimal128) == 0)
    #expect(Double("1E+400" as Decimal128) == .infinity && ("0.1" as Decimal128).doubleValue == 0.1)
    #expect(
      Decimal128(number: 0.5) == "0.5"
        && Decimal128(number: NSNumber(value: Int64.min)) == Decimal128(Int64.min))
  }

  @Test func descriptionOmitsTrailingZeros() throws {
    #expect("\("1.234567" + "9.876543" as Decimal128)" == "11.11111")
    #expect("\("3.5" - "2.5" as Decimal128)" == "1" && "\("100" as Decimal128)" == "100")
    #expect("\("1234567890e123" as Decimal128)" == "1.23456789E132")
    #expect("\("0.00" as Decimal128)" == "0" && "\("-0.0" as Decimal128)" == "-0")
    #expect("\("0.0010" as Decimal128)" == "0.001" && "\("10e-8" as Decimal128)" == "1E-7")
    #expect(try JSONEncoder().encode(["1.50" as Decimal128]) == Data(#"["1.5"]"#.utf8))
  }

  @Test func foundationDecimalsAreConvertedExactlyOrRounded() throws {
    for text in [
      "0", "-12.5", "0.000001", "1234567890123456789012345678901234", "1E+120", "-3E-120",
    ] {
      let number = try Decimal128(string: text)
      let decimal = try #require(number.decimalValue, "\(text)")
      #expect(Decimal128(decimal) == number && Decimal128(exactly: decimal) == number, "\(text)")
    }
    let long = try #require(Decimal(string: "12345678901234567890123456789012345678"))
    #expect(Decimal128(exactly: long) == nil)
    #expect(Decimal128(long) == "1.234567890123456789012345678901235E+37")
    #expect(
      Decimal(exactly: "1E+6000" as Decimal128) == nil && Decimal("1E+6000" as Decimal128).isNaN)
    #expect(
      Decimal(exactly: "1E-6000" as Decimal128) == nil && Decimal("1E-6000" as Decimal128) == 0)
    #expect(
      Decimal("1.5E-128" as Decimal128) == Decimal(sign: .plus, exponent: -128, significand: 2))
    #expect(
      Decimal("12E+130" as Decimal128) == Decimal(sign: .plus, exponent: 127, significand: 12_000))
    #expect(Decimal(Decimal128.infinity).isNaN && Decimal128.infinity.decimalValue == nil)
    #expect(Decimal128(Decimal.nan).isNaN && Decimal128.nan.decimalValue?.isNaN == true)
  }

  @Test func arithmeticAndOrderAreNumeric() {
    var total: Decimal128 = "0.10"
    total += 0.20
    #expect(total == 0.3 && total.description == "0.3")
    total *= 3
    total /= 4
    total -= 1
    #expect(total == -0.775 && total.magnitude == 0.775 && -total == 0.775)
    #expect((1 as Decimal128) / 3 == "0.3333333333333333333333333333333333")
    #expect(Set<Decimal128>([1, 1.00, "1.000", 2]).count == 2)
    #expect(
      [3, "NaN", -1, "Inf", "-Inf"].sorted() as [Decimal128] == ["NaN", "-Inf", -1, 3, "Inf"])
    #expect(Decimal128.nan.isNaN && !Decimal128.nan.isFinite && Decimal128.infinity.isInfinite)
    #expect(Decimal128.max > 1e300 && Decimal128.min == -Decimal128.max && Decimal128().isZero)
    #expect((-Decimal128()).isSignMinus && -Decimal128() == 0)
  }

  @Test func codingUsesText() throws {
    let values: [Decimal128] = ["1.00", "-1E-6176", "NaN", "Inf"]
    let data = try JSONEncoder().encode(values)
    #expect(String(decoding: data, as: UTF8.self) == #"["1","-1E-6176","NaN","Inf"]"#)
    let read = try JSONDecoder().decode([Decimal128].self, from: data)
    #expect(read.map(\.description) == values.map(\.description))
    let numbers = Data("[5, 0.1, -9223372036854775808]".utf8)
    #expect(
      try JSONDecoder().decode([Decimal128].self, from: numbers) == [5, 0.1, Decimal128(Int64.min)])
    #expect(throws: DecodingError.self) {
      _ = try JSONDecoder().decode([Decimal128].self, from: Data(#"["x"]"#.utf8))
    }
  }

  @Test func storedDecimalsKeepTrailingZeros() throws {
    try withTemporaryRealm { realm, store in
      let sale = try realm.write { realm.create(Sale.self, value: ["id": 1]) }
      #expect(sale.price.bits.description == "1.5" && sale.discount == nil)
      try realm.write { sale.price = "1.500" }
      #expect(sale.price.bits.description == "1.500" && sale.price.description == "1.5")
      try realm.write {
        sale.prices.append(objectsIn: ["1.0", "2.00"])
        sale.prices[0] = "1.000"
        sale.quotes["a"] = .some("5.0")
        sale.quotes["b"] = .some(nil)
      }
      #expect(sale.prices.map(\.bits.description) == ["1.000", "2.00"])
      #expect(sale.quotes["a"]??.bits.description == "5.0" && sale.quotes["b"] == .some(nil))
      #expect(sale.prices.sum() == 3 && sale.prices.average() == 1.5 && sale.prices.max() == 2)
      #expect(sale.prices.firstIndex(of: 2) == 1)
      try store.check("decimals")
    }
  }

  @Test func valuesOfManyTypesAreAccepted() throws {
    let values: [(Any, String)] = [
      (5, "5"), (0.1, "0.1"), ("12.50", "12.5"), (Decimal(string: "7.5") as Any, "7.5"),
      (NSDecimalNumber(string: "0.30"), "0.3"), (Decimal128("1.0") as Any, "1"),
      (UInt64.max, "18446744073709551615"),
      (Float(0.5), "0.5"),
    ]
    for (value, expected) in values {
      let sale = try Sale(validating: ["id": 1, "price": value])
      #expect(sale.price.description == expected, "\(value)")
    }
    for value in [true, "x", Data(), [1]] as [Any] {
      expectError(.typeMismatch) { _ = try Sale(validating: ["id": 1, "price": value]) }
    }
  }

  @Test func queriesCompareDecimalsExactly() throws {
    try withTemporaryRealm { realm, _ in
      let prices: [Decimal128] = [
        "0.1", "9007199254740993", "9007199254740992", "NaN", "-Inf", "1.00", "1E+6144",
      ]
      try realm.write {
        for (id, price) in prices.enumerated() {
          let sale = realm.create(Sale.self, value: ["id": id])
          sale.price = price
          sale.discount = id % 2 == 0 ? price : nil
        }
      }
      let all = realm.objects(Sale.self)
      #expect(all.where { $0.price == 1 }.map(\.id) == [5])
      #expect(all.where { $0.price == 0.1 }.map(\.id) == [0])
      #expect(all.where { $0.price > "9007199254740992" }.map(\.id) == [1, 6])
      #expect(all.where { $0.price < 1 }.map(\.id) == [0, 4])
      #expect(all.where { $0.price == .nan }.isEmpty)
      #expect(all.where { $0.price.in([1, "0.10"]) }.map(\.id) == [0, 5])
      #expect(all.where { $0.price.contains(0...1) }.map(\.id) == [0, 5])
      #expect(all.where { $0.discount == nil }.map(\.id) == [1, 3, 5])
      #expect(all.sorted(by: \.price).map(\.id) == [3, 4, 0, 5, 2, 1, 6])
      #expect(all.sorted(by: \.discount, ascending: false).map(\.id) == [6, 2, 0, 4, 1, 3, 5])
      #expect(all.min(of: \.price) == -.infinity && all.max(of: \.price) == "1E+6144")
    }
  }

  @Test func sumsAndAveragesAreDecimals() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        for id in 0..<10 {
          let sale = realm.create(Sale.self, value: ["id": id])
          sale.price = "0.1"
          sale.discount = id < 3 ? "0.01" : nil
        }
      }
      let all = realm.objects(Sale.self)
      #expect(all.sum(of: \.price) == 1 && all.average(of: \.price) == 0.1)
      let mean: Decimal128? = all.average(of: \.discount)
      #expect(all.sum(of: \.discount) == .some(0.03) && mean == 0.01)
      let binary: Double? = all.average(of: \.price)
      #expect(binary == 0.1)
      #expect(all.where { $0.id > 99 }.sum(of: \.price) == 0)
      #expect(all.where { $0.id > 99 }.average(of: \.price) == nil)
    }
  }

  @Test func decimalCannotBePrimaryKey() throws {
    try withTemporaryRealm { realm, _ in
      expectError(.invalidSchema) { try realm.register(DecimalKeyed.self) }
    }
  }
}

@Model final class DecimalKeyed: Object {
  @Persisted(primaryKey: true) var id: Decimal128

  @Test func jsonNumbersKeepTheirDigits() throws {
    let numbers = [
      "12345678901234567890", "0.1234567890123456789012345678901234", "19.90", "-7", "0.1", "1e3",
      "123456789012345678901234567890.1234",
    ]
    for number in numbers {
      let decoded = try JSONDecoder().decode([Decimal128].self, from: Data("[\(number)]".utf8))
      #expect(decoded == [try #require(Decimal128(number))], "\(number)")
    }
    let large = try JSONDecoder().decode([Decimal128].self, from: Data("[1e200]".utf8))
    #expect(large == [Decimal128(1e200)])
  }
}

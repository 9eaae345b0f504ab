import Foundation
import Testing
import VarveEncoding
import VarveTestSupport

@Suite struct OrderedKeyMixedTests {
  @Test func keyOrderIsOrderOfValuesOfAllTypes() {
    var random = SeededRandom()
    let values: [Value] =
      (0..<200).map { _ in random.value(.mixed) } + (0..<150).map { _ in random.number() } + [.null]
    let keys = values.map { key($0) }
    for (i, a) in values.enumerated() {
      for (j, b) in values.enumerated() {
        #expect(
          ByteArrayOrder.compare(keys[i].bytes, keys[j].bytes) == modelOrder(a, b),
          "\(a) \(b) \(random)")
      }
    }
  }

  @Test func numbersCompareAcrossTypes() {
    #expect(key(.int(1)) == key(.double(1)))
    #expect(key(.int(1)) == key(.float(1)))
    #expect(key(.int(0)) == key(.double(-0.0)))
    #expect(key(.int(1 << 53)) == key(.double(0x1p53)))
    #expect(key(.int(.min)) == key(.double(-0x1p63)))
    #expect(key(.double(.nan)) == key(.float(-.nan)))
  }

  @Test func integersAreExactBeyondDoublePrecision() {
    let big: Int64 = 1 << 53
    let ascending: [Value] = [
      .double(.nan), .double(-.infinity), .double(-0x1.0000000000001p63), .int(.min),
      .int(.min + 1), .int(.min + 1024), .int(-big - 2), .int(-big - 1), .int(-big), .int(-1),
      .double(-0.5), .int(0), .double(.leastNonzeroMagnitude), .int(1), .double(1.5), .int(big - 1),
      .int(big), .int(big + 1), .int(big + 2), .int(big + 3), .double(0x1p53 + 4),
      .int(.max - 1024), .int(.max - 1023), .int(.max - 1), .int(.max), .double(0x1p63),
      .double(.infinity),
    ]
    for (a, b) in zip(ascending, ascending.dropFirst()) {
      #expect(key(a) < key(b), "\(a) \(b)")
    }
    #expect(key(.int(big + 2)) == key(.double(0x1p53 + 2)))
  }

  @Test func bytesMatchFormat() {
    #expect(hex(key(.null).bytes) == "10")
    #expect(hex(key(.bool(false)).bytes) == "2000")
    #expect(hex(key(.int(1)).bytes) == "30 bff0000000000000 00".filter { $0 != " " })
    // 2^53 + 1 = 9007199254740993 is above 2^53: 0.9007199254740993 × 10^16.
    #expect(
      hex(key(.int(1 << 53 + 1)).bytes)
        == "30 c340000000000000 01 02 8010 5b 08 14 5d 37 4b 0a 5e 00".filter { $0 != " " })
    // Its negation is above -(2^53 + 2), and all bytes after the sign are inverted.
    #expect(
      hex(key(.int(-(1 << 53) - 1)).bytes)
        == "30 3cbffffffffffffe 01 01 7fef a4 f7 eb a2 c8 b4 f5 a1 ff".filter { $0 != " " })
    #expect(hex(key(.string("a")).bytes) == "40610001")
    #expect(hex(key(.data(Data([0]))).bytes) == "5000ff0001")
    #expect(
      hex(key(.date(Date(timeIntervalSinceReferenceDate: 0))).bytes) == "608000000000000000")
    #expect(
      hex(key(.objectId(ObjectIdBytes(high: 1, low: 2))).bytes) == "70000000000000000100000002")
    #expect(
      hex(key(.uuid(UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)))).bytes)
        == "80000102030405060708090a0b0c0d0e0f")
    #expect(
      hex(key(.link(classID: 1, objectID: 2)).bytes) == "90000000010000000000000002")
    let slot = CollectionSlot(id: 2, revision: 3, count: 0)
    #expect(hex(key(.nested(.list, slot)).bytes) == "a00000000000000002")
    #expect(hex(key(.nested(.dictionary, slot)).bytes) == "b00000000000000002")
  }

  @Test func decimalsCompareWithNumbersOfOtherTypes() throws {
    #expect(try key(decimal("1.00")) == key(.int(1)))
    #expect(try key(decimal("1.5")) == key(.float(1.5)))
    #expect(try key(decimal("9007199254740993")) == key(.int(1 << 53 + 1)))
    #expect(try key(decimal("-9223372036854775808")) == key(.int(.min)))
    #expect(try key(decimal("18446744073709551616")) == key(.double(0x1p64)))
    #expect(try key(decimal("0.1")) != key(.double(0.1)))
    #expect(try key(decimal("NaN")) == key(.double(.nan)))
    #expect(try key(decimal("-Inf")) == key(.double(-.infinity)))
    #expect(try key(decimal("-0.000")) == key(.int(0)))
    // Beyond the range of Double, the floor is the greatest Double or -∞. Next to 0 it is 0 or the
    // next Double below.
    #expect(try hex(key(decimal("1E+400")).bytes) == "30ffefffffffffffff01028191" + "0b00")
    #expect(try hex(key(decimal("-1E+400")).bytes) == "30000fffffffffffff01017e6e" + "f4ff")
    #expect(try hex(key(decimal("1E-400")).bytes) == "30800000000000000001027e71" + "0b00")
    #expect(try hex(key(decimal("-1E-400")).bytes) == "307ffffffffffffffe0101818e" + "f4ff")
  }

  private func decimal(_ text: String) throws -> Value {
    .decimal(try #require(Decimal128Bits(text)))
  }

  private func key(_ value: Value) -> OrderedKey {
    var key = OrderedKey()
    _ = key.appendMixed(value, fileKey: testFileKey)
    return key
  }
}

extension SeededRandom {
  /// A number of any type, often near 2^53 or the limits of Int64.
  mutating func number() -> Value {
    let edges: [Int64] = [1 << 53, -(1 << 53), 1 << 54, .max, .min, 1 << 62]
    let edge = pick(edges)
    switch int(0...5) {
    case 4:
      let distance = Decimal128Bits(Int64(int(-40...40))) * (Decimal128Bits("0.1") ?? .zero)
      return .decimal(Decimal128Bits(edge) + distance)
    case 5: return value(.decimal128)
    case 0: return .int(edge &+ Int64(int(-5...5)))
    case 1: return .double(Double(edge) + Double(int(-5...5)))
    case 2: return value(.double)
    default: return value(.int64)
    }
  }
}

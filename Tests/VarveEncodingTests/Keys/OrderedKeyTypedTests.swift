import Foundation
import Testing
import VarveEncoding
import VarveTestSupport

@Suite struct OrderedKeyTypedTests {
  @Test(arguments: SeededRandom.storedTypes)
  func keyOrderIsOrderOfValues(type: PropertyType) {
    var random = SeededRandom()
    var values: [Value] = (0..<150).map { _ in random.value(type) } + [.null]
    if type == .link {
      // A typed link contains only the object: all links are to one class.
      values = values.map {
        if case .link(_, let id) = $0 { .link(classID: 9, objectID: id) } else { $0 }
      }
    }
    let keys = values.map { key($0) }
    for (i, a) in values.enumerated() {
      for (j, b) in values.enumerated() {
        let expected = modelOrder(a, b)
        #expect(
          ByteArrayOrder.compare(keys[i].bytes, keys[j].bytes) == expected, "\(a) \(b) \(random)")
      }
    }
  }

  @Test func bytesMatchFormat() {
    #expect(hex(key(.null).bytes) == "01")
    #expect(hex(key(.bool(true)).bytes) == "0201")
    #expect(hex(key(.int(0)).bytes) == "028000000000000000")
    #expect(hex(key(.int(-1)).bytes) == "027fffffffffffffff")
    #expect(hex(key(.int(.max)).bytes) == "02ffffffffffffffff")
    #expect(hex(key(.double(0)).bytes) == "028000000000000000")
    #expect(hex(key(.double(-0.0)).bytes) == "028000000000000000")
    #expect(hex(key(.double(1.5)).bytes) == "02bff8000000000000")
    #expect(hex(key(.float(1.5)).bytes) == "02bff8000000000000")
    #expect(hex(key(.double(-1.5)).bytes) == "024007ffffffffffff")
    #expect(hex(key(.double(.nan)).bytes) == "020000000000000000")
    #expect(hex(key(.double(-.infinity)).bytes) == "02000fffffffffffff")
    #expect(
      hex(key(.date(Date(timeIntervalSinceReferenceDate: 1.5))).bytes) == "02bff8000000000000")
    #expect(hex(key(.decimal(Decimal128Bits(12))).bytes) == "020280020d00")
    #expect(hex(key(.decimal(Decimal128Bits(-12))).bytes) == "02017ffdf2ff")
    #expect(hex(key(.decimal(.zero)).bytes) == "0202000000")
    #expect(hex(key(.decimal(Decimal128Bits.zero.negated)).bytes) == "0202000000")
    #expect(hex(key(.decimal(.infinity)).bytes) == "0202ffff00")
    #expect(hex(key(.decimal(.negativeInfinity)).bytes) == "02010000ff")
    #expect(hex(key(.decimal(.nan)).bytes) == "0200")
    #expect(hex(key(.string("")).bytes) == "020001")
    #expect(hex(key(.string("a\0b")).bytes) == "026100ff620001")
    #expect(hex(key(.data(Data([0, 255]))).bytes) == "0200ffff0001")
    #expect(hex(key(.link(classID: 3, objectID: 5)).bytes) == "020000000000000005")
    #expect(
      hex(key(.objectId(ObjectIdBytes(high: 1, low: 2))).bytes) == "02000000000000000100000002")
  }

  @Test func dictionaryKeyHasNoPresenceByte() {
    var key = OrderedKey()
    let wasCut = key.appendBare(string: "é", fileKey: testFileKey)
    #expect(!wasCut)
    #expect(hex(key.bytes) == "c3a90001")
  }

  @Test func truncatedKeyCanBeExtended() {
    var key = OrderedKey()
    key.append(uint32: 1)
    let start = key.count
    key.append(int: 5)
    key.truncate(to: start)
    key.append(int: 6)
    #expect(hex(key.bytes) == "00000001028000000000000006")
  }

  @Test func integerPrimaryKeysAreObjectIDsInOrder() {
    let keys: [Int64] = [.min, .min + 1, -1, 0, 1, .max]
    let ids = keys.map { ObjectKey.objectID(forInteger: $0) }
    #expect(ids == ids.sorted())
    #expect(ids.map { ObjectKey.integer(forObjectID: $0) } == keys)
    #expect(ids[2] == 0x7fff_ffff_ffff_ffff)
  }

  private func key(_ value: Value) -> OrderedKey {
    var key = OrderedKey()
    _ = key.append(value, fileKey: testFileKey)
    return key
  }
}

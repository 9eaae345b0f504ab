import Foundation
import Testing
import VarveEncoding
import VarveTestSupport

@Suite struct IndexKeyTests {
  @Test func aShortStringHasTheBytesOfTheOtherKey() {
    for count in [0, 1, 100, 436, 437, 438, 439] {
      for text in [String(repeating: "x", count: count), String(repeating: "é", count: count / 2)] {
        var key = OrderedKey()
        let wasCut = IndexKey.encodeKey(
          .string(text), propertyType: .string, indexID: 0x0102_0304, objectID: nil,
          fileKey: testFileKey, into: &key)
        Array(text.utf8).withUnsafeBytes { utf8 in
          #expect(IndexKey.isShort(utf8) == !wasCut)
          guard IndexKey.isShort(utf8) else { return }
          var short = [UInt8](repeating: 0xAA, count: utf8.count + IndexKey.shortOverhead)
          short.withUnsafeMutableBytes {
            IndexKey.encode(short: utf8, indexID: 0x0102_0304, into: $0)
          }
          #expect(short == key.bytes)
        }
      }
    }
    #expect(![0x61, 0 as UInt8].withUnsafeBytes { IndexKey.isShort($0) })
  }

  struct Kind: Sendable, CustomStringConvertible {
    let isUnique: Bool
    let isPrimary: Bool
    var description: String { isPrimary ? "primary" : isUnique ? "unique" : "plain" }
  }

  @Test(arguments: [
    Kind(isUnique: false, isPrimary: false), Kind(isUnique: true, isPrimary: false),
    Kind(isUnique: true, isPrimary: true),
  ])
  func entriesAreReadBack(kind: Kind) throws {
    var random = SeededRandom()
    for type in SeededRandom.storedTypes + [.mixed] {
      for _ in 0..<50 {
        var value = random.oneIn(10) ? .null : random.value(type)
        if random.oneIn(4), case .string(let text) = value {
          value = .string(text + String(repeating: "x\0", count: random.int(200...400)))
        }
        let objectID = random.next()
        let (key, entryValue) = entry(value, type, objectID, kind)
        let found = try key.bytes.lend { key throws(FormatError) in
          try entryValue.bytes.lend { entryValue throws(FormatError) in
            let entry = try IndexEntry(
              key: key, value: entryValue, propertyType: type, isUnique: kind.isUnique,
              isPrimary: kind.isPrimary, linkClass: linkClass(value))
            return (entry.indexID, try entry.indexedValue(), entry.objectID)
          }
        }
        #expect(found.0 == 4711)
        #expect(found.2 == objectID)
        #expect(modelOrder(found.1, value) == 0, "\(value) \(random)")
        #expect(key.count <= 511)
      }
    }
  }

  @Test func aShortKeyHasTheBytesOfTheOther() throws {
    var random = SeededRandom()
    for type in SeededRandom.storedTypes {
      for value in [.null] + (0..<20).map({ _ in random.value(type) }) {
        var key = OrderedKey()
        IndexKey.begin(&key, indexID: 0x0102_0304)
        _ = key.append(value, fileKey: FileKey(low: 1, high: 2))
        let short = IndexKey.short(indexID: 0x0102_0304, value)
        let isText = value.type == .string || value.type == .data
        #expect((short == nil) == isText, "\(value)")
        if let short { #expect(short.withUnsafeBytes { Array($0) } == key.bytes, "\(value)") }
      }
    }
  }

  @Test func objectIDStandsInTheKeyWhereTheValueIsNotUnique() {
    #expect(IndexKey.holdsObjectID(isUnique: false, isPrimary: false, isNull: false))
    #expect(IndexKey.holdsObjectID(isUnique: true, isPrimary: false, isNull: true))
    #expect(!IndexKey.holdsObjectID(isUnique: true, isPrimary: true, isNull: true))
    #expect(!IndexKey.holdsObjectID(isUnique: true, isPrimary: false, isNull: false))
  }

  @Test func objectIDsAreReadWithoutDecodingTheValue() {
    var key = OrderedKey()
    IndexKey.begin(&key, indexID: 3)
    key.append(int: 5)
    key.append(uint64: 99)
    #expect(key.withUnsafeBytes { IndexKey.objectID(atEndOf: $0) } == 99)
    #expect(hex("0000000302").lend { IndexKey.objectID(atEndOf: $0) } == nil)
    #expect(hex("6300000000000000 61").lend { IndexKey.objectID(inValue: $0) } == 99)
    #expect(hex("63").lend { IndexKey.objectID(inValue: $0) } == nil)
  }

  @Test func bytesThatNobodyReadsThrow() {
    let kind = Kind(isUnique: true, isPrimary: false)
    let (key, _) = entry(.int(1), .int64, 7, kind)
    key.bytes.lend { key in
      hex("0700000000000000 00").lend { value in
        let error = thrownError {
          try IndexEntry(key: key, value: value, propertyType: .int64, isUnique: true)
        }
        #expect(error == FormatError(.trailingBytes, "", offset: 8, expected: 8, found: 9))
      }
    }
  }

  private func entry(
    _ value: Value, _ type: PropertyType, _ objectID: UInt64, _ kind: Kind
  ) -> (OrderedKey, ByteBuffer) {
    var key = OrderedKey()
    var buffer = ByteBuffer()
    IndexKey.encode(
      value, propertyType: type, indexID: 4711, objectID: objectID,
      isInKey: IndexKey.holdsObjectID(
        isUnique: kind.isUnique, isPrimary: kind.isPrimary, isNull: value.isNull),
      fileKey: testFileKey, key: &key, entry: &buffer)
    return (key, buffer)
  }

  private func linkClass(_ value: Value) -> UInt32 {
    if case .link(let classID, _) = value { classID } else { 0 }
  }
}

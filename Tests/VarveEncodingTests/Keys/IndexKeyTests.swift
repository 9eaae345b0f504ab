import Foundation
import Testing
import VarveEncoding
import VarveTestSupport

@Suite struct IndexKeyTests {
  @Test func shortStringKeyEqualsGeneralKey() {
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
  func entriesContainObjectIDAndTruncatedValue(kind: Kind) {
    var random = SeededRandom()
    for type in SeededRandom.storedTypes + [.mixed] {
      for _ in 0..<50 {
        var value = random.oneIn(10) ? .null : random.value(type)
        if random.oneIn(4), case .string(let text) = value {
          value = .string(text + String(repeating: "x\0", count: random.int(200...400)))
        }
        let objectID = random.next()
        let isInKey = isInKey(value, kind)
        let (key, entryValue) = entry(value, type, objectID, kind)
        let found =
          isInKey
          ? key.bytes.lend { IndexKey.objectID(atEndOf: $0) }
          : entryValue.bytes.lend { IndexKey.objectID(inValue: $0) }
        #expect(found == objectID)
        var start = OrderedKey()
        let wasCut = IndexKey.encodeKey(
          value, propertyType: type, indexID: 4711, objectID: nil, fileKey: testFileKey,
          into: &start)
        #expect(key.bytes.dropLast(isInKey ? 8 : 0) == start.bytes[...], "\(value) \(random)")
        #expect(
          Array(entryValue.bytes.dropFirst(isInKey ? 0 : 8)) == (wasCut ? bytes(value) : []),
          "\(value) \(random)")
        #expect(key.count <= 511)
      }
    }
  }

  @Test func shortKeyEqualsGeneralKey() throws {
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

  @Test func shortEdgesEqualGeneralEdges() {
    var random = SeededRandom()
    let extremes: [Value] = [
      .int(.min), .int(-1), .int(0), .int(255), .int(.max), .double(.nan), .double(-0.0),
      .double(.infinity), .double(-.infinity), .double(.greatestFiniteMagnitude),
    ]
    var prefix = OrderedKey()
    IndexKey.begin(&prefix, indexID: 0x0102_FFFF)
    for type in SeededRandom.storedTypes {
      for other in SeededRandom.storedTypes {
        for value in [.null] + extremes + (0..<20).map({ _ in random.value(other) }) {
          let short = IndexKey.shortEdges(ofEqual: value, type: type, indexID: 0x0102_FFFF)
          guard let short else {
            let isSupported =
              value.type == .int64
              ? [.int8, .int16, .int32, .int64].contains(type)
              : value.type == type && [.bool, .double, .date, .uuid, .objectId].contains(type)
            #expect(!isSupported || value.isNaN, "\(value) \(type)")
            continue
          }
          let edges = prefix.edgesOfEqual(to: value, type: type, linkClass: 0)
          #expect(short.lower.withUnsafeBytes { Array($0) } == edges?.lower.bytes, "\(value)")
          // No key is between an edge with zeros at its end and the same one without them.
          let upper = short.upper.withUnsafeBytes { withoutZerosAtEnd(Array($0)) }
          #expect(upper == edges.map { withoutZerosAtEnd($0.upper.bytes) }, "\(value)")
        }
      }
    }
  }

  private func withoutZerosAtEnd(_ bytes: [UInt8]) -> [UInt8] {
    Array(bytes.prefix((bytes.lastIndex { $0 != 0 } ?? -1) + 1))
  }

  @Test func keyOfGreatestBytesHasNoSuccessor() {
    var key = ShortKey()
    key.append(uint32: .max)
    let isMoved = key.moveAfterAllWithPrefix()
    #expect(!isMoved)
  }

  @Test func objectIDIsInKeyUnlessValueIsUnique() {
    #expect(IndexKey.containsObjectID(isUnique: false, isPrimary: false, isNull: false))
    #expect(IndexKey.containsObjectID(isUnique: true, isPrimary: false, isNull: true))
    #expect(!IndexKey.containsObjectID(isUnique: true, isPrimary: true, isNull: true))
    #expect(!IndexKey.containsObjectID(isUnique: true, isPrimary: false, isNull: false))
  }

  @Test func objectIDsAreReadWithoutDecodingValue() {
    var key = OrderedKey()
    IndexKey.begin(&key, indexID: 3)
    key.append(int: 5)
    key.append(uint64: 99)
    #expect(key.withUnsafeBytes { IndexKey.objectID(atEndOf: $0) } == 99)
    #expect(hex("0000000302").lend { IndexKey.objectID(atEndOf: $0) } == nil)
    #expect(hex("6300000000000000 61").lend { IndexKey.objectID(inValue: $0) } == 99)
    #expect(hex("63").lend { IndexKey.objectID(inValue: $0) } == nil)
  }

  private func entry(
    _ value: Value, _ type: PropertyType, _ objectID: UInt64, _ kind: Kind
  ) -> (OrderedKey, ByteBuffer) {
    var key = OrderedKey()
    var buffer = ByteBuffer()
    IndexKey.encode(
      value, propertyType: type, indexID: 4711, objectID: objectID,
      isInKey: isInKey(value, kind), fileKey: testFileKey, key: &key, entry: &buffer)
    return (key, buffer)
  }

  private func isInKey(_ value: Value, _ kind: Kind) -> Bool {
    IndexKey.containsObjectID(
      isUnique: kind.isUnique, isPrimary: kind.isPrimary, isNull: value.isNull)
  }

  private func bytes(_ value: Value) -> [UInt8] {
    switch value {
    case .string(let text): Array(text.utf8)
    case .data(let data): Array(data)
    default: []
    }
  }
}

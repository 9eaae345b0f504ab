import Foundation
import Testing
import VarveEncoding
import VarveTestSupport

@Suite struct CatalogCodecTests {
  @Test func classesAreReadBack() throws {
    var random = SeededRandom()
    for _ in 0..<200 {
      let value = random.storedClass()
      let found = try encode(value).lend { try CatalogCodec.decodeClass($0) }
      #expect(found == value, "\(random)")
    }
  }

  @Test func bytesMatchFormat() {
    let property = StoredProperty(
      id: 2, name: "n", kind: PropertyKind(type: .link, collection: .list, isNullable: true),
      targetClassID: 3, isPrimaryKey: true, indexID: 4, addedConstant: .bool(true))
    let value = StoredClass(
      id: 1, name: "Dog", isEmbedded: true, primaryKeyPropertyID: 2, nextPropertyID: 9,
      properties: [property], layouts: [StoredLayout(id: 5, properties: [property])],
      currentLayoutID: 5)
    #expect(
      hex(encode(value).dropLast(4))
        == [
          "01", "01", "01000000", "09000000", "0500", "0102000000", "03000000446f67",  // class
          "01000000",  // one property
          "02000000", "0f0103", "0103000000", "0000000000", "04000000", "010000006e",
          "020000000101",
          "01000000",  // one layout
          "0500", "01000000", "02000000", "0f0103",
        ].joined())
  }

  @Test func layoutOfDroppedPropertiesIsStillReadable() throws {
    let kept = StoredProperty(id: 1, name: "a", kind: PropertyKind(type: .int32))
    let dropped = StoredProperty(id: 2, name: "b", kind: PropertyKind(type: .string))
    let value = StoredClass(
      id: 1, name: "C", nextPropertyID: 3, properties: [kept],
      layouts: [
        StoredLayout(id: 1, properties: [dropped, kept]), StoredLayout(id: 2, properties: [kept]),
      ], currentLayoutID: 2)
    let found = try encode(value).lend { try CatalogCodec.decodeClass($0) }
    let old = RowLayout(found.layouts[0])
    #expect(old.field(forProperty: 1)?.offset == 20)
    #expect(found.layouts[0].propertyIDs == [2, 1])
  }

  @Test func nonNullableIntegerPrimaryKeyIsNotStoredInRows() {
    func isStored(_ kind: PropertyKind) -> Bool {
      StoredProperty(id: 1, name: "k", kind: kind, isPrimaryKey: true).isStoredInRow
    }
    #expect(!isStored(PropertyKind(type: .int64)))
    #expect(!isStored(PropertyKind(type: .int8)))
    #expect(isStored(PropertyKind(type: .int64, isNullable: true)))
    #expect(isStored(PropertyKind(type: .string)))
    #expect(StoredProperty(id: 1, name: "k", kind: PropertyKind(type: .int64)).isStoredInRow)
  }

  @Test func inconsistentRecordsThrow() {
    let property = StoredProperty(id: 1, name: "a", kind: PropertyKind(type: .int64))
    let layout = StoredLayout(id: 1, properties: [property])
    let good = StoredClass(
      id: 1, name: "C", primaryKeyPropertyID: 1, nextPropertyID: 2, properties: [property],
      layouts: [layout], currentLayoutID: 1)
    #expect(reason(encode(good)) == nil)
    var bad = good
    bad.properties.append(property)
    #expect(reason(encode(bad)) == .badValue)
    bad = good
    bad.layouts.append(layout)
    #expect(reason(encode(bad)) == .badValue)
    bad = good
    bad.layouts[0].fields.append(bad.layouts[0].fields[0])
    #expect(reason(encode(bad)) == .badValue)
    bad = good
    bad.currentLayoutID = 2
    #expect(reason(encode(bad)) == .badValue)
    bad = good
    bad.primaryKeyPropertyID = 2
    #expect(reason(encode(bad)) == .badValue)
    // Reads by the kind of the property would go past the slot of the layout's field.
    bad = good
    bad.layouts[0].fields[0].kind = PropertyKind(type: .int8)
    #expect(reason(encode(bad)) == .badValue)
    bad = good
    bad.layouts[0].fields[0].isStored.toggle()
    #expect(reason(encode(bad)) == .badValue)
  }

  @Test func generatedKeysAreReadBack() throws {
    let key = StoredProperty(
      id: 1, name: "k", kind: PropertyKind(type: .int16), isPrimaryKey: true,
      isAutoIncremented: true)
    var value = StoredClass(id: 1, name: "C", primaryKeyPropertyID: 1, nextPropertyID: 2)
    value.properties = [key]
    let bytes = encode(value)
    #expect(try bytes.lend { try CatalogCodec.decodeClass($0) } == value)
    #expect(bytes[0] == 1 && hex(bytes).contains("01000000" + "030006"))
    for wrong in [
      StoredProperty(
        id: 1, name: "k", kind: PropertyKind(type: .int16), isAutoIncremented: true),
      StoredProperty(
        id: 1, name: "k", kind: PropertyKind(type: .string), isPrimaryKey: true,
        isAutoIncremented: true),
      StoredProperty(
        id: 1, name: "k", kind: PropertyKind(type: .int64, isNullable: true), isPrimaryKey: true,
        isAutoIncremented: true),
    ] {
      value.properties = [wrong]
      #expect(reason(encode(value)) == .badValue)
    }
  }

  @Test func lastKeysAreReadBack() throws {
    var buffer = ByteBuffer()
    LastKeyRecord(key: 258).encode(into: &buffer)
    let bytes = buffer.bytes
    #expect(hex(bytes.prefix(8)) == "0201000000000000" && bytes == sealed(Array(bytes.prefix(8))))
    #expect(try bytes.lend { try LastKeyRecord(decoding: $0) }.key == 258)
    for (bytes, reason) in [
      (sealed([0, 0, 0, 0, 0, 0, 0, 0]), FormatError.Reason.badValue),
      (sealed([UInt8](repeating: 255, count: 8)), .badValue), (bytes + [0], .trailingBytes),
      (bytes.dropLast(), .truncated), ([3] + bytes.dropFirst(), .badChecksum),
    ] {
      expectError(reason) { try bytes.lend { try LastKeyRecord(decoding: $0) } }
    }
  }

  @Test func indexesOfClassAreReadBack() throws {
    let property = StoredProperty(id: 1, name: "a", kind: PropertyKind(type: .string))
    var value = StoredClass(
      id: 1, name: "C", nextPropertyID: 3,
      properties: [
        property, StoredProperty(id: 2, name: "b", kind: PropertyKind(type: .int64)),
      ])
    let plain = encode(value)
    value.indexes = [
      StoredIndex(id: 7, kind: .unique, propertyIDs: [2, 1]),
      StoredIndex(id: 8, kind: .fullText, propertyIDs: [1]),
    ]
    let bytes = encode(value)
    #expect(try bytes.lend { try CatalogCodec.decodeClass($0) } == value)
    #expect(bytes[0] == 2 && plain[0] == 1)
    #expect(bytes.dropFirst().dropLast(4).starts(with: plain.dropFirst().dropLast(4)))
    #expect(
      hex(bytes.dropFirst(plain.count - 4).dropLast(4))
        == "02000000" + "070000000202000000" + "0200000001000000" + "0800000003"
        + "0100000001000000")
    for wrong in [
      StoredIndex(id: 7, kind: .unique, propertyIDs: []),
      StoredIndex(id: 7, kind: .ordered, propertyIDs: [1, 1]),
      StoredIndex(id: 7, kind: .ordered, propertyIDs: [3]),
      StoredIndex(id: 7, kind: .fullText, propertyIDs: [1, 2]),
    ] {
      value.indexes = [wrong]
      #expect(reason(encode(value)) == .badValue)
    }
  }

  @Test func otherVersionsAndTrailingBytesThrow() {
    var random = SeededRandom()
    let bytes = encode(random.storedClass())
    #expect(reason([3] + bytes.dropFirst()) == .unsupported)
    #expect(reason(sealed(Array(bytes.dropLast(4)) + [0])) == .trailingBytes)
    #expect(reason(bytes.dropLast()) == .badChecksum)
    #expect(reason([1, 2]) == .truncated)
  }

  @Test func generationIsReadBack() throws {
    var buffer = ByteBuffer()
    CatalogCodec.encode(generation: 258, into: &buffer)
    #expect(hex(buffer.bytes) == "0201000000000000")
    #expect(try buffer.bytes.lend { try CatalogCodec.decodeGeneration($0) } == 258)
    expectError(.truncated) { try [1].lend { try CatalogCodec.decodeGeneration($0) } }
  }

  @Test func keysAreReadBack() throws {
    let hash = SchemaHash(value: Hash128(low: 1, high: 2))
    for (value, text) in [
      (CatalogKey.classRecord(id: 258), "6300000102"),
      (.lastKey(classID: 258), "6b00000102"),
      (.model(hash), "6801000000000000000200000000000000"),
    ] {
      var key = OrderedKey()
      value.encode(into: &key)
      #expect(hex(key.bytes) == text)
      #expect(try key.bytes.lend { try CatalogKey(decoding: $0) } == value)
    }
    var start = OrderedKey()
    CatalogKey.beginModels(&start)
    #expect(start.bytes == hex("68"))
    expectError(.badTag) { try hex("7800").lend { try CatalogKey(decoding: $0) } }
  }

  private func encode(_ value: StoredClass) -> [UInt8] {
    var buffer = ByteBuffer()
    CatalogCodec.encode(value, into: &buffer)
    return buffer.bytes
  }

  private func reason(_ bytes: [UInt8]) -> FormatError.Reason? {
    do {
      try bytes.lend { bytes throws(FormatError) in _ = try CatalogCodec.decodeClass(bytes) }
      return nil
    } catch {
      return error.reason
    }
  }
}

/// Appends the checksum of a catalog record.
func sealed(_ body: [UInt8]) -> [UInt8] {
  let checksum = body.lend { CRC32C.checksum($0) }
  return body + (0..<4).map { UInt8(truncatingIfNeeded: checksum >> UInt32(8 * $0)) }
}

extension SeededRandom {
  mutating func storedClass() -> StoredClass {
    let properties = (0..<int(0...8)).map { index in
      StoredProperty(
        id: UInt32(index * 2 + 1), name: string(), kind: kind(),
        targetClassID: oneIn(2) ? UInt32(int(0...9)) : nil,
        originPropertyID: oneIn(5) ? 3 : nil, isPrimaryKey: oneIn(5), indexID: UInt32(int(0...2)),
        addedConstant: oneIn(2) ? value(.mixed) : oneIn(3) ? .null : nil)
    }
    let layouts = (1...int(1...4)).map {
      StoredLayout(id: UInt16($0), properties: properties.filter { _ in oneIn(2) })
    }
    return StoredClass(
      id: UInt32(int(0...1000)), name: string(), isEmbedded: oneIn(2),
      primaryKeyPropertyID: oneIn(2) ? properties.first?.id : nil, nextPropertyID: 99,
      properties: properties, layouts: layouts, currentLayoutID: UInt16(layouts.count))
  }
}

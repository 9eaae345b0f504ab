import Testing
import VarveEncoding

@Suite struct TableKeyTests {
  @Test func listNodeKeyIsReadBack() throws {
    var key = OrderedKey()
    ListNodeKey(listID: 1, nodeID: 2).encode(into: &key)
    #expect(hex(key.bytes) == "00000000000000010000000000000002")
    #expect(key.count == ListNodeKey.byteCount)
    let found = try key.bytes.lend { try ListNodeKey(decoding: $0) }
    #expect(found == ListNodeKey(listID: 1, nodeID: 2))
    #expect(ListNodeKey(listID: 1).nodeID == ListNodeKey.root)
  }

  @Test func blobChunkKeyIsReadBack() throws {
    var key = OrderedKey()
    BlobChunkKey(blobID: 1, offset: 2).encode(into: &key)
    #expect(hex(key.bytes) == "000000000000000100000002")
    #expect(key.count == BlobChunkKey.byteCount)
    let found = try key.bytes.lend { try BlobChunkKey(decoding: $0) }
    #expect(found == BlobChunkKey(blobID: 1, offset: 2))
  }

  @Test func backlinkKeyIsReadBack() throws {
    var key = OrderedKey()
    let backlink = BacklinkKey(
      targetClass: 1, targetID: 2, originClass: 3, originProperty: 4, originID: 5)
    backlink.encode(into: &key)
    #expect(
      hex(key.bytes)
        == "00000001 0000000000000002 00000003 00000004 0000000000000005"
        .filter { $0 != " " })
    #expect(key.count == BacklinkKey.byteCount)
    #expect(try key.bytes.lend { try BacklinkKey(decoding: $0) } == backlink)
    var start = OrderedKey()
    BacklinkKey.begin(&start, targetClass: 1, targetID: 2, originClass: 3, originProperty: 4)
    #expect(key.bytes.starts(with: start.bytes))
    BacklinkKey.begin(&start, targetClass: 1, targetID: 2)
    #expect(key.bytes.starts(with: start.bytes))
  }

  @Test func backlinkKeyOfNestedCollectionIsReadBack() throws {
    var key = OrderedKey()
    let backlink = BacklinkKey(
      targetClass: 1, targetID: 2, originClass: 3, originProperty: 4, originID: 5, nestedID: 6)
    backlink.encode(into: &key)
    #expect(hex(key.bytes.suffix(16)) == "00000000000000050000000000000006")
    #expect(try key.bytes.lend { try BacklinkKey(decoding: $0) } == backlink)
    var zero = key.bytes
    zero[zero.count - 1] = 0
    expectError(.badValue) { try zero.lend { try BacklinkKey(decoding: $0) } }
  }

  @Test func backlinkCountIsReadBack() throws {
    var value = ByteBuffer()
    BacklinkKey.encodeCount(0x0102_0304, into: &value)
    #expect(hex(value.bytes) == "04030201")
    #expect(try value.bytes.lend { try BacklinkKey.decodeCount($0) } == 0x0102_0304)
  }

  @Test func dictionaryKeyIsReadBack() throws {
    var key = OrderedKey()
    let wasCut = CollectionEntryKey.encode(
      dictionaryKey: "a\0", collectionID: 9, fileKey: testFileKey, into: &key)
    #expect(!wasCut)
    #expect(hex(key.bytes) == "0000000000000009" + "6100ff0001")
    let found = try key.bytes.lend { try CollectionEntryKey.decodeDictionaryKey($0) }
    #expect(found.collectionID == 9)
    #expect(found.key == "a\0")
  }

  @Test func shortDictionaryKeyEqualsGeneralKey() {
    for count in [0, 1, 100, 437, 438, 439, 440] {
      for text in [String(repeating: "x", count: count), String(repeating: "é", count: count / 2)] {
        var key = OrderedKey()
        let wasCut = CollectionEntryKey.encode(
          dictionaryKey: text, collectionID: 0x0102_0304, fileKey: testFileKey, into: &key)
        Array(text.utf8).withUnsafeBytes { utf8 in
          #expect(CollectionEntryKey.isShort(utf8) == !wasCut)
          var short = [UInt8](
            repeating: 0xAA, count: utf8.count + CollectionEntryKey.shortOverhead)
          guard CollectionEntryKey.isShort(utf8) else { return }
          short.withUnsafeMutableBytes {
            CollectionEntryKey.encode(short: utf8, collectionID: 0x0102_0304, into: $0)
          }
          #expect(short == key.bytes)
        }
      }
    }
    #expect(![0x61, 0 as UInt8].withUnsafeBytes { CollectionEntryKey.isShort($0) })
  }

  @Test func setElementHasTypedForm() {
    var key = OrderedKey()
    let wasCut = CollectionEntryKey.encode(
      element: .link(classID: 3, objectID: 4), type: .link, collectionID: 9, fileKey: testFileKey,
      into: &key)
    #expect(!wasCut)
    #expect(hex(key.bytes) == "0000000000000009" + "02" + "0000000000000004")
  }

  @Test func longestKeysFitInLMDB() {
    var key = OrderedKey()
    let long = String(repeating: "x", count: 100_000)
    let wasCut = CollectionEntryKey.encode(
      element: .string(long), type: .mixed, collectionID: 9, fileKey: testFileKey, into: &key)
    #expect(wasCut)
    #expect(key.count == 8 + OrderedKey.cutValueBytes)
    #expect(key.count <= 511)
  }
}

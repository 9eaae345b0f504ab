import Foundation
import Testing
import VarveEncoding
import VarveTestSupport

@testable import VarveJSONLines

/// Inputs that the encoders write. With `VARVE_WRITE_FUZZ_SEEDS` set, the test adds them to the
/// corpora.
@Suite struct FuzzSeeds {
  private static let values: [Value] = [
    .null, .bool(true), .int(-2), .float(1.5), .double(.nan), .string("a\0b"), .string("é"),
    .data(Data([0, 255])), .date(Date(timeIntervalSinceReferenceDate: 7.25)),
    .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
    .objectId(ObjectIdBytes(high: 5, low: 7)), .decimal(Decimal128Bits(12_345)),
    .decimal(Decimal128Bits(shortest: 0.1)), .link(classID: 3, objectID: 9),
    .nested(.list, CollectionSlot(id: 4, revision: 5, count: 6)),
    .nested(.dictionary, CollectionSlot(id: 7, revision: 8, count: 0)),
  ]

  @Test(arguments: FuzzTarget.all) func encodedBytesAreDecoded(_ target: FuzzTarget) throws {
    let seeds = try Self.seeds(target.name)
    let isWriting = ProcessInfo.processInfo.environment["VARVE_WRITE_FUZZ_SEEDS"] != nil
    for (number, seed) in seeds.enumerated() {
      #expect(throws: Never.self, "seed \(number)") { try seed.lend(target.run) }
      guard isWriting else { continue }
      let folder = FuzzCorpus.folder.appending(path: target.name)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(seed).write(to: folder.appending(path: "seed-\(number)"))
    }
  }

  private static func seeds(_ target: String) throws -> [[UInt8]] {
    switch target {
    case "rows": try rows()
    case "list-nodes": nodes()
    case "map-entries": entries()
    case "row-entries": rowEntries()
    case "keys": keys()
    case "postings": postings()
    case "catalog": catalog()
    case "mixed-values": values.map { [UInt8(element($0).count)] + element($0) + element(.int(1)) }
    case "json-lines": try lines()
    default: []
    }
  }

  private static func rows() throws -> [[UInt8]] {
    var random = SeededRandom(seed: 5)
    return try (0..<12).map { number in
      let header = [UInt8(number + 2)] + random.bytes(2 * (number + 2)) + [UInt8(number)]
      let layout = header.withUnsafeBytes { bytes in
        var input = FuzzInput(bytes)
        return RowFuzzing.layout(&input)
      }
      let buffer = RowBuffer(layout: layout)
      for field in layout.fields where field.isStored {
        guard field.kind.collection == .none else {
          if random.oneIn(2) {
            random.bytes(9).withUnsafeBytes { buffer.setElements($0, count: 3, field) }
          } else {
            buffer.setCollectionSlot(CollectionSlot(id: 1, revision: 2, count: 3), field)
          }
          continue
        }
        if field.kind.isVariable, random.oneIn(4), field.kind.type != .mixed {
          buffer.setBlob(BlobReference(id: 7, byteCount: 4000, checksum: 8), field)
          continue
        }
        let value = values.first { value in
          value.type == field.kind.type || (field.kind.type.isInteger && value.type == .int64)
        }
        try buffer.set(field.kind.type == .mixed ? random.pick(values) : value ?? .null, field)
      }
      if number % 3 == 0 { buffer.touch(propertyID: 1, versionLow: 9) }
      return header + Array(buffer.finish(classID: 1, objectID: 2))
    }
  }

  private static func nodes() -> [[UInt8]] {
    let types = PropertyType.allCases
    var rows: [[UInt8]] = []
    var nodes: [[UInt8]] = types.indices.flatMap { index in
      [UInt8(index), UInt8(index) | 0x80].map { choice in
        let format = ListNodeFuzzing.format(choice)
        let buffer = ListLeafBuffer(format: format)
        for number in 0..<4 {
          let bytes =
            format.isPacked
            ? [UInt8](repeating: UInt8(number), count: format.width) : element(values[number + 3])
          let isNull = format.isNullable && number == 2
          bytes.withUnsafeBytes { buffer.insert(bytes: isNull ? nil : $0, at: buffer.count) }
        }
        rows.append([ListNodeFuzzing.rowChoice, choice, 4, 0] + Array(buffer.elements))
        return [choice] + Array(buffer.finish(ListNodeFuzzing.key))
      }
    }
    for count in [1, 3, 99] {
      let buffer = ListInnerBuffer()
      for number in 0..<count {
        buffer.append(
          ListInnerEntry(nodeID: UInt64(number), stamp: 7, count: UInt32(number) + 1))
      }
      nodes.append([0x7F] + Array(buffer.finish(ListNodeFuzzing.key)))
    }
    return nodes + rows
  }

  private static func entries() -> [[UInt8]] {
    let texts = ["", "key", "a\0b", "é", String(repeating: "long ", count: 120)]
    return texts.flatMap { text in
      [Value.string("value"), .int(3), .null].map { value in
        var key = OrderedKey()
        let isCut = CollectionEntryKey.encode(
          dictionaryKey: text, collectionID: 5, fileKey: MapEntryFuzzing.fileKey, into: &key)
        var buffer = ByteBuffer()
        ElementCodec.append(value, to: &buffer)
        if isCut {
          Array(text.utf8).withUnsafeBytes { ElementCodec.appendWholeKey($0, to: &buffer) }
        }
        return [UInt8(key.count & 255), UInt8(key.count >> 8)] + key.bytes + buffer.bytes
      }
    }
  }

  private static func rowEntries() -> [[UInt8]] {
    (1..<12).map { count in
      let buffer = RowElementsBuffer()
      for number in 0..<count {
        Array("key \(number)".utf8.prefix(number * 2)).withUnsafeBytes { key in
          element(values[number + 3]).withUnsafeBytes { _ = buffer.append(key, $0) }
        }
      }
      return [UInt8(count), UInt8(count / 2)] + buffer.withBytes { Array($0) }
    }
  }

  private static func keys() -> [[UInt8]] {
    var keys = [OrderedKey](repeating: OrderedKey(), count: 5)
    ListNodeKey(listID: 1, nodeID: 2).encode(into: &keys[0])
    BlobChunkKey(blobID: 1, offset: 2).encode(into: &keys[1])
    BacklinkKey(targetClass: 1, targetID: 2, originClass: 3, originProperty: 4, originID: 5)
      .encode(into: &keys[2])
    CatalogKey.classRecord(id: 7).encode(into: &keys[3])
    CollectionRecord.encodeKey(collectionID: 6, into: &keys[4])
    var seeds = keys.enumerated().map { [UInt8($0.offset)] + $0.element.bytes }
    var key = OrderedKey()
    CatalogKey.lastKey(classID: 7).encode(into: &key)
    seeds.append([3] + key.bytes)
    CatalogKey.model(SchemaHash(value: Hash128(low: 1, high: 2))).encode(into: &key)
    seeds.append([3] + key.bytes)
    var value = ByteBuffer()
    BacklinkKey.encodeCount(9, into: &value)
    seeds.append([5] + value.bytes)
    CollectionRecord(
      kind: PropertyKind(type: .string, collection: .set), ownerClassID: 1, ownerObjectID: 2,
      ownerPropertyID: 3
    ).encode(into: &value)
    seeds.append([6] + value.bytes)
    return seeds + entries().map { [7] + $0[2..<(2 + Int($0[0]) + Int($0[1]) << 8)] }
  }

  private static func postings() -> [[UInt8]] {
    var seeds: [[UInt8]] = (1..<8).map { number in
      var buffer = PostingBlockBuffer()
      for index in 0..<number * number {
        let step = UInt64(1) << UInt64(8 * number)
        let posting = Posting(id: 1 + UInt64(index) * step, count: UInt32(index % 3) * 70 + 1)
        _ = buffer.append(posting)
      }
      return [0, 1, 0, 0, 0, 0, 0, 0, 0] + buffer.withUnsafeBytes { Array($0) }
    }
    for number in 1..<6 {
      let words = (0..<number * number).map { "word\($0 * 7 % 11)" }
      let removed = (0..<number - 1).map { "word\($0 * 3)" }
      var buffer = ByteBuffer()
      _ = PendingText.encode(list(words), removed: list(removed), into: &buffer)
      seeds.append([1] + buffer.bytes)
    }
    var buffer = ByteBuffer()
    PendingTotals(count: 3, bytes: 700).encode(into: &buffer)
    seeds.append([2] + buffer.bytes)
    for word in ["", "a", String(repeating: "é", count: 32)] {
      var key = OrderedKey()
      Array(word.utf8).withUnsafeBytes { PostingKey.begin(&key, indexID: 9, word: $0) }
      key.append(uint64: 1 << 63)
      seeds.append([3] + key.bytes)
    }
    return seeds
  }

  private static func list(_ words: [String]) -> WordList {
    var bytes: [UInt8] = []
    var ends: [Int] = []
    for word in words {
      bytes += Array(word.utf8)
      ends.append(bytes.count)
    }
    return WordList(bytes: bytes, ends: ends)
  }

  private static func catalog() -> [[UInt8]] {
    let kinds = [
      PropertyKind(type: .int64), PropertyKind(type: .string, isNullable: true),
      PropertyKind(type: .link, collection: .list), PropertyKind(type: .mixed),
      PropertyKind(type: .date, collection: .dictionary, isNullable: true),
    ]
    var seeds: [[UInt8]] = (0..<8).map { number in
      let properties = (0..<number).map { index in
        StoredProperty(
          id: UInt32(index + 1), name: "property \(index)", kind: kinds[index % kinds.count],
          targetClassID: index % 3 == 2 ? 4 : nil, isPrimaryKey: index == 0,
          isAutoIncremented: index == 0 && number > 4, indexID: UInt32(index),
          addedConstant: index % 2 == 1 ? values[index] : nil)
      }
      var value = StoredClass(
        id: 3, name: "Item", isEmbedded: number == 1,
        primaryKeyPropertyID: number > 2 ? 1 : nil, nextPropertyID: 9, properties: properties,
        layouts: (1...2).map { StoredLayout(id: UInt16($0), properties: properties) },
        currentLayoutID: 2)
      if number > 3 {
        value.indexes = [
          StoredIndex(id: 8, kind: .unique, propertyIDs: [2, 1]),
          StoredIndex(id: 9, kind: .fullText, propertyIDs: [2]),
        ]
      }
      var buffer = ByteBuffer()
      CatalogCodec.encode(value, into: &buffer)
      return [0] + buffer.bytes.dropLast(4)
    }
    var buffer = ByteBuffer()
    LastKeyRecord(key: 77).encode(into: &buffer)
    seeds.append([1] + buffer.bytes.dropLast(4))
    CatalogCodec.encode(generation: 6, into: &buffer)
    seeds.append([2] + buffer.bytes)
    return seeds
  }

  private static func lines() throws -> [[UInt8]] {
    let header = """
      {"format":"varve","version":1,"schemaVersion":3,"classes":[{"name":"Item","objects":2,\
      "properties":[{"name":"id","type":"int64","primaryKey":true},{"name":"tags",\
      "type":"string","collection":"set"},{"name":"best","type":"link","target":"Item",\
      "optional":true}],"indexes":[{"kind":"unique","properties":["id"]}]}]}
      """
    let texts = [
      header, header + "\r\n{\"class\":\"Item\",\"id\":1}\n\n", "\u{FEFF}[1,-2.5e+7,true,null]\n",
      "\"\\ud83d\\ude00\\n\\u0000 é\"", "\"nan:7ff8000000000001\"\n\"-inf\"\n1e400\n-0.0",
      "\"bits:0123456789abcdef0123456789abcdef\"", "[[[[{\"a\":[{}]}]]]]", "{\"a\":1,\"a\":2}",
      "\"6F9619FF-8B86-D011-B42D-00CF4FC964FF\"", "\"AAEC\"\n\"507f1f77bcf86cd799439011\"",
      "\"2024-02-29T12:34:56.789Z\"\n\"1234.5E-10\"",
    ]
    return try texts.map { [16] + Array($0.utf8) }
      + values.map { value in
        nonisolated(unsafe) var text: [UInt8] = []
        var writer = JSONWriter { text += $0 }
        JSONScalar.write(value, to: &writer)
        try writer.flush()
        return [255] + text
      }
  }

  private static func element(_ value: Value) -> [UInt8] {
    var buffer = ByteBuffer()
    ElementCodec.append(value, to: &buffer)
    return buffer.bytes
  }
}

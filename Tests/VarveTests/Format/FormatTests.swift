import Foundation
import Testing
import Varve
import VarveCore
import VarveStorage

/// The tested store: the store committed with the format, or a newly written store.
enum FormatSource: String, CaseIterable, CustomTestStringConvertible {
  case committed, written
  var testDescription: String { rawValue }
}

/// The bytes agree with Docs/Format.md: each table is decoded by the document alone.
///
/// `VARVE_FIXTURE=path swift test --filter FormatTests` saves the newly written store.
@Suite struct FormatTests {
  /// Runs a test with a copy of the committed store, or with a newly written store.
  private func withStore(
    _ source: FormatSource, _ body: (TemporaryRealm, FormatDump) throws -> Void
  ) throws {
    let store = try TemporaryRealm()
    if source == .committed {
      try FileManager.default.copyItem(at: FormatFixture.committed, to: URL(filePath: store.path))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: store.path)
    } else {
      try FormatFixture.write(store.configuration)
      if let path = ProcessInfo.processInfo.environment["VARVE_FIXTURE"] {
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: store.path, toPath: path)
      }
    }
    defer { store.end() }
    _ = try store.open()
    try body(store, try FormatDump(try store.configuration.store().newestSnapshot()))
  }

  // MARK: The tests

  @Test(arguments: FormatSource.allCases)
  func storeContainsObjects(source: FormatSource) throws {
    try withStore(source) { store, _ in
      let realm = try store.open()
      #expect(realm.objects(Format.Item.self).map(\.id) == [-1, 1, 2])
      let early = try #require(realm.object(ofType: Format.Item.self, forPrimaryKey: -1))
      #expect(early.name == "early" && !early.flag && early.kind == "new" && early.double == nil)
      #expect(early.numbers.isEmpty && early.labels.isEmpty && early.owner == nil)
      let full = try #require(realm.object(ofType: Format.Item.self, forPrimaryKey: 1))
      #expect(full.name == "full" && full.flag && full.int8 == -1 && full.int64 == .min)
      #expect(
        full.double?.sign == .minus && full.text == "é\u{0}" && full.data == FormatFixture.data)
      #expect(
        full.uuid == FormatFixture.uuid && full.objectId?.stringValue.hasPrefix("0102") == true)
      #expect(Array(full.numbers) == Array(0..<600) && Array(full.small) == [nil, -1, 5])
      #expect(Array(full.texts) == [nil, "a", FormatFixture.longText])
      #expect(full.owners.map(\.name) == ["Ann", "Ann"] && full.owner?.name == "Ann")
      #expect(full.labels.keys == ["", "k", FormatFixture.longKey] && full.labels["k"] == "v")
      #expect(full.labels[FormatFixture.longKey] == "w" && full.counts.values == [nil, -2])
      #expect(full.byRole["gone"] == .some(nil) && full.byRole["boss"]??.name == "Ann")
      let long = realm.objects(Format.Item.self).where { $0.name == FormatFixture.longName }
      #expect(long.map(\.id) == [2] && long.first?.double?.isNaN == true)
      let ann = realm.object(ofType: Format.Owner.self, forPrimaryKey: "Ann")
      #expect(ann?.items.map(\.id) == [1] && realm.objects(Format.Owner.self).count == 2)
      #expect(realm.object(ofType: Format.Owner.self, forPrimaryKey: nil as String?) != nil)
      // It can also be written.
      try realm.write { early.numbers.append(1) }
      #expect(early.numbers.count == 1)
    }
  }

  @Test(arguments: FormatSource.allCases)
  func rootRecordHasDocumentedFields(source: FormatSource) throws {
    try withStore(source) { store, dump in
      var reader = PlainBytes(dump.root)
      #expect(dump.root.count == 160)
      #expect(try reader.take(4) == Array("Vrve".utf8) && reader.number(4) == 1)
      reader.skip(to: 40)
      let version = try reader.number(8)
      let generation = try reader.number(8)
      let ids = try (0..<4).map { _ in try reader.number(8) }
      let small = try (0..<3).map { _ in try reader.number(4) }
      #expect(try version == store.open().version.number && generation >= 2)
      // Three owners, three collections outside the row, two blobs of Item 1 and one of Item 2.
      #expect(ids[0] == 4 && ids[1] == 4 && ids[3] == 4)
      #expect(small[0] == 3 && small[2] == 6)
      // 0.1.0 wrote zero for the defaults.
      #expect(dump.root[112] == (source == .committed ? 0 : 1))
      #expect((dump.root[100..<112] + dump.root[113..<156]).allSatisfy { $0 == 0 })
      #expect(Array(dump.root[156...]) == littleEndian(plainCRC32C(dump.root[..<156]), 4))
    }
  }

  @Test(arguments: FormatSource.allCases)
  func catalogContainsClasses(source: FormatSource) throws {
    try withStore(source) { _, dump in
      let item = try #require(dump.classes["Item"])
      let owner = try #require(dump.classes["Owner"])
      #expect(item.id == 1 && owner.id == 2 && item.primaryKey == 1 && owner.primaryKey == 1)
      #expect(item.nextProperty == 24 && item.properties.map(\.id) == Array(1...23))
      #expect(item.layouts[1]?.map(\.property) == [1, 2, 3] && item.layouts[2]?.count == 23)
      #expect(item.layouts[2]?.first?.flags == 0 && item.currentLayout == 2)
      let types: [UInt64] = [
        5, 8, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 8, 15, 5, 2, 8, 15, 8, 5, 15,
      ]
      let flags: [UInt64] = [2, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 1, 0, 1, 0, 1, 1, 0, 0, 1, 1]
      #expect(item.properties.map(\.type) == types && item.properties.map(\.flags) == flags)
      #expect(item.properties.suffix(7).map(\.collection) == [1, 1, 1, 1, 3, 3, 3])
      #expect(try dump.property("Item", "owner").target == 2)
      #expect(try dump.property("Item", "kind").constant == .text("new"))
      #expect(try dump.property("Item", "text").constant == nil)
      let indexed = item.properties.filter { $0.index != 0 }.map(\.name)
      #expect(indexed == ["name", "double", "date", "objectId"])
      #expect(dump[.catalog][0].key == [0x63, 0, 0, 0, 1])
      let model = try #require(dump[.catalog].first { $0.key.first == 0x68 })
      #expect(
        Array(model.key.dropFirst())
          == plainSipHash(modelDescription, key: Array("varve schema   1".utf8)))
      #expect(model.value.count == 8)
    }
  }

  /// The bytes covered by the hash of the model, written by hand from the document.
  private var modelDescription: [UInt8] {
    func text(_ text: String?) -> [UInt8] {
      text.map { [1] + littleEndian(UInt64($0.utf8.count), 4) + Array($0.utf8) } ?? [0]
    }
    func property(
      _ name: String, _ type: UInt8, _ collection: UInt8 = 0, null: UInt8 = 0,
      target: String? = nil, origin: String? = nil, key: UInt8 = 0, indexed: UInt8 = 0
    ) -> [UInt8] {
      text(name) + [type, collection, null] + text(target) + text(origin) + [key, indexed]
    }
    let item: [[UInt8]] = [
      property("byRole", 15, 3, null: 1, target: "Owner"), property("counts", 5, 3, null: 1),
      property("data", 9), property("date", 10, null: 1, indexed: 1),
      property("double", 7, null: 1, indexed: 1), property("flag", 1), property("float", 6),
      property("id", 5, key: 1), property("int16", 3), property("int32", 4), property("int64", 5),
      property("int8", 2), property("kind", 8), property("labels", 8, 3),
      property("name", 8, indexed: 1), property("numbers", 5, 1),
      property("objectId", 12, null: 1, indexed: 1),
      property("owner", 15, null: 1, target: "Owner"), property("owners", 15, 1, target: "Owner"),
      property("small", 2, 1, null: 1), property("text", 8, null: 1),
      property("texts", 8, 1, null: 1), property("uuid", 11, null: 1),
    ]
    let owner = [
      property("items", 15, 1, target: "Item", origin: "owner"),
      property("name", 8, null: 1, key: 1),
    ]
    return [2, 0, 0, 0] + text("Item") + [0] + littleEndian(23, 4) + item.flatMap(\.self)
      + text("Owner") + [0] + littleEndian(2, 4) + owner.flatMap(\.self)
  }

  @Test(arguments: FormatSource.allCases)
  func rowsContainValues(source: FormatSource) throws {
    try withStore(source) { _, dump in
      let early = try dump.row(-1)
      #expect(early.layout == 1 && early.values == [2: .text("early"), 3: .bool(false)])
      let full = try dump.row(1)
      #expect(full.layout == 2 && full.touches.isEmpty)
      func expect(_ name: String, _ value: PlainValue) throws {
        let found = try dump.value(full, name)
        #expect(found == value, "\(name)")
      }
      try expect("name", .text("full"))
      try expect("flag", .bool(true))
      try expect("int8", .int(-1))
      try expect("int16", .int(-2))
      try expect("int32", .int(-3))
      try expect("int64", .int(.min))
      try expect("float", .float(1.5))
      try expect("double", .double(-0.0))
      try expect("text", .text("é\u{0}"))
      try expect("date", .double(0.5))
      try expect("uuid", .data(Array(0..<16)))
      try expect("objectId", .data(Array(1...12)))
      try expect("kind", .text("new"))
      #expect(try dump.blob(dump.value(full, "data")) == Array(FormatFixture.data))
      let long = try dump.row(2)
      #expect(try dump.value(long, "text") == .null && dump.value(long, "owner") == .null)
      #expect(try dump.value(long, "numbers") == .collection(id: 0, count: 0))
      #expect(try dump.blob(dump.value(long, "name")) == Array(FormatFixture.longName.utf8))
      #expect(long.touches.map(\.property) == [3])
      var reader = PlainBytes(Array(dump.root[40..<44]))
      let version = try reader.number(4)
      let touched = try #require(long.touches.first?.version)
      #expect(touched > 0 && touched <= version)
    }
  }

  @Test(arguments: FormatSource.allCases)
  func indexesContainEntries(source: FormatSource) throws {
    try withStore(source) { _, dump in
      let (one, two, early) = (UInt64(1) ^ 1 << 63, UInt64(2) ^ 1 << 63, UInt64.max ^ 1 << 63)
      func entries(_ className: String, _ name: String) throws -> [(key: [UInt8], value: [UInt8])] {
        let prefix = bigEndian(try dump.property(className, name).index, 4)
        return dump[.indexes].filter { $0.key.starts(with: prefix) }
          .map { (Array($0.key.dropFirst(4)), $0.value) }
      }
      let long = [2] + Array(FormatFixture.longName.utf8) + [0, 1]
      let names = try entries("Item", "name")
      let cut: [UInt8] = long.prefix(440) + [2] + plainSipHash(long, key: dump.fileKey)
      func text(_ text: String) -> [UInt8] { [2] + Array(text.utf8) + [0, 1] }
      let expectedNames: [[UInt8]] = [
        text("early") + bigEndian(early, 8), text("full") + bigEndian(one, 8),
        cut + bigEndian(two, 8),
      ]
      #expect(names.map(\.key) == expectedNames)
      #expect(names.map(\.value) == [[], [], Array(FormatFixture.longName.utf8)])
      // Null, NaN, and -0.0 encoded as 0.0.
      let zero: [UInt8] = [0, 0, 0, 0, 0, 0, 0]
      let expectedDoubles: [[UInt8]] = [
        [1] + bigEndian(early, 8), [2, 0] + zero + bigEndian(two, 8),
        [2, 0x80] + zero + bigEndian(one, 8),
      ]
      #expect(try entries("Item", "double").map(\.key) == expectedDoubles)
      let half = bigEndian(0.5.bitPattern | 1 << 63, 8)
      #expect(try entries("Item", "date").last?.key == [2] + half + bigEndian(one, 8))
      #expect(
        try entries("Item", "objectId").last?.key == [2] + Array(1...12) + bigEndian(one, 8))
      // A primary key: the value contains the id, also for null.
      let owners = try entries("Owner", "name")
      #expect(owners.map(\.key) == [[1], text("Ann")])
      #expect(owners.allSatisfy { $0.value.count == 8 })
    }
  }

  @Test(arguments: FormatSource.allCases)
  func collectionsContainElements(source: FormatSource) throws {
    try withStore(source) { _, dump in
      let full = try dump.row(1)
      #expect(
        try dump.value(full, "numbers")
          == .collection(id: dump.collection(full, "numbers"), count: 600))
      #expect(try dump.list(full, "numbers") == (0..<600).map { .int($0) })
      #expect(try dump.list(full, "small") == [.null, .int(-1), .int(5)])
      let texts = try dump.list(full, "texts")
      #expect(texts.prefix(2) == [.null, .text("a")] && texts.count == 3)
      #expect(dump.blob(texts.last) == Array(FormatFixture.longText.utf8))
      let owners = try dump.list(full, "owners")
      #expect(try owners.count == 2 && owners.allSatisfy { try $0 == dump.value(full, "owner") })

      let labels = try dump.entries(full, "labels")
      let long = Array(FormatFixture.longKey.utf8) + [0, 1]
      let cut: [UInt8] = long.prefix(440) + [2] + plainSipHash(long, key: dump.fileKey)
      #expect(labels.map(\.key) == [[0, 1], [0x6B, 0, 1], cut])
      let values = try labels.map { try plainElement($0.element) }
      #expect(values.map(\.value) == [.text("e"), .text("v"), .text("w")])
      #expect(values.map(\.wholeKey) == [nil, nil, FormatFixture.longKey])
      let counts = try dump.entries(full, "counts")
      #expect(counts.map(\.element) == [[0], [5] + littleEndian(UInt64(bitPattern: -2), 8)])
      // The key of an entry in a row has no mark at its end.
      #expect(counts.map(\.key) == [[0x61], [0x62]])
      let roles = try dump.entries(full, "byRole")
      #expect(roles.map(\.key) == [Array("boss".utf8), Array("gone".utf8)])
      let targets = try roles.map { try plainElement($0.element).value }
      #expect(try targets.first == dump.value(full, "owner") && targets.last == .null)

      #expect(dump[.collections].isEmpty && dump[.sets].isEmpty)
    }
  }

  @Test(arguments: FormatSource.allCases)
  func smallCollectionsAreInRows(source: FormatSource) throws {
    try withStore(source) { _, dump in
      let full = try dump.row(1)
      let lists = ["numbers", "small", "texts", "owners"]
      let dictionaries = ["labels", "counts", "byRole"]
      let inRow = try (lists + dictionaries).filter { try dump.isInRow(full, $0) }
      #expect(inRow == ["small", "owners", "counts", "byRole"])
      // The tables contain no elements of collections in rows.
      func ids(_ table: Table) throws -> Set<UInt64> {
        Set(
          try dump[table].map { entry in
            var reader = PlainBytes(entry.key)
            return try reader.keyNumber(8)
          })
      }
      func outside(_ names: [String]) throws -> Set<UInt64> {
        Set(try names.map { try dump.collection(full, $0) }).subtracting([0])
      }
      #expect(try ids(.lists) == outside(lists) && ids(.dictionaries) == outside(dictionaries))
      #expect(try outside(lists + dictionaries).count == 7 - inRow.count)

      let long = try dump.row(2)
      #expect(try dump.value(long, "texts") == .list([.null, .text("é"), .text("")]))
      let labels: [PlainEntry] = [
        PlainEntry(key: [], element: [8]), PlainEntry(key: [0x6B], element: [8, 0x76]),
      ]
      #expect(try dump.value(long, "labels") == .dictionary(labels))
    }
  }

  @Test(arguments: FormatSource.allCases)
  func backlinksCountLinks(source: FormatSource) throws {
    try withStore(source) { _, dump in
      let full = try dump.row(1)
      guard case .link(let ann) = try dump.value(full, "owner") else { return }
      let start = bigEndian(2, 4) + bigEndian(ann, 8) + bigEndian(1, 4)
      let origin = bigEndian(UInt64(1) ^ 1 << 63, 8)
      func key(_ name: String) throws -> [UInt8] {
        try start + bigEndian(dump.property("Item", name).id, 4) + origin
      }
      let expected = [try key("owner"), try key("owners"), try key("byRole")]
      #expect(dump[.backlinks].map(\.key) == expected)
      #expect(dump[.backlinks].map(\.value) == [[1, 0, 0, 0], [2, 0, 0, 0], [1, 0, 0, 0]])
    }
  }
}

import Foundation
import Testing
import Varve
import VarveCore
import VarveEncoding
import VarveStorage
import VarveTestSupport

@Model(indexes: [["city", "size"], ["any", "city"]], unique: [["city", "number"]])
final class IndexedHouse: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var city: String?
  @Persisted var size = 0.0
  @Persisted var number = 0
  @Persisted var any: AnyRealmValue
  @Persisted(unique: true) var code: String?
  @Persisted(fullText: true) var text: String?
}

@Suite struct ClassIndexTests {
  private static let cities: [String?] = [
    nil, "", "Bath", "Baden", String(repeating: "b", count: 435),
    String(repeating: "b", count: 600),
  ]
  private static let texts: [String?] = [
    nil, "", "The quick brown fox", "the QUICK fox, the fox", "Café crème brûlée",
    "ΟΔΥΣΣΕΥΣ and Ὀδυσσεύς", "e-mail 42 times", String(repeating: "long", count: 200),
  ]

  private func schema(_ store: TemporaryRealm) throws -> ClassSchema {
    let snapshot = try snapshot(store)
    let file = try FileSchema.load(from: snapshot, snapshot.root)
    return try #require(file.schema(named: "IndexedHouse"))
  }

  private func snapshot(_ store: TemporaryRealm) throws -> Snapshot {
    try store.configuration.store().newestSnapshot()
  }

  @Test func entriesFollowEveryWrite() throws {
    var random = SeededRandom()
    try withTemporaryRealm { realm, store in
      var failures = 0
      for round in 0..<150 {
        do {
          try realm.write {
            let houses = Array(realm.objects(IndexedHouse.self))
            switch random.below(6) {
            case 0, 1:
              _ = realm.create(
                IndexedHouse.self,
                value: [
                  "id": random.below(60), "city": random.pick(Self.cities) as Any,
                  "size": Double(random.below(4)), "number": random.below(40),
                  "code": random.oneIn(3) ? nil as String? as Any : "c\(random.below(60))",
                  "text": random.pick(Self.texts) as Any,
                ] as [String: Any], update: .modified)
            case 2, 3:
              guard let house = random.element(houses) else { return }
              house.city = random.pick(Self.cities)
              house.size = random.pick([0, -0.0, 1, .nan])
              house.number = random.below(40)
              house.any = random.pick([.none, .int(1), .string("x"), .object(random.pick(houses))])
            case 4:
              guard let house = random.element(houses) else { return }
              house.code = random.oneIn(3) ? nil : "c\(random.below(60))"
              house.text = random.pick(Self.texts)
            default:
              if let house = random.element(houses) { realm.delete(house) }
            }
          }
        } catch let error as Realm.Error where error.code == .duplicateValue {
          failures += 1
        }
        if round % 10 == 0 { try store.check("\(random)") }
      }
      #expect(failures > 0, "\(random)")
      try compareRanges(realm, store, &random)
      try compareTexts(realm, store)
      try realm.write { realm.deleteAll() }
      #expect(try store.report().indexEntryCount == 0, "\(random)")
    }
  }

  private func compareRanges(
    _ realm: Realm, _ store: TemporaryRealm, _ random: inout SeededRandom
  ) throws {
    let schema = try schema(store)
    let index = try #require(
      schema.indexes.first { $0.description.propertyNames == ["city", "size"] })
    let snapshot = try snapshot(store)
    let words = snapshot.environment.fileKey
    let fileKey = FileKey(low: words.first, high: words.second)
    for city in Self.cities {
      let value = city.map { Value.string($0) } ?? .null
      for bound in [IndexBound.none, .inclusive(.int(1)), .exclusive(.double(0))] {
        guard let range = index.range(equalTo: [value], ValueBounds(bound, .none), fileKey: fileKey)
        else {
          #expect((city?.utf8.count ?? 0) > 400)
          continue
        }
        let expected = realm.objects(IndexedHouse.self).filter { house in
          house.city == city
            && (bound.isInclusive ? house.size >= 1 : bound.value == nil || house.size > 0)
        }.map { ObjectKey.objectID(forInteger: Int64($0.id)) }
        #expect(try range.ids(snapshot) == expected.sorted(), "\(random)")
      }
    }
  }

  private func compareTexts(_ realm: Realm, _ store: TemporaryRealm) throws {
    let schema = try schema(store)
    let property = try #require(schema.property(named: "text"))
    let index = try #require(FullTextIndex(of: property, in: schema))
    let snapshot = try snapshot(store)
    for text in [
      "fox", "quick fox", "QUI*", "fox -the", "cafe", "brul*", "οδυσσευς", "e-mail", "-fox", "",
      "*",
      "the fox -quick", "4*", "long", String(repeating: "long", count: 300), "nothing",
    ] {
      let query = FullTextQuery(text)
      let expected = realm.objects(IndexedHouse.self).filter { house in
        house.text.map { FullText.matches($0, query) } ?? false
      }.map { ObjectKey.objectID(forInteger: Int64($0.id)) }
      #expect(try index.matches(query, in: snapshot).map(\.id) == expected.sorted(), "\(text)")
    }
  }

  @Test func duplicateValueErrorNamesIndex() throws {
    try withTemporaryRealm { realm, store in
      try realm.write {
        realm.create(IndexedHouse.self, value: ["id": 1, "city": "Bath", "number": 1, "code": "a"])
        realm.create(IndexedHouse.self, value: ["id": 2, "city": "Bath", "number": 2])
        // Several objects may have nil.
        realm.create(IndexedHouse.self, value: ["id": 3, "number": 1])
        realm.create(IndexedHouse.self, value: ["id": 4, "number": 1])
      }
      let error = thrownError {
        try realm.write { realm.object(ofType: IndexedHouse.self, forPrimaryKey: 2)?.number = 1 }
      }
      #expect(error?.code == .duplicateValue)
      #expect(error?.className == "IndexedHouse")
      #expect(error?.propertyName == "city, number")
      #expect(error?.value == "\"Bath\", 1")
      let second = thrownError {
        try realm.write { _ = realm.create(IndexedHouse.self, value: ["id": 5, "code": "a"]) }
      }
      #expect(second?.propertyName == "code")
      #expect(realm.objects(IndexedHouse.self).count == 4)
      try store.check()
    }
  }

  /// A check reports each missing entry and a stray entry.
  @Test func checkFindsMissingAndStrayEntries() throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    let realm = try store.open()
    try realm.write {
      _ = realm.create(IndexedHouse.self, value: ["id": 1, "city": "Bath", "code": "a"])
    }
    let environment = try store.configuration.store().environment
    var entries: [(key: [UInt8], value: [UInt8])] = []
    let before = try snapshot(store)
    var cursor = before.cursor(.indexes)
    while cursor.next() { entries.append((Array(cursor.key), Array(cursor.value))) }
    #expect(entries.count == 4)
    for entry in entries {
      var transaction = try environment.beginWrite(timeout: .seconds(10))
      _ = try entry.key.withUnsafeBytes { try transaction.delete(.indexes, key: $0) }
      _ = try transaction.commit()
      #expect(try store.report().problems.map(\.kind) == [.missingIndexEntry])
      transaction = try environment.beginWrite(timeout: .seconds(10))
      let other = Array(entry.key.dropLast()) + [9]
      for key in [entry.key, other] {
        try key.withUnsafeBytes { key in
          try entry.value.withUnsafeBytes { try transaction.put(.indexes, key: key, $0) }
        }
      }
      _ = try transaction.commit()
      #expect(try store.report().problems.map(\.kind) == [.strayIndexEntry])
      transaction = try environment.beginWrite(timeout: .seconds(10))
      _ = try other.withUnsafeBytes { try transaction.delete(.indexes, key: $0) }
      _ = try transaction.commit()
    }
    try store.check()
  }

  @Test func schemaListsIndexes() {
    let indexes = IndexedHouse().objectSchema.indexes
    #expect(
      indexes.map(\.propertyNames) == [
        ["code"], ["text"], ["city", "size"], ["any", "city"], ["city", "number"],
      ])
    #expect(indexes.map(\.isUnique) == [true, false, false, false, true])
    #expect(indexes.map(\.isFullText) == [false, true, false, false, false])
  }
}

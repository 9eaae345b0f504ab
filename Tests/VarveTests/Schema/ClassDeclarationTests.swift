import Foundation
import Testing
import Varve

@Model final class Declared: Object {
  @Persisted var code: String
  @Persisted var rank = 5
  @Persisted var note: String?
  @Persisted var made: UUID
  @Persisted var next: Declared?
  @Persisted var items: List<Declared>
  @Persisted(originProperty: "next") var before: LinkingObjects<Declared>
  var unstored = 1

  override class func primaryKey() -> String? { "code" }
  override class func indexedProperties() -> [String] { ["rank"] }
  override class func ignoredProperties() -> [String] { ["unstored"] }
  override class func defaultPropertyValues() -> [String: Any] {
    ["rank": 7, "note": "none", "made": UUID()]
  }
  override class func propertiesMapping() -> [String: String] {
    ["code": "kode", "rank": "rang", "next": "naechster"]
  }
}

/// Each property is stored under the name of the other.
@Model final class Exchanged: Object {
  @Persisted var first: Int
  @Persisted var second: Int

  override class func propertiesMapping() -> [String: String] {
    ["first": "second", "second": "first"]
  }
}

/// The class declared by another program with the stored names.
enum ByColumn {
  @Model final class Declared: Object {
    @Persisted(primaryKey: true) var kode: String
    @Persisted(indexed: true) var rang: Int
    @Persisted var note: String?
    @Persisted var made: UUID
    @Persisted var naechster: Declared?
    @Persisted var items: List<Declared>
  }
}

enum Faulty {
  @Model final class UnknownKey: Object {
    @Persisted var code: String
    override class func primaryKey() -> String? { "kode" }
  }
  @Model final class TwoKeys: Object {
    @Persisted(primaryKey: true) var code: String
    @Persisted var other: String
    override class func primaryKey() -> String? { "other" }
  }
  @Model final class KeyOfDouble: Object {
    @Persisted var number: Double
    override class func primaryKey() -> String? { "number" }
  }
  @Model final class UnknownIndex: Object {
    @Persisted var code: String
    override class func indexedProperties() -> [String] { ["code", "cod"] }
  }
  @Model final class IndexedList: Object {
    @Persisted var codes: List<String>
    override class func indexedProperties() -> [String] { ["codes"] }
  }
  @Model final class IgnoredAndPersisted: Object {
    @Persisted var code: String
    override class func ignoredProperties() -> [String] { ["code"] }
  }
  @Model final class UnknownMapping: Object {
    @Persisted var code: String
    override class func propertiesMapping() -> [String: String] { ["cod": "kode"] }
  }
  @Model final class TwiceMapped: Object {
    @Persisted var code: String
    @Persisted var other: String
    override class func propertiesMapping() -> [String: String] { ["code": "other"] }
  }
  @Model final class EmptyMapping: Object {
    @Persisted var code: String
    override class func propertiesMapping() -> [String: String] { ["code": ""] }
  }
  @Model final class UnknownDefault: Object {
    @Persisted var code: String
    override class func defaultPropertyValues() -> [String: Any] { ["cod": ""] }
  }
  @Model final class MistypedDefault: Object {
    @Persisted var code: String
    override class func defaultPropertyValues() -> [String: Any] { ["code": Date()] }
  }
}

@Suite struct ClassDeclarationTests {
  @Test func declaredKeyIsPrimaryKey() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.create(Declared.self, value: ["code": "a"]) }
      #expect(realm.object(ofType: Declared.self, forPrimaryKey: "a")?.code == "a")
      expectError(.duplicatePrimaryKey) {
        try realm.write { realm.create(Declared.self, value: ["code": "a"]) }
      }
      expectError(.primaryKeyChanged) {
        try realm.write { realm.objects(Declared.self).first?.code = "b" }
      }
      let found = realm.object(ofType: Declared.self, forPrimaryKey: "a")
      #expect(found == realm.objects(Declared.self).first)
      try store.check("declared")
    }
  }

  @Test func declaredDefaultsReplaceMissingValues() throws {
    let (one, other) = (Declared(), Declared(value: ["code": "b", "rank": 1]))
    #expect(one.rank == 7 && one.note == "none" && other.rank == 1 && one.made != other.made)
    #expect(one.made == one.made)
    try withTemporaryRealm { realm, _ in
      let stored = try realm.write {
        realm.create(Declared.self, value: ["code": "a", "note": NSNull()])
      }
      #expect(stored.rank == 7 && stored.note == nil)
      try realm.write { stored.rank = 2 }
      let made = stored.made
      // An update changes only the given properties.
      try realm.write {
        realm.create(Declared.self, value: ["code": "a", "note": "n"], update: .modified)
      }
      #expect(stored.rank == 2 && stored.note == "n" && stored.made == made)
    }
  }

  @Test func propertiesAreStoredUnderMappedNames() throws {
    try withTemporaryRealm { realm, store in
      try realm.write {
        let one = realm.create(Declared.self, value: ["code": "a", "rank": 3])
        realm.create(Declared.self, value: ["code": "b", "rank": 4, "next": one])
      }
      let found = realm.objects(ByColumn.Declared.self)
      #expect(found.map(\.kode) == ["a", "b"] && found.map(\.rang) == [3, 4])
      #expect(found.last?.naechster?.kode == "a")
      #expect(realm.object(ofType: ByColumn.Declared.self, forPrimaryKey: "b")?.rang == 4)
      try realm.write { _ = realm.create(ByColumn.Declared.self, value: ["kode": "c", "rang": 9]) }
      #expect(realm.object(ofType: Declared.self, forPrimaryKey: "c")?.rank == 9)
      try store.check("mapped")
    }
  }

  @Test func queriesTakeDeclaredNames() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        let one = realm.create(Declared.self, value: ["code": "a", "rank": 3])
        realm.create(Declared.self, value: ["code": "b", "rank": 1, "next": one])
      }
      let all = realm.objects(Declared.self)
      #expect(all.where { $0.rank > 2 }.map(\.code) == ["a"])
      #expect(all.where { $0.next.code == "a" }.map(\.code) == ["b"])
      #expect(all.sorted(by: \.rank).map(\.code) == ["b", "a"])
      #expect(all.sorted(byKeyPath: "rank").map(\.code) == ["b", "a"])
      #expect(all.sorted(by: \.next?.rank).map(\.code) == ["a", "b"])
      #expect(all.sum(of: \.rank) == 4)
      #expect(all.first?.before.map(\.code) == ["b"])
    }
  }

  @Test func aggregatesTakeDeclaredNames() throws {
    let list = List<Exchanged>()
    list.append(Exchanged(value: ["first": 1, "second": 2]))
    #expect(list.max(of: \.first) == 1 && list.sum(of: \.second) == 2)
    let greatest: Int? = try list.max(ofProperty: "first")
    #expect(greatest == 1)
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.add(list[0]) }
      let objects = realm.objects(Exchanged.self)
      #expect(objects.max(of: \.first) == 1)
      let greatest: Int? = try objects.max(ofProperty: "first")
      #expect(greatest == 1)
    }
  }

  @Test func changesAreReportedUnderSwiftNames() async throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    let realm = try store.open()
    let object = try await realm.write { realm.create(Declared.self, value: ["code": "a"]) }
    for paths in [nil, ["rank"]] as [[String]?] {
      let changes = try paths.map { try object.changes(keyPaths: $0) } ?? object.changes
      var iterator = changes.makeAsyncIterator()
      try await realm.write {
        object.rank += 1
        object.note = "\(object.rank)"
      }
      guard case .change(_, let properties)? = await iterator.next() else {
        Issue.record("no change")
        continue
      }
      #expect(properties.map(\.name) == (paths == nil ? ["rank", "note"] : ["rank"]))
    }
  }

  @Test func descriptionAndSchemaUseSwiftNames() throws {
    #expect("\(Declared(value: ["code": "x"]))".contains("  code = \"x\""))
    let schema = Declared().objectSchema
    #expect(schema["code"]?.columnName == "kode" && schema["kode"] == nil)
    #expect(schema.primaryKeyProperty?.name == "code" && schema["rank"]?.isIndexed == true)
    #expect(schema["unstored"] == nil)
  }

  @Test(
    arguments: [
      (Faulty.UnknownKey.self, "no persisted property 'kode', which primaryKey() names"),
      (Faulty.TwoKeys.self, "has the primary key 'code', but primaryKey() names 'other'"),
      (Faulty.KeyOfDouble.self, "'KeyOfDouble.number' of type Double cannot be a primary key"),
      (Faulty.UnknownIndex.self, "no persisted property 'cod', which indexedProperties() names"),
      (Faulty.IndexedList.self, "'IndexedList.codes' of type List<String> cannot be indexed"),
      (Faulty.IgnoredAndPersisted.self, "'IgnoredAndPersisted.code' is persisted"),
      (Faulty.UnknownMapping.self, "no persisted property 'cod', which propertiesMapping() names"),
      (Faulty.TwiceMapped.self, "declares 'other' twice"),
      (Faulty.EmptyMapping.self, "'EmptyMapping.code' is mapped to an empty name"),
      (
        Faulty.UnknownDefault.self,
        "no persisted property 'cod', which defaultPropertyValues() names"
      ),
      (
        Faulty.MistypedDefault.self,
        "'MistypedDefault.code' of type String does not accept the default"
      ),
    ] as [(Object.Type, String)])
  func invalidDeclarationThrows(type: Object.Type, message: String) throws {
    try withTemporaryRealm { realm, _ in
      let error = thrownError { try realm.register(type) }
      #expect(error?.code == .invalidSchema)
      #expect("\(String(describing: error))".contains(message), "\(String(describing: error))")
      expectError(.invalidSchema) { try realm.write { realm.create(type, value: [:]) } }
    }
  }
}

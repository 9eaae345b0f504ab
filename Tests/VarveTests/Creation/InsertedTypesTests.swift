import Foundation
import Testing
import Varve
import VarveJSONLines

/// Inserted and added objects are stored alike: the exports of both stores are equal.
@Suite struct InsertedTypesTests {
  /// Writes to two stores, and compares their texts.
  private func compare(
    _ add: (Realm) throws -> Void, _ insert: (Realm) throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    func text(_ body: (Realm) throws -> Void) throws -> [Substring] {
      try withTemporaryRealm { realm, store in
        try realm.write { try body(realm) }
        let url = store.directory.appending(path: "text.jsonl")
        try realm.exportJSONLines(to: url)
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
      }
    }
    let (added, inserted) = (try text(add), try text(insert))
    #expect(added == inserted, sourceLocation: sourceLocation)
    #expect(added.count > 1, sourceLocation: sourceLocation)
  }

  @Test func everyTypeIsStoredAsByAdd() throws {
    func objects() -> [AllTypes] {
      ValueSample.extremes.enumerated().map { id, sample in
        let object = AllTypes()
        object.id = id
        // New identifiers are different each time.
        (object.uuid, object.objectId) = (ValueSample.uuid(id), ValueSample.objectId(id))
        sample.store(object)
        return object
      }
    }
    try compare { realm in
      realm.add(objects())
    } _: { realm in
      #expect(realm.insert(objects().map { AllTypes.New($0) }) == ValueSample.extremes.count)
    }
  }

  private static let texts = [
    "", "é", "\u{1F600} x", String(repeating: "ab ", count: 170),
    String(repeating: "c", count: 512), String(repeating: "d", count: 513),
    String(repeating: "e", count: 300_000),
  ]

  @Test func singleValuesAreStoredAsByAdd() throws {
    try compare { realm in
      for (id, text) in Self.texts.enumerated() {
        realm.add(
          PlainSingles(
            id: id - 1, bool: id % 2 == 0, int: .max, int8: .min, int16: .max, int32: .min,
            int64: .max, float: -0.0, double: .infinity, string: text, data: Data(text.utf8),
            date: Date(timeIntervalSince1970: 0.5), uuid: ValueSample.uuid(id),
            objectId: ValueSample.objectId(id), decimal: "1.00", color: .blue, level: .high,
            optionalBool: id == 0 ? nil : true, optionalInt: id == 1 ? nil : id,
            optionalInt8: id == 2 ? nil : -1, optionalDouble: id == 3 ? nil : .nan,
            optionalString: id == 4 ? nil : text, optionalData: id == 5 ? nil : Data(text.utf8),
            optionalDate: id == 6 ? nil : .distantPast, optionalUUID: nil, optionalColor: .red))
      }
    } _: { realm in
      realm.insert(Self.texts.enumerated()) { id, text in
        PlainSingles.New(
          id: id - 1, bool: id % 2 == 0, int: .max, int8: .min, int16: .max, int32: .min,
          int64: .max, float: -0.0, double: .infinity, string: text, data: Data(text.utf8),
          date: Date(timeIntervalSince1970: 0.5), uuid: ValueSample.uuid(id),
          objectId: ValueSample.objectId(id), decimal: "1.00", color: .blue, level: .high,
          optionalBool: id == 0 ? nil : true, optionalInt: id == 1 ? nil : id,
          optionalInt8: id == 2 ? nil : -1, optionalDouble: id == 3 ? nil : .nan,
          optionalString: id == 4 ? nil : text, optionalData: id == 5 ? nil : Data(text.utf8),
          optionalDate: id == 6 ? nil : .distantPast, optionalUUID: nil, optionalColor: .red)
      }
    }
  }

  @Test func indexesAreFilledAsByAdd() throws {
    func found(_ realm: Realm) -> [[String]] {
      [
        realm.objects(IndexedSingles.self).where { $0.int == 3 && $0.string == "é" },
        realm.objects(IndexedSingles.self).where { $0.color == .green },
        realm.objects(IndexedSingles.self).where { $0.date == nil },
        realm.objects(IndexedSingles.self).where { $0.uuid == ValueSample.uuid(4) },
        realm.objects(IndexedSingles.self).filter("string TEXT 'ab'"),
        realm.objects(IndexedSingles.self).filter("optionalString TEXT 'two'"),
      ].map { $0.map(\.key).sorted() }
    }
    var answers: [[[String]]] = []
    try compare { realm in
      for (index, text) in Self.texts.enumerated() {
        realm.add(
          IndexedSingles(
            key: "\(9 - index)", bool: index == 1, int: index + 2, string: text,
            optionalString: index == 0 ? nil : "one two", date: index == 2 ? nil : .distantPast,
            uuid: ValueSample.uuid(index), color: index == 3 ? .green : .red,
            code: index == 4 ? nil : index))
      }
      answers.append(found(realm))
    } _: { realm in
      realm.insert(Self.texts.enumerated()) { index, text in
        IndexedSingles.New(
          key: "\(9 - index)", bool: index == 1, int: index + 2, string: text,
          optionalString: index == 0 ? nil : "one two", date: index == 2 ? nil : .distantPast,
          uuid: ValueSample.uuid(index), color: index == 3 ? .green : .red,
          code: index == 4 ? nil : index)
      }
      answers.append(found(realm))
    }
    #expect(answers.count == 2 && answers[0] == answers[1])
    #expect(answers[0].allSatisfy { !$0.isEmpty }, "\(answers[0])")
  }

  @Test func linksAndCollectionsAreStoredAsByAdd() throws {
    let mixed: [AnyRealmValue] = [
      .none, .int(3), .string(String(repeating: "m", count: 2000)), .list(List([.int(1), .none])),
    ]
    func books(_ realm: Realm) -> [CaseBook] {
      let books = ["a", "b", "c"].map { CaseBook(title: $0) }
      realm.add(books)
      return books
    }
    try compare { realm in
      let books = books(realm)
      for (index, value) in mixed.enumerated() {
        let few = Array(books.prefix(index))
        realm.add(
          Bookcase(
            words: ["x", "y"], numbers: [-0.0, .nan, Double(index)], best: few.last,
            books: few + few, bookSet: Set(few), byName: ["n": few.first, "m": nil], mixed: value))
      }
    } _: { realm in
      let books = books(realm)
      realm.insert(mixed.enumerated()) { index, value in
        let few = Array(books.prefix(index))
        return Bookcase.New(
          words: ["x", "y"], numbers: [-0.0, .nan, Double(index)], best: few.last,
          books: few + few, bookSet: Set(few), byName: ["n": few.first, "m": nil], mixed: value)
      }
      #expect(books.map { $0.bookcases.count } == [6, 4, 2])
    }
  }

  @Test func embeddedObjectsAreStoredAsByAdd() throws {
    try compare { realm in
      realm.add(CaseBook(title: "a", label: CaseLabel(text: "l", size: 3)))
      realm.add(CaseBook(title: "b"))
    } _: { realm in
      realm.insert([
        CaseBook.New(title: "a", label: CaseLabel(text: "l", size: 3)),
        CaseBook.New(title: "b"),
      ])
    }
  }

  @Test func collectionsOfMixedValuesAreStoredAsByAdd() throws {
    let long = String(repeating: "m", count: 2000)
    let mixed: [AnyRealmValue] = [
      .none, .int(3), .double(-0.0), .string("3"), .string(long), .data(Data([1])), .bool(true),
    ]
    func nested() -> [AnyRealmValue] {
      let map = Map<String, AnyRealmValue>()
      map["k"] = .string("v")
      return [.list(List([.int(1), .none])), .dictionary(map)]
    }
    try compare { realm in
      for count in 0...mixed.count {
        let few = Array(mixed.prefix(count))
        realm.add(
          Medley(
            id: count, values: few + (count > 3 ? nested() : []), unique: Set(few),
            byName: ["a": few.last ?? .none, "b": count > 4 ? nested()[1] : .int(4)]))
      }
    } _: { realm in
      realm.insert(0...mixed.count) { count in
        let few = Array(mixed.prefix(count))
        return Medley.New(
          id: count, values: few + (count > 3 ? nested() : []), unique: Set(few),
          byName: ["a": few.last ?? .none, "b": count > 4 ? nested()[1] : .int(4)])
      }
    }
  }

  @Test func collectionsOfEmbeddedObjectsAreStoredAsByAdd() throws {
    func labels(_ count: Int) -> [CaseLabel] {
      (0..<count).map { CaseLabel(text: "\($0)", inner: CaseLabel(text: "inner", size: $0)) }
    }
    try compare { realm in
      for count in 0..<4 {
        realm.add(
          Medley(
            id: count, labels: labels(count),
            labelsByName: ["a": labels(1)[0], "b": count == 2 ? nil : labels(2)[1]]))
      }
    } _: { realm in
      realm.insert(0..<4) { count in
        Medley.New(
          id: count, labels: labels(count),
          labelsByName: ["a": labels(1)[0], "b": count == 2 ? nil : labels(2)[1]])
      }
    }
  }

  /// Another program has added properties to the class.
  @Test func unknownPropertiesGetTheirDefaults() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.add(PackingOfOther.Carton(id: 1, name: "a", size: 7, note: "n")) }
      try realm.write {
        realm.add(PackingOfThis.Carton(id: 2, name: "b"))
        realm.insert([PackingOfThis.Carton.New(id: 3, name: "c")])
      }
      let all = realm.objects(PackingOfOther.Carton.self).sorted(by: \.id)
      #expect(all.map(\.name) == ["a", "b", "c"] && all.map(\.note) == ["n", nil, nil])
      #expect(all[1].size == all[2].size)
    }
  }

  @Test func largeCollectionsAreStoredAsByAdd() throws {
    func object() -> AllTypes {
      let object = AllTypes()
      (object.uuid, object.objectId) = (ValueSample.uuid(1), ValueSample.objectId(1))
      object.ints.append(objectsIn: 0..<10_000)
      object.strings.append(objectsIn: (0..<50).map { String(repeating: "s", count: $0 * 20) })
      for index in 0..<2_000 { object.intMap["key \(index)"] = index }
      return object
    }
    try compare {
      $0.add(object())
    } _: {
      $0.insert([AllTypes.New(object())])
    }
  }
}

private enum PackingOfOther {
  @Model final class Carton: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var size = 5
    @Persisted var note: String?
  }
}

private enum PackingOfThis {
  @Model final class Carton: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
  }
}

extension ValueSample {
  /// An identifier made of a number.
  fileprivate static func uuid(_ number: Int) -> UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number >> 8), UInt8(number & 255)))
  }

  /// An identifier made of a number.
  fileprivate static func objectId(_ number: Int) -> ObjectId {
    let digits = String(number, radix: 16)
    return ObjectId(String(repeating: "0", count: 24 - digits.count) + digits) ?? ObjectId()
  }
}

import Foundation
import Testing
import Varve

/// Stored as a number; every number is valid.
struct Celsius: CustomPersistable {
  var degrees: Double
  init(degrees: Double) { self.degrees = degrees }
  init(persistedValue: Double) { degrees = persistedValue }
  var persistableValue: Double { degrees }
}

/// Stored as a string; a string with spaces is invalid.
struct Slug: FailableCustomPersistable, Codable {
  var text: String
  init(_ text: String) { self.text = text }
  init?(persistedValue: String) {
    guard !persistedValue.contains(" ") else { return nil }
    text = persistedValue
  }
  var persistableValue: String { text }
}

/// A type whose initializer fails for an empty string.
struct Letter: FailableCustomPersistable {
  var letter: Character
  init?(persistedValue: String) {
    guard let first = persistedValue.first else { return nil }
    letter = first
  }
  var persistableValue: String { String(letter) }
}

enum Unit: String, PersistableEnum, _MapKey { case metre, second, gram }

@Model final class Reading: Object {
  @Persisted(primaryKey: true) var slug: Slug
  @Persisted var celsius: Celsius
  @Persisted(indexed: true) var optionalCelsius: Celsius?
  @Persisted var name: Slug
  @Persisted var optionalName: Slug?
  @Persisted var history: List<Celsius>
  @Persisted var names: List<Slug?>
  @Persisted var byPlace: Map<String, Celsius>
  @Persisted var byUnit: Map<Unit, Int>
  @Persisted var level: Level
  @Persisted var next: Reading?
}

@Suite struct CustomPersistableTests {
  @Test func customValuesAreStoredAsPersistedValues() throws {
    try withTemporaryRealm { realm, store in
      let reading = Reading(value: ["slug": "a", "celsius": 3.5, "optionalName": Slug("x")])
      #expect(reading.celsius.degrees == 3.5 && reading.optionalName?.text == "x")
      reading.history.append(objectsIn: [Celsius(degrees: 1), Celsius(degrees: 2)])
      reading.byPlace["here"] = Celsius(degrees: 7)
      reading.names.append(objectsIn: [nil, Slug("n")])
      try realm.write { realm.add(reading) }
      #expect(reading.celsius.degrees == 3.5 && reading.slug.text == "a")
      #expect(reading.optionalCelsius == nil && reading.name.text == "")
      #expect(reading.history.map(\.degrees) == [1, 2] && reading.byPlace["here"]?.degrees == 7)
      #expect(reading.names.map { $0?.text } == [nil, "n"])
      try realm.write {
        reading.celsius = Celsius(degrees: -1)
        reading.optionalCelsius = Celsius(degrees: 20)
        reading.history[1] = Celsius(degrees: 9)
      }
      #expect(reading.celsius.degrees == -1 && reading.optionalCelsius?.degrees == 20)
      #expect(reading.freeze().history.map(\.degrees) == [1, 9])
      #expect(reading.history.firstIndex(of: Celsius(degrees: 9)) == 1)
      #expect(realm.object(ofType: Reading.self, forPrimaryKey: Slug("a")) == reading)
      #expect(realm.object(ofType: Reading.self, forPrimaryKey: "a") == reading)
      try store.check("custom values")
    }
  }

  @Test func queriesCompareCustomOrPersistedValues() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        for (number, name) in ["a", "b", "c"].enumerated() {
          let reading = realm.create(Reading.self, value: ["slug": name])
          reading.celsius = Celsius(degrees: Double(number))
          reading.optionalCelsius = number == 0 ? nil : Celsius(degrees: Double(10 * number))
          reading.level = Level.allCases[number]
          reading.next = number == 0 ? nil : realm.objects(Reading.self).first
        }
      }
      let all = realm.objects(Reading.self)
      func slugs(_ condition: (Query<Reading>) -> Query<Bool>) -> [String] {
        all.where(condition).map(\.slug.text).sorted()
      }
      #expect(slugs { $0.celsius == Celsius(degrees: 1) } == ["b"])
      #expect(slugs { $0.celsius != Celsius(degrees: 1) } == ["a", "c"])
      #expect(slugs { $0.celsius.in([Celsius(degrees: 0), Celsius(degrees: 2)]) } == ["a", "c"])
      #expect(slugs { $0.celsius.persistableValue >= 1 } == ["b", "c"])
      #expect(slugs { $0.optionalCelsius == nil } == ["a"])
      #expect(slugs { $0.optionalCelsius.persistableValue > 10 } == ["c"])
      #expect(slugs { $0.slug.persistableValue.starts(with: "b") } == ["b"])
      #expect(slugs { $0.next.celsius.persistableValue == 0 } == ["b", "c"])
      #expect(slugs { $0.level.rawValue > -1 } == ["b", "c"])
      #expect(slugs { $0.level == .high } == ["c"])
      #expect(all.sorted(by: \.celsius, ascending: false).map(\.slug.text) == ["c", "b", "a"])
      #expect(all.sorted(by: \.next?.celsius).map(\.slug.text) == ["a", "b", "c"])
    }
  }

  @Test func invalidPersistedValuesReadAsNilOrDefault() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        let raw = realm.create(
          Raw.Labelled.self,
          value: ["tag": "a b", "optionalTag": "c d", "level": 99, "optionalLevel": 99])
        raw.tags.append(objectsIn: ["x y", "z"])
        raw.optionalTags.append(objectsIn: ["x y", "z", nil])
        raw.optionalLevels.append(objectsIn: [99, 7])
        raw.tagMap["k"] = "x y"
      }
      let read = try #require(realm.objects(Labelled.self).first)
      #expect(read.tag.text == "" && read.optionalTag == nil)
      #expect(read.tags.map(\.text) == ["", "z"])
      #expect(read.optionalTags.map { $0?.text } == [nil, "z", nil])
      #expect(read.optionalTags[0] == nil && read.tagMap["k"]?.text == "")
      #expect(read.level == .low && read.optionalLevel == nil)
      #expect(Array(read.optionalLevels) == [nil, .high])
    }
  }

  @Test func invalidPersistedValuesThrow() throws {
    expectError(.typeMismatch) { _ = try Reading(validating: ["slug": "with space"]) }
    expectError(.typeMismatch) { _ = try Reading(validating: ["slug": "a", "names": ["b c"]]) }
    expectError(.typeMismatch) { _ = try Reading(validating: ["slug": 5]) }
  }

  @Test func typeWithoutDefaultRequiresOptionalProperty() throws {
    try withTemporaryRealm { realm, _ in
      try realm.register(OptionalLetters.self)
      let error = thrownError { try realm.register(Letters.self) }
      #expect(error?.code == .invalidSchema)
      #expect("\(String(describing: error))".contains("'Letters.letter'"))
    }
  }

  @Test func stringEnumsAreMapKeys() throws {
    try withTemporaryRealm { realm, _ in
      let reading = try realm.write { realm.create(Reading.self, value: ["slug": "a"]) }
      try realm.write {
        reading.byUnit[.metre] = 1
        reading.byUnit[.gram] = 2
      }
      #expect(reading.byUnit.keys == [.gram, .metre] && reading.byUnit[.gram] == 2)
      #expect(reading.byUnit[.second] == nil)
    }
  }
}

@Model final class Labelled: Object {
  @Persisted var tag: Slug
  @Persisted var optionalTag: Slug?
  @Persisted var tags: List<Slug>
  @Persisted var optionalTags: List<Slug?>
  @Persisted var tagMap: Map<String, Slug>
  @Persisted var level: Level
  @Persisted var optionalLevel: Level?
  @Persisted var optionalLevels: List<Level?>
}

/// The same class in a program that does not declare the custom types.
enum Raw {
  @Model final class Labelled: Object {
    @Persisted var tag: String
    @Persisted var optionalTag: String?
    @Persisted var tags: List<String>
    @Persisted var optionalTags: List<String?>
    @Persisted var tagMap: Map<String, String>
    @Persisted var level: Int
    @Persisted var optionalLevel: Int?
    @Persisted var optionalLevels: List<Int?>
  }
}

@Model final class Letters: Object {
  @Persisted var letter: Letter
}

@Model final class OptionalLetters: Object {
  @Persisted var letter: Letter?
  @Persisted var letters: List<Letter?>
}

import Foundation
import Testing
import Varve

@Model(indexes: [["city", "age"]], unique: [["city", "number"]])
final class Resident: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var city: String
  @Persisted var age: Int
  @Persisted var number: Int?
  @Persisted(unique: true) var email: String?
  @Persisted(fullText: true) var notes: String
}

/// Compound, unique and full-text indexes in queries.
@Suite final class ClassIndexPlanTests {
  private let store: TemporaryRealm
  private let realm: Realm
  private var all: Results<Resident> { realm.objects(Resident.self) }

  init() throws {
    store = try TemporaryRealm()
    realm = try store.open()
    let words = ["storm", "sea", "Café", "harbour", "lamp", "stormy", "seagull"]
    try realm.write {
      for id in 0..<700 {
        let resident = Resident()
        resident.id = id
        resident.city = "city \(id % 10)"
        resident.age = id * 7 % 90
        resident.number = id % 4 == 0 ? nil : id
        resident.email = id % 3 == 0 ? nil : "r\(id)@example.org"
        resident.notes = (0..<(id % 5)).map { words[(id + $0 * $0) % words.count] }
          .joined(separator: " ")
        realm.add(resident)
      }
    }
  }

  deinit { store.end() }

  private func ids(_ results: some Collection<Resident>) -> [Int] { results.map(\.id) }

  @Test func compoundIndexServesSeveralProperties() {
    let both = all.where { $0.city == "city 3" && $0.age == 21 }
    #expect(both.explain().steps == [.index(property: "city, age")])
    #expect(ids(both) == ids(all.filter { $0.city == "city 3" && $0.age == 21 }))
    let range = all.where { $0.age > 20 && $0.city == "city 3" && $0.age <= 60 }
    #expect(range.explain().steps == [.index(property: "city, age")])
    #expect(ids(range) == ids(all.filter { $0.city == "city 3" && $0.age > 20 && $0.age <= 60 }))
    #expect(range.count == ids(range).count)
    let rest = all.where { $0.city == "city 3" && $0.age > 20 && $0.notes != "" && $0.age < 30 }
    #expect(rest.explain().steps == [.index(property: "city, age"), .filter])
    #expect(
      ids(rest)
        == ids(all.filter { $0.city == "city 3" && $0.age > 20 && $0.age < 30 && $0.notes != "" }))
  }

  @Test func compoundIndexServesInOnFirstProperty() {
    let cities = ["city 3", "city 5", "city 3", "nowhere"]
    let among = all.where { $0.city.in(cities) && $0.age > 80 }
    #expect(among.explain().steps == [.index(property: "city, age")])
    #expect(ids(among) == ids(all.filter { cities.contains($0.city) && $0.age > 80 }))
    #expect(among.count == ids(among).count)
    let first = all.where { $0.city.in(["city 3"]) }
    #expect(first.explain().steps == [.index(property: "city, age")])
    #expect(ids(first) == ids(all.filter { $0.city == "city 3" }))
    let numbers = all.where {
      $0.city.in(["city 1", "city 2"]) && $0.number.in([nil, 11, 12, 13])
    }
    #expect(numbers.explain().steps == [.index(property: "city, number")])
    #expect(
      ids(numbers)
        == ids(
          all.filter {
            ["city 1", "city 2"].contains($0.city) && [nil, 11, 12, 13].contains($0.number)
          }))
    let many = all.where { $0.city.in((0..<65).map { "city \($0)" }) && $0.age == 21 }
    #expect(ids(many) == ids(all.filter { $0.age == 21 }))
    let alternatives = all.where {
      ($0.city == "city 3" && $0.age > 85) || ($0.city == "city 5" && $0.notes == "lamp")
    }
    #expect(
      alternatives.explain().steps == [
        .union([.index(property: "city, age"), .index(property: "city, age")]), .filter,
      ])
    #expect(
      ids(alternatives)
        == ids(
          all.filter {
            ($0.city == "city 3" && $0.age > 85) || ($0.city == "city 5" && $0.notes == "lamp")
          }))
  }

  /// Index keys contain short strings together with an age, and long strings alone.
  @Test func boundsAfterLongValuesApply() throws {
    let cities = (380..<520).map { String(repeating: "x", count: $0) }
    try realm.write {
      for (index, city) in cities.enumerated() {
        for age in [10, 60] {
          let id = 10_000 + index * 100 + age
          realm.create(Resident.self, value: ["id": id, "city": city, "age": age])
        }
      }
    }
    for city in cities {
      let among = all.where { $0.city.in(["city 3", city]) && $0.age > 50 }
      #expect(
        ids(among) == ids(all.filter { ["city 3", city].contains($0.city) && $0.age > 50 }))
    }
  }

  @Test func compoundIndexServesFirstPropertyAlone() {
    let alone = all.where { $0.city == "city 3" }
    #expect(alone.explain().steps.count == 1 && !alone.explain().scansClass)
    #expect(
      ids(alone) == ids(all.filter { $0.city == "city 3" }) && alone.count == ids(alone).count)
    let above = all.where { $0.city > "city 7" && $0.id < 300 }
    #expect(ids(above) == ids(all.filter { $0.city > "city 7" && $0.id < 300 }))
  }

  @Test func uniqueValuesAreLookedUp() {
    let one = all.where { $0.email == "r7@example.org" }
    #expect(one.explain().steps == [.index(property: "email")] && ids(one) == [7])
    let none = all.where { $0.email == nil }
    #expect(ids(none) == ids(all.filter { $0.email == nil }))
    #expect(none.count == ids(none).count)
    let some = all.where { $0.email.in(["r7@example.org", "r8@example.org", nil]) }
    #expect(ids(some) == ids(all.filter { $0.id == 7 || $0.id == 8 || $0.email == nil }))
    let pair = all.where { $0.city == "city 1" && $0.number == 11 }
    #expect(pair.explain().steps == [.index(property: "city, number")] && ids(pair) == [11])
    let prefix = all.where { $0.email.starts(with: "r1") }
    #expect(ids(prefix) == ids(all.filter { $0.email?.hasPrefix("r1") == true }))
  }

  @Test func wordsAreLookedUp() {
    let words = { (resident: Resident) in
      Set(resident.notes.lowercased().split(separator: " ").map(String.init))
    }
    let found = all.where { $0.notes.fullTextSearch("sea STORM") }
    #expect(found.explain().steps == [.index(property: "notes")])
    let expected = all.filter { words($0).isSuperset(of: ["sea", "storm"]) }
    #expect(!expected.isEmpty && ids(found) == ids(expected))
    #expect(ids(all.filter("notes TEXT 'sea storm'")) == ids(expected))
    let beginning = all.where { $0.notes.fullTextSearch("storm* -cafe") && $0.age > 40 }
    let begun = all.filter { resident in
      let words = words(resident)
      return resident.age > 40 && !words.contains("café")
        && words.contains { $0.hasPrefix("storm") }
    }
    #expect(!begun.isEmpty && ids(beginning) == ids(begun))
    #expect(ids(all.where { !$0.notes.fullTextSearch("sea storm") }).count == 700 - expected.count)
  }

  @Test func searchesAreRanked() throws {
    let hits = all.search("sea storm*", in: \.notes)
    #expect(Set(hits.map(\.object.id)) == Set(ids(all.filter("notes TEXT 'sea storm*'"))))
    #expect(zip(hits, hits.dropFirst()).allSatisfy { $0.rank >= $1.rank })
    #expect(hits.allSatisfy { $0.rank > 0 })
    #expect(
      all.search("sea storm*", in: \.notes, limit: 3).map(\.object.id)
        == hits.prefix(3).map(\.object.id))
    let old = all.where { $0.age > 60 }
    #expect(
      old.search("sea", in: \.notes).map(\.object.id)
        == all.search("sea", in: \.notes).filter { $0.object.age > 60 }.map(\.object.id))
    try realm.write {
      let resident = try #require(hits.first?.object)
      resident.notes = "sea sea sea sea sea storm"
      let best = all.search("sea storm", in: \.notes)
      #expect(best.first?.object.id == resident.id && best[0].rank > best[1].rank)
    }
  }
}

import Foundation
import Testing
import Varve

/// Query plans, as `explain()` reports them.
@Suite final class QueryPlanTests {
  private let store: TemporaryRealm
  private let realm: Realm
  private var all: Results<Planned> { realm.objects(Planned.self) }

  init() throws {
    store = try TemporaryRealm()
    realm = try store.open()
    try realm.addPlanned(1000)
  }

  deinit { store.end() }

  private typealias Step = QueryPlan.Step

  private func ids(_ results: some Collection<Planned>) -> [Int] { results.map(\.id) }

  @Test func adjacentValuesAreFoundByIndexBeforeSort() throws {
    let old = all.where { $0.age.in(Array(90...99)) }
    let step = Step.index(property: "age")
    #expect(old.sorted(by: \.age).limit(1).explain().steps == [step, .sort, .limit])
    #expect(old.sorted(by: \.age).limit(1).map(\.age) == [90])
    let either = all.where { $0.age == 90 || $0.age == 91 }
    #expect(either.sorted(by: \.age).limit(3).map(\.age) == [90, 90, 90])
    #expect(either.sorted(by: \.age, ascending: false).first?.age == 91)
  }

  @Test func oneIndexServesWholeCondition() throws {
    let scan = Step.scan(className: "Planned")
    #expect(all.explain().steps == [scan])
    #expect(all.where { $0.age == 7 }.explain().steps == [.index(property: "age")])
    #expect(all.where { $0.age > 97 }.explain().steps == [.index(property: "age")])
    // A wide range is read from the index when no other condition remains.
    #expect(all.where { $0.age > 3 }.explain().steps == [.index(property: "age")])
    #expect(all.where { $0.name.starts(with: "n9") }.explain().steps == [.index(property: "name")])
    #expect(all.where { $0.score == nil }.explain().steps == [.index(property: "score")])
    #expect(all.where { $0.score != nil }.explain().steps == [.index(property: "score")])
    #expect(all.where { $0.age.in([1, 2, 300]) }.explain().steps == [.index(property: "age")])
    #expect(all.filter("age BETWEEN {3, 5}").explain().steps == [.index(property: "age")])
    #expect(all.where { $0.id > 900 }.explain().steps == [.primaryKey(property: "id")])
    #expect(all.where { $0.id.in([1, 5]) }.explain().steps == [.primaryKey(property: "id")])
    #expect(all.where { $0.plain == 7 }.explain().steps == [scan, .filter])
    #expect(all.where { $0.age != 7 }.explain().steps == [scan, .filter])
    #expect(all.filter("FALSEPREDICATE").explain().steps == [.nothing])
  }

  @Test func mostSelectivePartIsUsed() throws {
    let both = all.where { $0.age > 50 && $0.name == "n77" && $0.plain < 40 }
    #expect(both.explain().steps == [.index(property: "name"), .filter])
    #expect(both.explain().estimatedCount == 1)
    #expect(ids(both) == ids(all.filter { $0.age > 50 && $0.name == "n77" && $0.plain < 40 }))
    let wide = all.where { $0.age > 3 && $0.plain == 7 }
    #expect(wide.explain().steps == [.scan(className: "Planned"), .filter])
    #expect(wide.explain().scansClass)
  }

  @Test func everyAlternativeNeedsIndex() throws {
    let merged = all.where { $0.age == 7 || $0.name == "n3" || $0.id == 12 }
    #expect(
      merged.explain().steps == [
        .union([.index(property: "age"), .index(property: "name"), .primaryKey(property: "id")])
      ])
    #expect(ids(merged) == ids(all.filter { $0.age == 7 || $0.name == "n3" || $0.id == 12 }))
    let scanned = all.where { $0.age == 7 || $0.plain == 3 }
    #expect(scanned.explain().scansClass)
    #expect(ids(scanned) == ids(all.filter { $0.age == 7 || $0.plain == 3 }))
  }

  @Test func alternativesOfSeveralPartsUseIndexOfOne() {
    let merged = all.where {
      $0.age == 7 || ($0.name == "n3" && $0.plain == 39) || ($0.id == 12 && $0.plain > 1_000)
    }
    #expect(
      merged.explain().steps == [
        .union([.index(property: "age"), .index(property: "name"), .primaryKey(property: "id")]),
        .filter,
      ])
    #expect(
      ids(merged)
        == ids(all.filter { $0.age == 7 || $0.name == "n3" && $0.plain == 39 }))
    #expect(merged.count == ids(merged).count)
    // The same index inside and outside the alternatives.
    let both = all.where { $0.age < 50 && (($0.age == 7 && $0.plain == 3) || $0.age == 70) }
    #expect(
      ids(both)
        == ids(all.filter { $0.age < 50 && (($0.age == 7 && $0.plain == 3) || $0.age == 70) }))
    let scanned = all.where { $0.age == 7 || ($0.plain == 3 && $0.plain < 9) }
    #expect(scanned.explain().scansClass)
  }

  @Test func linksAreFollowedFromTarget() throws {
    let there = all.where { $0.city.code == "c4" }
    #expect(
      there.explain().steps == [.links(property: "city", to: [.primaryKey(property: "code")])])
    #expect(ids(there) == ids(all.filter { $0.city?.code == "c4" }))
    // The target has no index, but few objects.
    let small = all.where { $0.city.people == 3 }
    #expect(small.explain().steps.first.map { "\($0)".contains("links") } == true)
    #expect(ids(small) == ids(all.filter { $0.city?.people == 3 }))
    let city = realm.objects(PlannedCity.self).first
    let linked = all.where { $0.city == city }
    #expect(
      linked.explain().steps == [.links(property: "city", to: [.primaryKey(property: "SELF")])])
    #expect(!linked.isEmpty && ids(linked) == ids(all.filter { $0.city == city }))
    #expect(ids(all.where { $0.city == nil }) == ids(all.filter { $0.city == nil }))
    #expect(ids(all.where { $0.city != city }) == ids(all.filter { $0.city != city }))
    let many = all.filter("ANY cities.country = 'C1'")
    #expect(ids(many) == ids(all.filter { $0.cities.contains { $0.country == "C1" } }))
    #expect(
      many.explain().steps == [.links(property: "cities", to: [.index(property: "country")])])
    // Null also matches objects that link to nothing.
    #expect(all.where { $0.city.country != "C1" }.explain().scansClass)
  }

  @Test func indexProvidesOrder() throws {
    let sorted = all.sorted(by: \.age)
    #expect(sorted.explain().steps == [.order(property: "age")])
    #expect(ids(sorted) == all.sorted { $0.age < $1.age }.map(\.id))
    let descending = all.sorted(by: \.age, ascending: false)
    #expect(
      ids(descending)
        == all.sorted { $0.age != $1.age ? $0.age > $1.age : $0.id < $1.id }.map(\.id))
    let narrowed = all.where { $0.age > 90 && $0.plain < 40 }.sorted(by: \.age)
    #expect(
      narrowed.explain().steps == [.index(property: "age"), .order(property: "age"), .filter])
    #expect(
      ids(narrowed)
        == all.filter { $0.age > 90 && $0.plain < 40 }.sorted { $0.age < $1.age }.map(\.id))
    #expect(
      all.sorted(by: \.plain).explain().steps == [.scan(className: "Planned"), .sort])
    let first = all.where { $0.plain < 40 }.sorted(by: \.name).limit(5)
    #expect(first.explain().steps == [.order(property: "name"), .filter, .limit])
    #expect(
      ids(first)
        == all.filter { $0.plain < 40 }.sorted { $0.name < $1.name }.prefix(5).map(\.id))
  }

  @Test func indexOrderOfNullAndNaNMatchesSort() throws {
    for isAscending in [true, false] {
      let indexed = all.sorted(by: \.score, ascending: isAscending)
      #expect(indexed.explain().steps == [.order(property: "score")])
      // Two sort keys need a sort.
      let sorted = all.sorted(by: [
        SortDescriptor(keyPath: "score", ascending: isAscending), "id",
      ])
      #expect(sorted.explain().steps.last == .sort)
      #expect(ids(indexed) == ids(sorted))
      #expect(ids(indexed.limit(300)) == ids(sorted.limit(300)))
    }
  }

  @Test func collectionsAndFrozenVersionsHavePlans() throws {
    let collection = all.first?.cities
    #expect(collection?.where { $0.people > 3 }.explain().steps == [.collection, .filter])
    #expect(all.where { $0.age == 7 }.freeze().explain().steps == [.index(property: "age")])
  }

  @Test func countsAndExtremesReadNoObjects() throws {
    #expect(all.where { $0.age > 50 }.count == all.filter { $0.age > 50 }.count)
    #expect(all.where { $0.plain > 20 }.count == all.filter { $0.plain > 20 }.count)
    #expect(all.where { $0.age > 50 && $0.plain > 20 }.limit(10, offset: 3).count == 10)
    #expect(all.where { $0.age > 50 }.limit(10, offset: 100_000).isEmpty)
    #expect(all.min(of: \.age) == 0 && all.max(of: \.age) == 99)
    let scores = all.compactMap(\.score).filter { !$0.isNaN }
    #expect(all.max(of: \.score) == scores.max() && all.min(of: \.score) == scores.min())
    #expect(all.sum(of: \.plain) == all.map(\.plain).reduce(0, +))
    #expect(
      all.where { $0.plain > 20 }.sum(of: \.age)
        == all.filter { $0.plain > 20 }.map(\.age).reduce(0, +))
  }

  @Test func boundsOfOnePropertyFormOneRange() {
    let half = all.where { $0.age.contains(50..<52) && $0.plain > 10 }
    #expect(half.explain().steps == [.index(property: "age"), .filter])
    #expect((half.explain().estimatedCount ?? 1_000) < 100)
    #expect(ids(half) == ids(all.filter { (50..<52).contains($0.age) && $0.plain > 10 }))
    let both = all.where { $0.age >= 50 && $0.age < 52 && $0.age != 51 }
    #expect(ids(both) == ids(all.filter { $0.age == 50 }))
    let keys = all.where { $0.id > 300 && $0.id <= 310 }
    #expect(keys.explain().steps == [.primaryKey(property: "id")])
    #expect(ids(keys) == Array(301...310) && keys.count == 10)
    #expect(ids(all.where { $0.age > 60 && $0.age < 40 }).isEmpty)
  }

  @Test func limitOfManyMatchesPrefersOrder() {
    let wide = all.where { $0.age > 0 }
    #expect(wide.first?.id == all.filter { $0.age > 0 }.first?.id)
    #expect(ids(wide.limit(4)) == all.filter { $0.age > 0 }.prefix(4).map(\.id))
    let sorted = wide.sorted(by: \.name).limit(3)
    #expect(sorted.explain().steps.contains(.order(property: "name")))
    #expect(
      ids(sorted) == all.filter { $0.age > 0 }.sorted { $0.name < $1.name }.prefix(3).map(\.id))
  }

  @Test func indexMatchingSearchesDistinctResults() {
    let distinct = all.distinct(by: ["plain"])
    let last = all.count - 1
    #expect(distinct.index(matching: { $0.id == last }) == nil)
    let found = distinct[7]
    #expect(distinct.index(matching: { $0.plain == found.plain }) == 7)
  }
}

import Foundation
import Testing
import Varve
import VarveTestSupport

/// Sort orders served by compound indexes.
@Suite final class CompoundOrderTests {
  private let store: TemporaryRealm
  private let realm: Realm
  private var all: Results<Resident> { realm.objects(Resident.self) }

  init() throws {
    store = try TemporaryRealm()
    realm = try store.open()
    let long = String(repeating: "a long name ", count: 60)
    try realm.write {
      for id in 0..<600 {
        let resident = Resident()
        resident.id = id
        // Longer than index keys, with a shared prefix.
        resident.city = id % 10 < 2 ? long + "\(id % 10)" : "city \(id % 10)"
        resident.age = id * 7 % 40
        resident.number = id % 4 == 0 ? nil : id * 31 % 601
        resident.email = "r\(id)@example.org"
        resident.notes = id % 3 == 0 ? "away" : ""
        realm.add(resident)
      }
    }
  }

  deinit { store.end() }

  private func ids(_ results: some Collection<Resident>) -> [Int] { results.map(\.id) }

  @Test func lastPropertyIsOrderedByIndex() {
    let young = all.where { $0.city == "city 3" }.sorted(by: \.age)
    #expect(
      young.explain().steps == [.index(property: "city, age"), .order(property: "city, age")])
    let expected = all.filter { $0.city == "city 3" }.sorted { ($0.age, $0.id) < ($1.age, $1.id) }
    #expect(ids(young) == ids(expected))
    #expect(ids(young.limit(7)) == ids(expected.prefix(7)))
    #expect(young.limit(7, offset: 3).explain().steps.first == .index(property: "city, age"))
    #expect(ids(young.limit(7, offset: 3)) == ids(expected.dropFirst(3).prefix(7)))
    #expect(young.first?.id == expected.first?.id)
  }

  @Test func descendingTiesKeepClassOrder() {
    let old = all.where { $0.city == "city 4" }.sorted(by: \.age, ascending: false)
    #expect(old.explain().steps == [.index(property: "city, age"), .order(property: "city, age")])
    let expected = all.filter { $0.city == "city 4" }
      .sorted { ($1.age, $0.id) < ($0.age, $1.id) }
    #expect(ids(old) == ids(expected))
    #expect(ids(old.limit(9)) == ids(expected.prefix(9)))
  }

  @Test func allPropertiesAreOrderedByIndex() {
    let sorted = all.sorted(by: [
      SortDescriptor(keyPath: "city"), SortDescriptor(keyPath: "age"),
    ])
    #expect(sorted.explain().steps == [.order(property: "city, age")])
    #expect(
      ids(sorted)
        == ids(all.sorted { ($0.city, $0.age, $0.id) < ($1.city, $1.age, $1.id) }))
  }

  @Test func otherOrdersNeedSort() {
    let mixed = all.where { $0.city == "city 3" }.sorted(by: [
      SortDescriptor(keyPath: "age"),
      SortDescriptor(keyPath: "number", ascending: false),
    ])
    #expect(mixed.explain().steps.last == .sort)
    // Ties are in class order, not in the order of the ages.
    #expect(all.sorted(by: \.city).explain().steps.last == .sort)
    #expect(ids(all.sorted(by: \.city)) == ids(all.sorted { ($0.city, $0.id) < ($1.city, $1.id) }))
  }

  @Test func boundsOfSortedPropertyLimitRange() {
    let some = all.where { $0.city == "city 5" && $0.age >= 10 && $0.age < 30 }
      .sorted(by: \.age, ascending: false).limit(5)
    #expect(
      some.explain().steps.prefix(2)
        == [.index(property: "city, age"), .order(property: "city, age")])
    #expect(
      ids(some)
        == ids(
          all.filter { $0.city == "city 5" && 10..<30 ~= $0.age }
            .sorted { ($1.age, $0.id) < ($0.age, $1.id) }.prefix(5)))
  }

  @Test func remainingConditionFilters() {
    let some = all.where { $0.city == "city 5" && $0.notes == "" }.sorted(by: \.age).limit(4)
    #expect(
      some.explain().steps == [
        .index(property: "city, age"), .order(property: "city, age"), .filter, .limit,
      ])
    #expect(some.count == 4)
    #expect(
      ids(some)
        == ids(
          all.filter { $0.city == "city 5" && $0.notes == "" }
            .sorted { ($0.age, $0.id) < ($1.age, $1.id) }.prefix(4)))
  }

  @Test func uniqueIndexWithNullIsOrdered() {
    for ascending in [true, false] {
      let numbered = all.where { $0.city == "city 7" }.sorted(by: \.number, ascending: ascending)
      #expect(
        numbered.explain().steps
          == [.index(property: "city, number"), .order(property: "city, number")])
      let expected = all.filter { $0.city == "city 7" }.sorted { first, second in
        let (a, b) = (first.number ?? -1, second.number ?? -1)
        return a == b ? first.id < second.id : (a < b) == ascending
      }
      #expect(ids(numbered) == ids(expected))
    }
  }

  @Test(arguments: [true, false])
  func pagesStartInIndex(isAscending: Bool) throws {
    let byAge = all.where { $0.city == "city 4" && $0.age < 35 }
      .sorted(by: \.age, ascending: isAscending)
    let byNumber = all.where { $0.city == "city 8" }.sorted(by: \.number, ascending: isAscending)
    for (results, index) in [(byAge, "city, age"), (byNumber, "city, number")] {
      let expected = ids(results)
      try realm.write {
        for isInside in [false, true] {
          let read = isInside ? results : results.freeze()
          var found: [Int] = []
          var page = read.page(after: nil, count: 7)
          while let last = page.last, found.count < expected.count {
            found += ids(page)
            page = read.page(after: last, count: 7)
            // Among the objects without a number, the objects with a greater key may be fewer.
            let steps = page.explain().steps
            #expect([.index(property: index), .primaryKey(property: "SELF")].contains(steps.first))
            // In ascending order, no object without a number is skipped.
            guard !isAscending || found.count > 30 else { continue }
            // The remaining objects, and at most thirty with the value of the last one.
            let most = expected.count - found.count + 30
            #expect(page.explain().estimatedCount.map { $0 <= most } == true)
          }
          #expect(found == expected)
          #expect(page.isEmpty)
        }
      }
    }
  }

  @Test func equalSortedPropertyIsPartOfRange() throws {
    try realm.write {
      for id in 1000..<3000 {
        let resident = Resident()
        resident.id = id
        resident.city = "large"
        resident.age = id % 50
        resident.number = id % 2 == 0 ? nil : id
        realm.add(resident)
      }
    }
    let byNumber = all.where { $0.city == "large" }.sorted(by: \.number, ascending: false)
    let last = try #require(realm.object(ofType: Resident.self, forPrimaryKey: 1200))
    let page = byNumber.page(after: last, count: 20)
    #expect(ids(page) == Array(stride(from: 1202, through: 1240, by: 2)))
    #expect("\(page.explain())".contains("number == nil"))
    let both = all.where { $0.city == "city 3" }.sorted(by: [
      SortDescriptor(keyPath: "city"), SortDescriptor(keyPath: "age"),
    ]).limit(5)
    #expect(
      both.explain().steps == [
        .index(property: "city, age"), .order(property: "city, age"), .limit,
      ])
    #expect(
      ids(both)
        == ids(
          all.filter { $0.city == "city 3" }.sorted { ($0.age, $0.id) < ($1.age, $1.id) }.prefix(5))
    )
    // Nearly all rows must be visited before the first match.
    let old = all.where { $0.city == "large" && $0.age.in([48, 49]) }.sorted(by: \.age).limit(2)
    #expect(old.explain().steps.contains(.sort))
    #expect(ids(old) == [1048, 1098])
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func randomOrdersMatchSort(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let cities = Array(Set(all.map(\.city))).sorted()
    try realm.write {
      var rows = all.map(Row.init)
      for round in 0..<60 {
        // Before and after changes in the write.
        if round % 10 == 9 {
          for _ in 0..<20 {
            let resident = realm.object(
              ofType: Resident.self, forPrimaryKey: Int.random(in: 0..<600, using: &random))
            resident?.age = Int.random(in: 0..<40, using: &random)
            resident?.city = cities.randomElement(using: &random) ?? ""
            resident?.number = nil
          }
          rows = all.map(Row.init)
        }
        let city = cities.randomElement(using: &random) ?? ""
        let ascending = Bool.random(using: &random)
        let lower = Int.random(in: 0..<30, using: &random)
        let limit = Int.random(in: 1..<80, using: &random)
        let isBounded = Bool.random(using: &random)
        let base = all.where { $0.city == city && $0.age >= (isBounded ? lower : 0) }
        let found = base.sorted(by: \.age, ascending: ascending)
        let least = isBounded ? lower : 0
        let expected = rows.filter { $0.city == city && $0.age >= least }
          .sorted { $0.precedes($1, ascending) }
        #expect(ids(found) == expected.map(\.id))
        #expect(ids(found.limit(limit)) == expected.prefix(limit).map(\.id))
        guard round % 4 == 0 else { continue }
        let both = all.sorted(by: [
          SortDescriptor(keyPath: "city", ascending: ascending),
          SortDescriptor(keyPath: "age", ascending: ascending),
        ])
        let sorted = rows.sorted { $0.precedes($1, ascending) }
        #expect(ids(both.limit(limit)) == sorted.prefix(limit).map(\.id))
      }
    }
  }
}

/// The sorted properties of a resident, outside a realm.
private struct Row {
  let id: Int
  let city: String
  let age: Int

  init(_ resident: Resident) {
    id = resident.id
    city = resident.city
    age = resident.age
  }

  /// Whether the row precedes another by city and age in the given direction, then by id.
  func precedes(_ other: Row, _ ascending: Bool) -> Bool {
    if city != other.city { return (city < other.city) == ascending }
    return age == other.age ? id < other.id : (age < other.age) == ascending
  }
}

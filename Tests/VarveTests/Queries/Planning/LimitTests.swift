import Foundation
import Testing
import Varve
import VarveTestSupport

/// Limit and offset of results, and pages.
@Suite final class LimitTests {
  private let store: TemporaryRealm
  private let realm: Realm
  private var all: Results<Planned> { realm.objects(Planned.self) }

  init() throws {
    store = try TemporaryRealm()
    realm = try store.open()
    try realm.addPlanned(300)
  }

  deinit { store.end() }

  private func ids(_ results: some Collection<Planned>) -> [Int] { results.map(\.id) }

  @Test func limitAndOffsetSelectPartOfResults() throws {
    #expect(ids(all.limit(3)) == [0, 1, 2])
    #expect(ids(all.limit(3, offset: 298)) == [298, 299])
    #expect(ids(all.limit(0)).isEmpty && ids(all.limit(-1)).isEmpty)
    #expect(ids(all.limit(2, offset: -5)) == [0, 1])
    #expect(ids(all.limit(.max, offset: .max)).isEmpty)
    #expect(all.limit(3, offset: 298).count == 2)
    let sorted = all.sorted(by: \.plain)
    #expect(ids(sorted.limit(20, offset: 40)) == Array(ids(sorted)[40..<60]))
  }

  @Test func queriesOfLimitedResultsApplyToTheirElements() throws {
    let window = all.sorted(by: \.age, ascending: false).limit(10)
    #expect(ids(window.where { $0.plain > 20 }) == ids(window.filter { $0.plain > 20 }))
    #expect(
      ids(window.sorted(by: \.id)) == ids(window).sorted())
    #expect(ids(window.limit(3, offset: 2)) == Array(ids(window)[2..<5]))
    #expect(
      window.where { $0.plain > 20 }.limit(3).explain().steps == [
        .results([.order(property: "age"), .limit]), .filter, .limit,
      ])
    #expect(window.limit(3).explain().steps == [.order(property: "age"), .limit])
    for (offset, limit) in [(0, 4), (3, 2), (8, 9), (12, 1), (Int.max, Int.max)] {
      let inner = window.limit(limit, offset: offset)
      #expect(ids(inner) == Array(ids(window).dropFirst(offset).prefix(limit)))
      #expect(inner.count == ids(inner).count)
    }
    var narrowed = all.limit(200)
    for _ in 0..<50_000 { narrowed = narrowed.limit(100) }
    #expect(narrowed.count == 100)
    #expect(window.max(of: \.plain) == window.map(\.plain).max())
    #expect(window.first?.id == ids(window).first && window.last?.id == ids(window).last)
  }

  @Test func limitAppliesToValues() throws {
    let club = ClubFixture.make()
    try realm.write { realm.add(club) }
    let numbers = Array(club.numbers)
    #expect(Array(club.numbers.limit(2, offset: 1)) == Array(numbers.dropFirst().prefix(2)))
    let window = club.numbers.sorted(ascending: false).limit(2)
    #expect(Array(window) == Array(numbers.sorted(by: >).prefix(2)))
    #expect(Array(window.sorted(ascending: true)) == Array(window).sorted())
    #expect(window.explain().steps == [.collection, .sort, .limit])
  }

  @Test func limitedResultsInWriteSeeItsChanges() throws {
    let window = all.sorted(by: \.age, ascending: false).limit(2)
    let before = ids(window)
    try realm.write {
      let object = Planned()
      object.id = 5_000
      object.age = 1_000
      realm.add(object)
      #expect(ids(window) == [5_000, before[0]])
      #expect(window.where { $0.age < 1_000 }.map(\.id) == [before[0]])
    }
    #expect(ids(window) == [5_000, before[0]])
  }

  @Test(arguments: [true, false])
  func pagesContainEachObjectOnce(isAscending: Bool) throws {
    let byScore = all.sorted(by: \.score, ascending: isAscending)
    let byPlain = all.sorted(by: [
      SortDescriptor(keyPath: "plain", ascending: isAscending), "score",
    ])
    let ofCity = all.sorted(byKeyPath: "city.code", ascending: isAscending)
    for results in [all, byScore, byPlain, ofCity, byScore.where { $0.plain > 10 }] {
      let frozen = results.freeze()
      var found: [Int] = []
      var page = frozen.page(after: nil, count: 7)
      while let last = page.last {
        found += ids(page)
        page = frozen.page(after: last, count: 7)
        guard found.count <= 300 else { break }
      }
      #expect(found == ids(frozen))
    }
  }

  @Test func pagesByKeyReadOnlyTheirObjects() throws {
    let byKey = all.sorted(by: \.id, ascending: false)
    let last = try #require(realm.object(ofType: Planned.self, forPrimaryKey: 20))
    let page = byKey.page(after: last, count: 7)
    #expect(ids(page) == Array((13...19).reversed()))
    #expect(
      page.explain().steps
        == [.primaryKey(property: "id"), .filter, .order(property: "id"), .limit])
    #expect(page.explain().estimatedCount.map { $0 < 50 } == true)
    #expect("\(page.explain())".contains("Planned(20)"))
    let rest = byKey.where { $0.plain > 10 }.page(after: last, count: 7)
    #expect(ids(rest) == ids(byKey.filter { $0.plain > 10 && $0.id < 20 }.prefix(7)))
  }

  @Test(arguments: [UInt64(4), 5])
  func descendingKeyLimitMatchesSort(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    try realm.write {
      for round in 0..<60 {
        // Keys with gaps, and at the bounds of their type.
        if round == 20 {
          realm.create(Planned.self, value: ["id": Int.max, "name": "n1"])
          realm.create(Planned.self, value: ["id": Int.min, "name": "n1"])
          realm.delete(all.where { $0.plain == 13 })
        }
        let most = Int.random(in: 0..<100, using: &random)
        let bound = Int.random(in: 0..<300, using: &random)
        let results =
          switch round % 4 {
          case 0: all.where { $0.plain < most }
          case 1: all.where { $0.id < bound && $0.plain < most }
          case 2: all.where { $0.age < most || $0.name == "n1" }
          default: all.where { $0.id > bound }
          }
        let sorted = results.sorted(by: \.id, ascending: false)
        let expected = Array(ids(results).sorted().reversed())
        let limit = Int.random(in: 1..<40, using: &random)
        #expect(ids(sorted.limit(limit)) == Array(expected.prefix(limit)))
        #expect(ids(sorted.limit(limit, offset: 9)) == Array(expected.dropFirst(9).prefix(limit)))
        #expect(sorted.first?.id == expected.first)
        #expect(ids(sorted) == expected)
      }
    }
  }

  @Test func pageStartsAfterGivenObject() throws {
    let sorted = all.sorted(by: \.name)
    let page = sorted.page(after: nil, count: 10)
    let last = try #require(page.last)
    // Objects inserted before do not move the next page.
    let next = ids(sorted.page(after: last, count: 10))
    try realm.write {
      let object = Planned()
      object.id = 7_000
      object.name = ""
      realm.add(object)
    }
    #expect(ids(sorted.page(after: last, count: 10)) == next)
    #expect(
      sorted.page(after: last, count: 10).explain().steps == [
        .index(property: "name"), .order(property: "name"), .filter, .limit,
      ])
    try realm.write { realm.delete(last) }
    #expect(sorted.page(after: last, count: 10).isEmpty)
  }

  @Test func collectionPagesGoByIndex() throws {
    let club = ClubFixture.make()
    try realm.write { realm.add(club) }
    let members = club.members.map(\.id)
    #expect(club.members.page(after: club.members[1], count: 2).map(\.id) == Array(members[2..<4]))
    #expect(club.members.page(after: club.members.last, count: 2).isEmpty)
    let distinct = club.members.distinct(by: ["name"])
    #expect(
      distinct.page(after: distinct.first, count: 10).map(\.id)
        == Array(distinct.map(\.id).dropFirst()))
  }

  @Test func observersOfLimitedResultsReceiveInsertions() throws {
    let window = all.sorted(by: \.age, ascending: false).limit(3)
    let events = EventRecorder<ObservedChange>()
    let token = try window.observe { events.note(ObservedChange($0)) }
    _ = events.wait(for: 1)
    let before = ids(window)
    try realm.write {
      let object = Planned()
      object.id = 6_000
      object.age = 500
      realm.add(object)
    }
    #expect(events.wait(for: 2) == [.initial(3), .update(3, [2], [0])])
    token.invalidate()
    #expect(ids(window) == [6_000] + before.prefix(2))
  }

  @Test func unicodeCollationSortsByLetters() throws {
    try realm.write {
      realm.deleteAll()
      for (id, name) in ["b", "A", "ä", "a", "B", "z", "Ä", "É"].enumerated() {
        realm.add(Planned(value: ["id": id, "name": name]))
      }
    }
    #expect(
      all.sorted(by: \.name, collation: .unicode).map(\.name)
        == ["A", "a", "Ä", "ä", "B", "b", "É", "z"])
    #expect(
      all.sorted(by: \.name, collation: .caseInsensitive).map(\.name)
        == ["A", "a", "b", "B", "z", "ä", "Ä", "É"])
    #expect(
      all.sorted(by: [SortDescriptor(keyPath: "name", ascending: false).collated(.unicode)])
        .map(\.name) == ["z", "É", "b", "B", "ä", "Ä", "a", "A"])
    #expect(all.sorted(by: \.name, collation: .unicode).limit(2).map(\.name) == ["A", "a"])
  }

  @Test func emptyLimitsAreEmpty() {
    let byCity = all.sorted(byKeyPath: "city.code")
    #expect(ids(byCity.limit(0)).isEmpty && byCity.page(after: nil, count: 0).isEmpty)
    #expect(ids(all.where { $0.age > 3 }.sorted(by: \.plain).limit(-1)).isEmpty)
    #expect(all.limit(.max, offset: 1).explain().steps.last == .limit)
    #expect(all.limit(.max, offset: 299).map(\.id) == [299])
  }

  @Test func pageAfterUnmanagedObjectIsEmpty() {
    #expect(all.page(after: Planned(), count: 3).isEmpty)
    #expect(all.sorted(by: \.plain).page(after: Planned(), count: 3).isEmpty)
    #expect(all.first?.cities.page(after: PlannedCity(), count: 3).isEmpty == true)
  }

  @Test func pagesOfListWithDuplicatesEnd() throws {
    try realm.write {
      let city = try #require(realm.objects(PlannedCity.self).first)
      let other = try #require(realm.objects(PlannedCity.self).last)
      let cities = try #require(all.first?.cities)
      cities.removeAll()
      cities.append(objectsIn: [city, other, city, other, other])
    }
    let cities = try #require(all.first?.cities)
    var pages = 0
    var page = cities.page(after: nil, count: 1)
    while let last = page.last, pages < 10 {
      pages += 1
      page = cities.page(after: last, count: 1)
    }
    #expect(pages < 10)
  }

  @Test func descendingPagesByKeyReadOnlyTheirObjects() throws {
    let byKey = all.sorted(by: \.id, ascending: false)
    #expect(byKey.explain().steps == [.scan(className: "Planned"), .order(property: "id")])
    #expect(ids(byKey) == ids(all).reversed() && ids(byKey.limit(3)) == [299, 298, 297])
    let narrowed = byKey.where { $0.plain > 20 }
    #expect(ids(narrowed) == ids(all.where { $0.plain > 20 }).reversed())
    #expect(ids(byKey.page(after: byKey[4], count: 3)) == [294, 293, 292])
    for isAscending in [true, false] {
      let byScore = all.where { $0.age > 5 }.sorted(by: \.score, ascending: isAscending)
      let page = byScore.page(after: byScore[100], count: 5)
      #expect(page.explain().steps.contains(.order(property: "score")))
      #expect(ids(page) == Array(ids(byScore)[101..<106]))
    }
  }

  @Test func moveInFilteredLimitIsReported() throws {
    let window = all.sorted(by: \.plain).limit(250).where { $0.id < 290 }
    let events = EventRecorder<ObservedChange>()
    let token = try window.observe { events.note(ObservedChange($0)) }
    _ = events.wait(for: 1)
    let count = window.count
    try realm.write { window.last?.plain = -1 }
    let change = events.wait(for: 2).last
    #expect(change?.count == count && change?.deletions?.count == change?.insertions?.count)
    token.invalidate()
  }
}

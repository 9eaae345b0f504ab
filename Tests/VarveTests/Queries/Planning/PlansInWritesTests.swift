import Foundation
import Testing
import Varve
import VarveTestSupport

/// Queries inside a write that has changed objects: the plans and the results are the same as after
/// the commit.
@Suite final class PlansInWritesTests {
  private let store: TemporaryRealm
  private let realm: Realm
  private var all: Results<Planned> { realm.objects(Planned.self) }

  init() throws {
    store = try TemporaryRealm()
    realm = try store.open()
    try realm.addPlanned(1000)
  }

  deinit { store.end() }

  private func queries() -> [Results<Planned>] {
    let conditions: [Results<Planned>] = [
      all,
      all.where { $0.age == 7 },
      all.where { $0.age > 97 },
      all.where { $0.age > 3 },
      all.where { $0.name.starts(with: "n9") },
      all.where { $0.name > "n5" && $0.name <= "n7" },
      all.where { $0.score == nil },
      all.where { $0.score != nil },
      all.where { $0.age.in([1, 2, 300]) },
      all.where { $0.id > 900 },
      all.where { $0.id > 900 && $0.plain < 40 },
      all.where { $0.id.in([1, 5, 4001]) },
      all.where { $0.plain == 7 },
      all.where { $0.plain > 20 && $0.age != 7 },
      all.where { $0.age > 90 && $0.plain < 30 },
      all.where { $0.age == 7 || $0.name == "n3" || $0.id == 12 },
      all.where { $0.city.code == "c4" },
      all.where { $0.city == nil },
      all.where { $0.cities.code == "c3" },
      all.filter("FALSEPREDICATE"),
    ]
    return conditions.flatMap { query in
      [
        query,
        query.sorted(by: \.age),
        query.sorted(by: \.age, ascending: false),
        query.sorted(by: \.id, ascending: false),
        query.sorted(by: \.name, ascending: false).limit(20),
        query.sorted(by: \.score).limit(20, offset: 10),
        query.sorted(by: \.plain).limit(5),
        query.distinct(by: [\.age]),
      ]
    }
  }

  /// The results of a query.
  private struct Answer: Equatable {
    var ids: [Int]
    var count: Int
    var first: Int?
    var third: Int?
    var greatest: [String]
    var sums: [String]
  }

  private func answer(_ query: Results<Planned>) -> Answer {
    // Each value is read from new results, so that none uses the cached result of another.
    func fresh() -> Results<Planned> { query.where { $0.id > -1 } }
    let (first, third) = (fresh(), fresh())
    return Answer(
      ids: query.map(\.id), count: fresh().count, first: first.first?.id,
      third: fresh().count > 3 ? third[3].id : nil,
      greatest: [
        "\(query.max(of: \.age) as Int?, default: "nil")",
        "\(query.min(of: \.score) as Double?, default: "nil")",
        "\(query.max(of: \.id) as Int?, default: "nil")",
        "\(query.min(of: \.plain) as Int?, default: "nil")",
      ],
      sums: [
        "\(query.sum(of: \.age) as Int)",
        "\(query.average(of: \.plain) as Double?, default: "nil")",
      ]
    )
  }

  private func change(_ count: Int, _ random: inout SeededRandom) {
    for _ in 0..<count {
      let id = random.below(1100)
      guard let object = realm.object(ofType: Planned.self, forPrimaryKey: id) else {
        realm.create(
          Planned.self, value: ["id": id, "age": random.below(100), "name": "n\(random.below(99))"])
        continue
      }
      switch random.below(6) {
      case 0: realm.delete(object)
      case 1: object.age = random.below(300)
      case 2: object.name = "n\(random.below(5000))"
      case 3: object.score = random.oneIn(2) ? nil : Double(random.below(100))
      case 4: object.plain = random.below(100)
      default:
        let cities = realm.objects(PlannedCity.self)
        object.city = random.oneIn(3) ? nil : cities[random.below(cities.count)]
        object.cities.append(cities[random.below(cities.count)])
      }
    }
  }

  @Test(arguments: [1, 50, 900])
  func resultsInWriteMatchResultsAfterCommit(_ changes: Int) throws {
    var random = SeededRandom()
    print(random)
    let inside = try realm.write {
      change(changes, &random)
      return queries().map(answer)
    }
    for (query, inside) in zip(queries(), inside) {
      let outside = answer(query)
      #expect(inside == outside, "\(query.explain()) \(random)")
    }
  }

  @Test func plansInWriteMatchPlansOutside() throws {
    func plans() -> [[QueryPlan.Step]] {
      [
        all.where { $0.age == 7 },
        all.where { $0.age > 97 }.sorted(by: \.age, ascending: false),
        all.where { $0.name.starts(with: "n99") && $0.plain > 3 },
        all.where { $0.id > 990 && $0.plain < 40 },
        all.where { $0.age == 7 || $0.name == "n3" || $0.id == 12 },
        all.where { $0.city.code == "c4" },
        all.sorted(by: \.score).limit(5),
        all.sorted(by: \.id, ascending: false).limit(5),
        all.where { $0.plain == 7 }.sorted(by: \.name).limit(2),
        all.where { $0.plain == 7 }.sorted(by: \.plain),
      ].map { $0.explain().steps }
    }
    let outside = plans()
    #expect(outside.count(where: { $0.contains(.sort) }) == 1)
    try realm.write {
      for object in all.where({ $0.id < 3 || $0.age == 7 }) { object.name += "x" }
      #expect(plans() == outside)
    }
  }

  @Test func nextQueryReflectsEachChange() throws {
    try realm.write {
      let byAge = all.sorted(by: \.age, ascending: false)
      let old = all.where { $0.age >= 1000 }
      for number in 0..<50 {
        #expect(all.max(of: \.age) == (number == 0 ? 99 : 999 + number))
        #expect(old.count == number && old.first?.id == (number == 0 ? nil : 0))
        all[number].age = 1000 + number
        #expect(byAge.first?.id == number && byAge[0].age == 1000 + number)
        #expect(byAge.limit(3)[0].id == number)
      }
      realm.create(Planned.self, value: ["id": (all.max(of: \.id) ?? 0) + 1, "age": 5000])
      #expect(all.sorted(by: \.id, ascending: false).first?.age == 5000 && all.count == 1001)
      realm.delete(all.where { $0.age >= 1000 })
      #expect(old.isEmpty && all.max(of: \.age) == 99 && all.count == 950)
    }
    #expect(all.max(of: \.age) == 99 && all.count == 950)
  }

  @Test func rolledBackGroupMemberIsDiscarded() async throws {
    struct Refused: Error {}
    let realm = realm
    for number in 0..<20 {
      await withTaskGroup(of: Void.self) { group in
        for part in 0..<4 {
          group.addTask {
            try? await realm.asyncWrite {
              let all = realm.objects(Planned.self)
              let next = (all.max(of: \.id) ?? 0) + 1
              realm.create(Planned.self, value: ["id": next, "age": 1000 + number])
              guard all.sorted(by: \.id, ascending: false).first?.id == next,
                all.where({ $0.id > 999 }).count == next - 999,
                all.where({ $0.age >= 1000 }).count == next - 999
              else { fatalError("The query does not see the write.") }
              if part == 3 { throw Refused() }
            }
          }
        }
      }
    }
    #expect(all.count == 1060 && all.max(of: \.id) == 1059)
  }
}

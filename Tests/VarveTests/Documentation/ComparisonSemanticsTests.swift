import Foundation
import Testing
import Varve

/// The statements of the article “Comparison semantics”. `QueryOracleTests` checks each of its
/// rules.
@Suite struct ComparisonSemanticsTests {
  @Model final class Reading: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var level: Int?
    @Persisted var exact: Double
    @Persisted var place: String
  }

  private func withReadings(_ body: (Results<Reading>) throws -> Void) throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        for (id, level) in [nil, 5, 10, 20].enumerated() {
          realm.create(Reading.self, value: ["id": id, "place": ["Éire", "e", "é", ""][id]])
            .level = level
        }
        for reading in realm.objects(Reading.self) where reading.id > 1 {
          reading.exact = reading.id == 2 ? .nan : 9_007_199_254_740_992
        }
      }
      try body(realm.objects(Reading.self))
    }
  }

  @Test func nullsAreUnequalAndUnordered() throws {
    try withReadings { readings in
      let old = readings.where { $0.level < 10 }  // Not those without a level.
      let other = readings.where { $0.level != 10 }  // Those without a level too.
      #expect(old.map(\.id) == [1])
      #expect(other.map(\.id) == [0, 1, 3])
      #expect(readings.where { !($0.level < 10) }.map(\.id) == [0, 2, 3])
      #expect(readings.where { $0.level >= 10 }.map(\.id) == [2, 3])
    }
  }

  @Test func closedRangesIncludeBothBounds() throws {
    try withReadings { readings in
      let mild = readings.where { $0.level.contains(10...20) }  // 10 and 20 too.
      let cool = readings.where { $0.level.contains(10..<20) }  // 10, and not 20.
      #expect(mild.map(\.id) == [2, 3])
      #expect(cool.map(\.id) == [2])
    }
  }

  @Test func nothingEqualsNaN() throws {
    try withReadings { readings in
      #expect(readings.where { $0.exact == .nan }.isEmpty)
      #expect(readings.where { $0.exact != 0 }.map(\.id) == [2, 3])
      #expect(readings.where { $0.exact > 1 }.map(\.id) == [3])
    }
  }

  @Test func caseIsIgnoredOnRequest() throws {
    try withReadings { readings in
      let named = readings.where { $0.place.starts(with: "é", caseInsensitive: true) }
      #expect(named.map(\.id) == [0, 2])
      #expect(readings.where { $0.place.starts(with: "é") }.map(\.id) == [2])
    }
  }
}

import Foundation
import Testing
import Varve
@testable import VarveCore
import VarveTestSupport

/// Every operation on values of every type, and on nulls, compared with an oracle on plain Swift
/// values that shares no code with the library's evaluator.
///
/// A run evaluates a part of the conditions, chosen by the seed; with `VARVE_ORACLE` set to `all`,
/// it evaluates all of them on the live version.
@Suite struct QueryOracleTests {
  private static let runsAll = ProcessInfo.processInfo.environment["VARVE_ORACLE"] == "all"

  /// A share of the conditions of every kind: one out of the given number.
  private func conditions(
    _ className: String, _ world: OracleWorld, _ random: SeededRandom, oneOf share: Int
  ) -> [Condition] {
    let source = ConditionSource(className, world, random)
    source.addScalars()
    source.addSets()
    source.addTexts()
    source.addPairs()
    source.addLinks()
    source.addQuantified()
    source.addOccurrences()
    source.addTypes()
    source.addAggregates()
    source.addSubqueries()
    source.addArithmetic()
    source.addTrees(600)
    let first = Int(random.seed % UInt64(share))
    return source.conditions.enumerated().filter { index, condition in
      index % share == first || hasRegularExpression(condition)
    }.map(\.element)
  }

  /// There are few of them, so a share might match hardly any object.
  private func hasRegularExpression(_ condition: Condition) -> Bool {
    ConditionFlow(condition).steps.contains { $0.comparison.operation == .matches }
  }

  @Test func liveVersionMatchesOracle() throws {
    let random = SeededRandom()
    try withTemporaryRealm { realm, _ in
      let world = try realm.write { try OracleWorld(in: realm, random) }
      let check = OracleCheck(world, random)
      for condition in conditions(
        "OracleItem", world, random, oneOf: QueryOracleTests.runsAll ? 1 : 8)
      {
        check.expect(condition, realm.objects(OracleItem.self), "live")
      }
      for condition in conditions(
        "OracleIndexedItem", world, random, oneOf: QueryOracleTests.runsAll ? 1 : 5)
      {
        check.expect(condition, realm.objects(OracleIndexedItem.self), "live, with indexes")
      }
      check.expectAll(atLeast: 100_000, ofEachOutcome: 10)
    }
  }

  @Test func frozenAndUncommittedVersionsMatchOracle() throws {
    let random = SeededRandom()
    try withTemporaryRealm { realm, _ in
      let world = try realm.write { try OracleWorld(in: realm, random) }
      let check = OracleCheck(world, random)
      let some = conditions("OracleItem", world, random, oneOf: 50)
      let indexed = conditions("OracleIndexedItem", world, random, oneOf: 49)
      let before = some.map { check.expected($0, "OracleItem") }
      let indexedBefore = indexed.map { check.expected($0, "OracleIndexedItem") }
      let frozen = realm.freeze()
      try realm.write {
        try world.fill(turn: 1)
        for condition in some { check.expect(condition, realm.objects(OracleItem.self), "write") }
        for condition in indexed {
          check.expect(condition, realm.objects(OracleIndexedItem.self), "write, with indexes")
        }
      }
      for (condition, before) in zip(some, before) {
        check.expect(condition, realm.objects(OracleItem.self), "live")
        check.expect(condition, frozen.objects(OracleItem.self), "frozen", before)
      }
      for (condition, before) in zip(indexed, indexedBefore) {
        check.expect(condition, realm.objects(OracleIndexedItem.self), "live, with indexes")
        check.expect(
          condition, frozen.objects(OracleIndexedItem.self), "frozen, with indexes", before)
      }
      check.expectAll(atLeast: 30_000, ofEachOutcome: 0)
    }
  }
}

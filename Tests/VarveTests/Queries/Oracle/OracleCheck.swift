import Testing
@testable import Varve
@testable import VarveCore
import VarveEncoding
import VarveTestSupport

/// Compares query results with the oracle.
final class OracleCheck {
  private let world: OracleWorld
  private let oracle: QueryOracle
  private let random: SeededRandom
  private var count = 0
  private var failures = 0

  init(_ world: OracleWorld, _ random: SeededRandom) {
    self.world = world
    self.random = random
    oracle = world.oracle
  }

  /// The objects of a class that satisfy a condition.
  func expected(_ condition: Condition, _ className: String) -> [OracleObject] {
    (world.items[className] ?? []).filter { oracle.matches(condition, .object($0)) }
  }

  /// Queries the objects of a class that satisfy a condition.
  ///
  /// `expected` is the result for the queried version, if it is not the newest one.
  func expect<T: Object>(
    _ condition: Condition, _ objects: Results<T>, _ what: String,
    _ expected: [OracleObject]? = nil
  ) {
    let handle = objects.narrowed(by: condition).handle
    let found = Set(handle.objectIDs)
    let expected = Set((expected ?? self.expected(condition, "\(T.self)")).map(\.storedID))
    let items = world.items["\(T.self)"] ?? []
    count += items.count
    guard found != expected else { return }
    failures += 1
    let wrong = items.filter { found.contains($0.storedID) != expected.contains($0.storedID) }
    guard failures <= 20, let first = wrong.first else { return }
    let values = Set(condition.paths).map { "\($0) = \(oracle.values($0, .object(first)))" }
    Issue.record(
      """
      \(random), \(what): \(condition) is wrong for \(wrong.count) of \(items.count) objects, one of them \
      \(first.className)(\(first.id)) with \(values.joined(separator: "; ")), expected: \
      \(expected.contains(first.storedID)), found: \(found.contains(first.storedID))
      """)
  }

  /// Fails when too few conditions were evaluated, or when an operation was true or false too
  /// rarely.
  func expectAll(atLeast floor: Int, ofEachOutcome least: Int) {
    print("\(random): \(count) outcomes")
    #expect(failures == 0, "\(random)")
    #expect(count >= floor)
    for operation in OracleCheck.operations {
      let outcome = oracle.outcomes[operation] ?? (0, 0)
      #expect(min(outcome.held, outcome.failed) >= least, "\(operation): \(outcome)")
    }
  }

  /// The operations covered here: TEXT needs an index, and points have separate tests.
  private static let operations = Set(Condition.Operation.allCases)
    .subtracting([.text, .geoWithin, .follows, .precedes, .doesNotFollow, .doesNotPrecede])
}

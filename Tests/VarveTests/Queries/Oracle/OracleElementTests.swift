import Foundation
import Testing
@testable import Varve
import VarveCore
import VarveEncoding
import VarveTestSupport

/// Conditions on the values of a collection, compared with the oracle.
@Suite struct OracleElementTests {
  @Test func elementsOfEveryCollectionMatchOracle() throws {
    let random = SeededRandom()
    try withTemporaryRealm { realm, _ in
      let world = try realm.write { try OracleWorld(in: realm, random) }
      var count = 0
      for type in OracleType.allCases {
        let source = ConditionSource("OracleItem", world, random)
        source.addElements(of: type)
        for item in source.items.prefix(6) {
          for kind in ["List", "Set", "Map"] {
            count += try expect(
              source.conditions, item, type.rawValue + kind, world, "\(random)")
          }
        }
      }
      #expect(count > 10_000)
    }
  }

  /// Returns the number of evaluated elements.
  private func expect(
    _ conditions: [Condition], _ item: OracleObject, _ name: String, _ world: OracleWorld,
    _ seed: String
  ) throws -> Int {
    let collection = try #require(item.properties[name]?.collection)
    let value = try #require(try world.object(item)?.value(forKey: name))
    let handle = try #require(value as? any _AnyCollection).handle
    let context = try #require(handle.context)
    let oracle = world.oracle
    for condition in conditions {
      let query = ElementQuery(
        .value, source: .collection(CollectionIdentity(handle)), condition: condition)
      let found = ResultsHandle(context: context, query: query).values.map(text)
      let expected = collection.elements.filter { oracle.matches(condition, $0) }.map(text)
      let isSame =
        collection.kind == .set ? found.sorted() == expected.sorted() : found == expected
      #expect(isSame, "\(seed), \(item.id).\(name): \(condition): \(found), not \(expected)")
    }
    return conditions.count * collection.elements.count
  }

  private func text(_ value: OracleValue) -> String {
    value.collection == nil ? "\(value)" : "collection"
  }

  private func text(_ value: Value) -> String {
    if case .nested = value { return "collection" }
    return text(OracleValue(value))
  }
}

import Foundation
import Testing
import Varve

/// Queries that compile but are invalid in every run.
@Suite struct QueryMisuseTests {
  private struct Misuse: Sendable {
    let message: String
    let query: @Sendable (Query<QueryHolder>) -> Query<Bool>

    init(_ message: String, _ query: @escaping @Sendable (Query<QueryHolder>) -> Query<Bool>) {
      self.message = message
      self.query = query
    }
  }

  private static let misuses: [String: Misuse] = [
    "pattern": Misuse("'(' is not a valid MATCHES pattern") { $0.name.matches("(") },
    "both many": Misuse("Both sides of a comparison have many values") {
      $0.items.age == $0.items.age
    },
    "many summands": Misuse("Arithmetic requires single values") { $0.items.age + 1 > 3 },
    "no collection": Misuse("@min requires the values of a collection") { $0.id.min == 3 },
    "subquery of nothing": Misuse("contains no collection") { ($0.id > 3).count == 1 },
    "subquery of two": Misuse("on the elements of one collection") {
      ($0.items.age > 3 && $0.itemSet.age > 3).count == 1
    },
    "subquery and owner": Misuse("on the elements of one collection") {
      ($0.items.age > $0.id).count == 1
    },
    "subquery of all": Misuse("on the elements of one collection") {
      $0.items.allSatisfy { $0.age > 3 }.count == 1
    },
    "negative position": Misuse("-1 is not an index of 'tags'") { $0.tags[-1] == "a" },
    "outer query": Misuse("Queries of two closures cannot be combined") { holder in
      holder.items.contains { $0.age > holder.id }
    },
    "outer condition": Misuse("Queries of two closures cannot be combined") { holder in
      holder.items.contains { _ in holder.id > 3 }
    },
    "deep arithmetic": Misuse("more than 100 operators deep") { holder in
      (0..<101).reduce(holder.id) { sum, _ in sum + 1 } > 3
    },
    "much arithmetic": Misuse("more than 10000 operators") { holder in
      (0..<20).reduce(holder.id) { sum, _ in sum + sum } > 3
    },
    "conditions as values": Misuse("A condition can be compared with a single Bool") {
      ($0.id > 3) == $0.items.isGood
    },
  ]

  @Test(arguments: misuses.keys.sorted())
  func misuseTrapsWithMessage(_ what: String) async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [what = what as String] in
      let realm = try Realm(configuration: .init(inMemoryIdentifier: "misuse"))
      guard let query = Self.misuses[what]?.query else { return }
      _ = realm.objects(QueryHolder.self).where(query)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let message = try #require(Self.misuses[what]?.message)
    #expect(text.contains(message), "\(what): \(text)")
  }
}

import Foundation
import Testing
import Varve

@Suite struct MixedQueryTests {
  private func withValues(
    _ values: [AnyRealmValue], _ body: (Realm, Results<MixedBox>) throws -> Void
  ) throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        for (id, value) in values.enumerated() { realm.add(MixedBox(id: id, value: value)) }
      }
      try body(realm, realm.objects(MixedBox.self))
    }
  }

  @Test func numbersOfAllTypesCompareByValue() throws {
    try withValues([1, 1.0, .float(1), 2.5, "1", true, .none, .int(.max)]) { _, crates in
      #expect(crates.where { $0.value == 1 }.map(\.id) == [0, 1, 2])
      #expect(crates.where { $0.value > 1.5 }.map(\.id) == [3, 7])
      #expect(crates.where { $0.value <= .float(2.5) }.map(\.id) == [0, 1, 2, 3])
      #expect(crates.where { $0.value.in([2.5, "1", .none]) }.map(\.id) == [3, 4, 6])
      #expect(crates.where { $0.value == .none }.map(\.id) == [6])
      #expect(crates.where { $0.value != 1 }.count == 5)
    }
  }

  @Test func stringOperatorsMatchOnlyStrings() throws {
    try withValues(["Red", "green", 5, .data(Data("Red".utf8))]) { _, crates in
      #expect(crates.where { $0.value.starts(with: "R") }.map(\.id) == [0])
      #expect(crates.where { $0.value.contains("EE", caseInsensitive: true) }.map(\.id) == [1])
      #expect(crates.where { $0.value < "a" }.map(\.id) == [0])
    }
  }

  @Test func objectEqualsOnlyItself() throws {
    try withValues([.object(Gadget(name: "a")), .object(Gadget(name: "b"))]) { _, crates in
      let second = crates[1].value
      #expect(crates.where { $0.value == second }.map(\.id) == [1])
      #expect(crates.where { $0.value == .object(Gadget()) }.isEmpty)
    }
  }

  @Test func sortingOrdersValuesByType() throws {
    let ordered: [AnyRealmValue] = [
      .none, false, true, .double(.nan), .int(.min), -1.5, 0, .float(0.5), 1, 1e30, "", "a", "b",
      .data(Data([1])), .date(Date(timeIntervalSinceReferenceDate: -1)), .date(Date()),
      .objectId(ObjectId.generate()), .uuid(UUID()), .object(Gadget()),
    ]
    var random = SystemRandomNumberGenerator()
    let shuffled = ordered.indices.shuffled(using: &random)
    try withValues(shuffled.map { ordered[$0] }) { realm, crates in
      let sorted = crates.sorted(by: \.value)
      #expect(sorted.map { shuffled[$0.id] } == Array(ordered.indices))
      #expect(
        crates.sorted(by: \.value, ascending: false).map { shuffled[$0.id] }
          == ordered.indices.reversed())
      // The incremental diff compares key prefixes, which must not result in another order.
      let before = realm.freeze()
      try realm.write {
        for crate in crates where crate.id.isMultiple(of: 2) { crate.tag = 1 }
        realm.add(MixedBox(id: 100, value: 0.25))
      }
      let changes = try realm.changes(since: before).changes(of: sorted)
      #expect(changes.insertions == [7])
      #expect(changes.deletions.isEmpty)
    }
  }

  @Test func mixedPropertyCannotBePrimaryKey() throws {
    try withTemporaryRealm { realm, _ in
      expectError(.invalidSchema) { try realm.register(MixedKeyed.self) }
    }
  }
}

@Model final class MixedKeyed: Object {
  @Persisted(primaryKey: true) var key: AnyRealmValue
}

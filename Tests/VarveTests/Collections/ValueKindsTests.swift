import Foundation
import Testing
import Varve

@Model final class Till: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var prices: MutableSet<Decimal128>
  @Persisted var values: MutableSet<AnyRealmValue>
  @Persisted var sums: Map<String, Decimal128?>
}

/// Sets and maps of decimal numbers, and sets of mixed values.
@Suite struct ValueKindsTests {
  /// Checks a till that is unmanaged, then inside the write that adds it, after that write, frozen,
  /// and after reopening the store.
  private func check(_ till: Till, _ body: (Till) -> Void) throws {
    body(till)
    try withTemporaryRealm { realm, store in
      try realm.write {
        realm.add(till)
        body(till)
      }
      body(till)
      body(till.freeze())
      try store.close()
      body(try #require(try store.open().object(ofType: Till.self, forPrimaryKey: 1)))
    }
  }

  private func till() -> Till { Till(value: ["id": 1]) }

  @Test func decimalSetElementsAreUnique() throws {
    let till = till()
    let texts = ["10", "-0.5", "1.50", "1.5", "1E+40", "NaN", "-Inf", "0", "-0", "1e-6000", "NaN"]
    till.prices.insert(objectsIn: texts.map { Decimal128($0) ?? 99 })
    try check(till) { till in
      #expect(till.prices.count == 8)
      #expect(till.prices.contains(1.5) && till.prices.contains("1.500"))
      #expect(till.prices.contains(0) && !till.prices.contains(2))
      #expect(till.prices.max() == Decimal128("1E+40"))
      guard till.realm != nil else { return }
      #expect(
        till.prices.map(\.description)
          == ["NaN", "-Inf", "-0.5", "0", "1E-6000", "1.5", "10", "1E40"])
      let positive = till.prices.where { $0 > 0 && $0 < 100 }
      #expect(positive.count == 3 && positive.sum() == Decimal128("11.50"))
    }
  }

  @Test func decimalSetIsChanged() throws {
    try withTemporaryRealm { realm, store in
      let till = till()
      try realm.write {
        realm.add(till)
        till.prices.insert(objectsIn: [1, 2, 3])
      }
      let version = realm.version
      try realm.write { till.prices.insert("2.00") }
      #expect(realm.version == version, "an equal number is no other element")
      try realm.write {
        till.prices.remove("3.0")
        till.prices.formUnion([4, 1])
        till.prices.formSymmetricDifference([1, 5])
      }
      #expect(Array(till.prices) == [2, 4, 5])
      #expect(till.prices.isSubset(of: [2, 4, 5, 6]) && till.prices.intersects([5]))
      try realm.write { till.prices.formIntersection([4]) }
      #expect(Array(till.prices) == [4] && till.prices.average() == Decimal128(4))
      try store.check()
    }
  }

  @Test func mixedSetElementsAreUnique() throws {
    let till = till()
    let uuid = UUID()
    till.values.insert(objectsIn: [
      1, "1", .double(1), .decimal128(1), .bool(true), nil, nil, .uuid(uuid), .data(Data([1])),
      .date(Date(timeIntervalSinceReferenceDate: 0)), "1", .int(2),
    ])
    try check(till) { till in
      // Equal numbers of different types are the same element.
      #expect(till.values.count == 8)
      #expect(till.values.contains(.float(1)) && till.values.contains("1"))
      #expect(till.values.contains(nil) && till.values.contains(.uuid(uuid)))
      #expect(!till.values.contains("2") && till.values.contains(.double(2)))
    }
  }

  @Test func mixedSetIsChanged() throws {
    try withTemporaryRealm { realm, store in
      let (till, other) = (till(), Till(value: ["id": 2]))
      try realm.write {
        realm.add([till, other])
        till.values.insert(objectsIn: [1, "a", .object(other)])
      }
      #expect(till.values.contains(.object(other)))
      try realm.write {
        till.values.remove(.double(1))
        till.values.formUnion([2, "a"])
        till.values.subtract(["a"])
      }
      #expect(till.values.count == 2 && till.values.contains(2))
      let frozen = till.values.freeze()
      try realm.write { realm.delete(other) }
      #expect(Array(till.values) == [2] && frozen.count == 2)
      try store.check()
    }
  }

  @Test func decimalMapKeepsNullValues() throws {
    let till = till()
    till.sums["a"] = 1.5
    till.sums["b"] = .some(nil)
    till.sums["c"] = Decimal128("1e-3")
    till.sums["d"] = Decimal128("1.50")
    try check(till) { till in
      #expect(till.sums.keys == ["a", "b", "c", "d"] && till.sums.count == 4)
      #expect(till.sums["b"] == .some(nil) && till.sums["x"] == nil)
      #expect(till.sums["c"] == Decimal128("0.001") && till.sums["d"]??.description == "1.5")
      #expect(till.sums.contains(key: "b") && !till.sums.contains(key: "x"))
      guard till.realm != nil else { return }
      #expect(till.sums.sum() == Decimal128("3.001") && till.sums.max() == 1.5)
      #expect(till.sums.where { $0 == nil }.count == 1)
      #expect(till.sums.where { $0 > 1 }.count == 2)
      #expect(till.sums.sorted(ascending: true).first == .some(nil))
    }
  }

  @Test func decimalMapIsChanged() throws {
    try withTemporaryRealm { realm, store in
      let till = till()
      try realm.write {
        realm.add(till)
        till.sums.set([(key: "a", value: 1), (key: "b", value: nil), (key: "c", value: 3)])
      }
      let version = realm.version
      try realm.write {
        till.sums["b"] = .some(nil)
        till.sums["a"] = 1
      }
      #expect(realm.version == version)
      try realm.write {
        till.sums.merge([(key: "a", value: 5), (key: "d", value: nil)]) { old, new in
          (old ?? 0) + (new ?? 0)
        }
        till.sums["b"] = 2
        till.sums.removeObject(for: "c")
      }
      #expect(till.sums["a"] == 6 && till.sums["b"] == 2 && till.sums["d"] == .some(nil))
      #expect(till.sums.keys == ["a", "b", "d"])
      try store.check()
    }
  }
}

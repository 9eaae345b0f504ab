import Foundation
import Testing
import Varve

@Model private final class Measured: Object {
  @Persisted var value: AnyRealmValue
  @Persisted var level: Int?
  @Persisted var parts: Map<String, Measured?>
  @Persisted var values: Map<String, AnyRealmValue>
  @Persisted var list: List<AnyRealmValue>
  @Persisted var set: MutableSet<AnyRealmValue>
}

/// Aggregates of mixed values add and compare numbers of all types, and ignore other values.
@Suite struct MixedAggregateTests {
  private let values: [AnyRealmValue] = [
    "x", 5, .none, 2.5, .bool(true), .date(Date()), .float(-1), .double(.nan), .list(List()),
  ]

  private func expectAggregates(_ elements: some RealmCollection<AnyRealmValue>, _ what: String) {
    #expect(elements.min() == .float(-1), "\(what)")
    #expect(elements.max() == 5, "\(what)")
    #expect(elements.where { $0 != 7 }.max() == 5, "\(what)")
  }

  @Test func elementsOfEveryCollectionAreAggregated() throws {
    try withTemporaryRealm { realm, _ in
      let object = Measured()
      object.list.append(objectsIn: values)
      object.set.insert(objectsIn: values.filter { $0.listValue == nil })
      for (index, value) in values.enumerated() { object.values["\(index)"] = value }
      #expect(object.list.min() == .float(-1) && object.list.max() == 5)
      #expect(object.values.min() == .float(-1) && object.values.max() == 5)
      try realm.write { realm.add(object) }
      expectAggregates(object.list, "list")
      expectAggregates(object.set, "set")
      #expect(object.values.min() == .float(-1) && object.values.max() == 5)
    }
  }

  @Test func sumHasWidestType() {
    let list = List<AnyRealmValue>(["a", 5, 7, .none])
    #expect(list.sum() == 12)
    #expect(list.average() == 6)
    list.append(0.5)
    #expect(list.sum() == .double(12.5))
    list.append(.decimal128(1))
    #expect(list.sum() == .decimal128(13.5))
    list.removeAll()
    #expect(list.sum() == 0)
    #expect(list.average() as Double? == nil)
    #expect(list.min() == nil)
  }

  @Test func propertiesOfObjectsAreAggregated() throws {
    try withTemporaryRealm { realm, _ in
      let root = Measured()
      try realm.write {
        realm.add(root)
        for (index, value) in values.enumerated() {
          root.parts["\(index)"] = Measured(
            value: ["value": value, "level": index == 0 ? nil : index] as [String: Any?])
        }
      }
      let objects = realm.objects(Measured.self)
      #expect(objects.max(of: \.value) == 5)
      #expect(objects.min(of: \.value) == .float(-1))
      #expect(try objects.max(ofProperty: "value") == AnyRealmValue.int(5))
      #expect(objects.where { $0.level < 4 }.sum(of: \.value) == .double(7.5))
      // Maps of objects accept optional properties as well.
      let least: Int? = root.parts.min(of: \.level)
      let greatest: Int? = root.parts.max(of: \.level)
      let sum: Int = root.parts.sum(of: \.level)
      #expect(least == 1 && greatest == 8 && sum == 36)
      #expect(root.parts.max(of: \.value) == 5)
    }
  }
}

import Foundation
import Testing
import Varve

/// Queries on the values of maps.
@Suite struct DictionaryQueryReferenceTests {
  @Test func filteringMapReturnsValuesWithoutKeys() throws {
    try withPantry { realm, pantry, _ in
      let spices = pantry.spices
      let salt = spices.where { $0.name == "salt" }
      // An object under two keys appears twice; a key with null does not appear.
      #expect(salt.map(\.id) == [1, 3, 1] && spices.objects.map(\.id) == [1, 2, 3, 1])
      #expect(try spices.filter("name = %@ AND grams > %@", "salt", 25).map(\.id) == [1, 1])
      let property = ["grams"]
      #expect(try spices.filter("\(property[0]) BETWEEN {15, 25}").map(\.id) == [3])
      expectError(.unknownProperty) { try spices.filter("colour" + " = 1") }
      try realm.write { spices["f"] = Spice(value: ["id": 4, "name": "salt"]) }
      #expect(salt.map(\.id) == [1, 3, 1, 4])
    }
  }

  @Test func conditionsAreValues() throws {
    try withPantry { realm, pantry, _ in
      let isLight: (Query<Spice>) -> Query<Bool> = { $0.grams <= 20 }
      #expect(pantry.spices.where(isLight).map(\.id) == [2, 3])
      #expect(pantry.row.where(isLight).map(\.id) == [3, 2, 3])
      #expect(realm.objects(Spice.self).where(isLight).map(\.id) == [2, 3])
      #expect(pantry.row.index(matching: isLight) == 0)
      // The same predicate on a collection and on its class finds the same objects.
      let all = Set(realm.objects(Spice.self).where(isLight).map(\.id))
      #expect(Set(pantry.row.where(isLight).map(\.id)) == all)
      #expect(Set(pantry.spices.filter("grams <= 20").map(\.id)) == all)
      #expect(Set(pantry.row.filter("grams <= 20").map(\.id)) == all)
    }
  }

  @Test func nonObjectValuesAreFiltered() throws {
    try withPantry { (_, pantry, _) throws in
      #expect(Array(pantry.counts.where { $0 > 2 }) == [3, 3])
      #expect(try Array(pantry.counts.filter("SELF < %@", 3)) == [1])
      #expect(Array(pantry.notes.filter("SELF = nil")) == [nil])
      let text = ["SELF > 1"]
      let many = try pantry.counts.filter(text[0])
      #expect(Array(many) == [3, 3])
      expectError(.invalidInput) { try pantry.counts.filter("grams" + " = 1") }
    }
  }

  @Test func equalValuesSortInKeyOrder() throws {
    try withPantry { (_, pantry, _) throws in
      let spices = pantry.spices
      #expect(spices.sorted(byKeyPath: "grams").map(\.id) == [2, 3, 1, 1])
      #expect(spices.sorted(byKeyPath: "name", ascending: false).map(\.id) == [1, 3, 1, 2])
      #expect(spices.sorted(by: \.heat).map(\.id) == [1, 1, 2, 3])
      #expect(spices.sorted(byKeyPath: "blend.grams").map(\.id) == [2, 3, 1, 1])
      expectError(.unknownProperty) { try spices.sorted(byKeyPath: "@max" + ".grams") }
      #expect(Array(pantry.counts.sorted(ascending: true)) == [1, 3, 3])
      #expect(Array(pantry.counts.sorted(byKeyPath: "self", ascending: false)) == [3, 3, 1])
      #expect(Array(pantry.notes.sorted(ascending: true)) == [nil, "b"])
    }
  }

  @Test func firstDescriptorHasPriority() throws {
    try withPantry { (_, pantry, _) throws in
      let spices = pantry.spices
      let byNameAndWeight = [
        SortDescriptor(keyPath: "name", ascending: false), SortDescriptor(keyPath: "grams"),
      ]
      #expect(spices.sorted(by: byNameAndWeight).map(\.id) == [3, 1, 1, 2])
      #expect(spices.sorted(by: byNameAndWeight.map { $0.reversed() }).map(\.id) == [2, 1, 1, 3])
      #expect(spices.sorted(by: []).map(\.id) == spices.objects.map(\.id))
      #expect(Array(pantry.counts.sorted(by: [])) == [3, 1, 3])
      #expect(Array(pantry.counts.sorted(by: ["self"])) == [1, 3, 3])
    }
  }

  @Test func distinctKeepsOneValuePerCombination() throws {
    try withPantry { (_, pantry, _) throws in
      let spices = pantry.spices
      #expect(spices.distinct(by: ["name"]).map(\.id) == [1, 2])
      #expect(spices.distinct(by: [\.name, \.grams]).map(\.id) == [1, 2, 3])
      #expect(Array(pantry.counts.distinct()) == [3, 1])
    }
  }

  @Test func minAndMaxIgnoreNullAndNaN() throws {
    try withPantry { realm, pantry, _ in
      let spices = pantry.spices
      #expect(spices.min(of: \.grams) == 10 && spices.max(of: \.grams) == 30)
      let least: Double? = try spices.min(ofProperty: "heat")
      let greatest: Int? = try spices.max(ofProperty: "grams")
      #expect(least == 0.5 && greatest == 30 && spices.max(of: \.heat) == 1.5)
      #expect(spices.min(of: \.picked) == nil && spices.max(of: \.price) == nil)
      expectError(.invalidInput) { try spices.min(ofProperty: "name") as Int? }
      expectError(.invalidInput) { try spices.max(ofProperty: "photo") as Int? }
      expectError(.invalidInput) { try spices.max(ofProperty: "blend") as Int? }
      #expect(pantry.counts.min() == 1 && pantry.counts.max() == 3)
      #expect(pantry.dates.min() == nil && pantry.prices.max() == nil && pantry.heats.min() == nil)
      let day = Date(timeIntervalSince1970: 86_400)
      try realm.write {
        pantry.dates.set(["a": day, "b": day + 1])
        pantry.prices.set(["a": 1.5, "b": 2.5])
        pantry.heats.set(["a": nil, "b": .nan, "c": 2])
        spices["a"]??.picked = day
        spices["a"]??.price = 7
      }
      #expect(pantry.dates.min() == day && pantry.dates.max() == day + 1)
      #expect(pantry.prices.min() == 1.5 && pantry.prices.max() == 2.5)
      #expect(pantry.heats.min() == 2 && spices.min(of: \.picked) == day)
      #expect(spices.max(of: \.price) == 7)
    }
  }

  @Test func sumCountsDuplicates() throws {
    try withPantry { realm, pantry, _ in
      let spices = pantry.spices
      let sum: Int = try spices.sum(ofProperty: "grams")
      #expect(spices.sum(of: \.grams) == 90 && sum == 90 && pantry.counts.sum() == 7)
      #expect(spices.sum(of: \.heat) == 2 && pantry.heats.sum() == 0 && pantry.prices.sum() == 0)
      expectError(.invalidInput) { try spices.average(ofProperty: "picked") }
      expectError(.invalidInput) { try spices.sum(ofProperty: "picked") as Int }
      try realm.write { pantry.prices.set(["a": 0.1, "b": 0.2]) }
      #expect(pantry.prices.sum() == 0.3)
    }
  }

  @Test func averageIgnoresNull() throws {
    try withPantry { realm, pantry, _ in
      let spices = pantry.spices
      #expect(spices.average(of: \.grams) == 22.5 && spices.average(of: \.heat) == 1)
      #expect(try spices.average(ofProperty: "heat") == 1)
      #expect(pantry.heats.average() == nil && pantry.counts.average() == 7.0 / 3)
      try realm.write {
        pantry.heats.set(["a": nil, "b": 4])
        pantry.prices.set(["a": 1, "b": 2])
        spices["b"]??.price = 3
      }
      #expect(pantry.heats.average() == 4)
      let price: Decimal128? = pantry.prices.average()
      #expect(price == 1.5 && spices.average(of: \.price) == Decimal128(3))
    }
  }
}

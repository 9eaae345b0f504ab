import Foundation
import Testing
import Varve
import VarveCore

@Model final class QueryHolder: Object {
  @Persisted var number: Int
  @Persisted var id: Int
  @Persisted var name: String
  @Persisted var tags: List<String>
  @Persisted var ratings: MutableSet<Double>
  @Persisted var sizes: Map<String, Int>
  @Persisted var units: Map<Unit, Int?>
  @Persisted var items: List<QueryItem>
  @Persisted var itemSet: MutableSet<QueryItem>
  @Persisted var itemMap: Map<String, QueryItem?>
  @Persisted var optionals: List<Int?>
  @Persisted var dates: List<Date>
  @Persisted var temperature: Celsius
  @Persisted var decimals: List<Decimal128>
  @Persisted var mixed: AnyRealmValue
  @Persisted var mixedList: List<AnyRealmValue>
  @Persisted var favourite: QueryItem?
}

@Model final class QueryItem: Object {
  @Persisted var number: Int
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted var weight: Double?
  @Persisted var isGood: Bool
  @Persisted var parts: List<Int>
  @Persisted(originProperty: "items") var holders: LinkingObjects<QueryHolder>
}

/// Each operator on collections and their elements: it compiles, and creates the expected
/// condition.
@Suite struct CollectionQueryTextTests {
  private func check(
    _ text: String, _ condition: (Query<QueryHolder>) -> Query<Bool>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let found = condition(Query()).condition.description
    #expect(found == text, sourceLocation: sourceLocation)
  }

  @Test func containsCreatesAnyComparisons() {
    check("ANY tags[*] == \"a\"") { $0.tags.contains("a") }
    check("ANY tags[*] == name") { $0.tags.contains($0.name) }
    check("ANY tags[*] IN {\"a\", \"b\"}") { $0.tags.containsAny(in: ["a", "b"]) }
    check("ANY tags[*] BETWEEN {\"a\", \"b\"}") { $0.tags.containsAny(in: "a"..."b") }
    check("ANY ratings[*] == 2.5") { $0.ratings.contains(2.5) }
    check("ratings.@min >= 2.5") { $0.ratings.contains(2.5...) }
    check("ANY ratings[*] >= 2.5") { $0.ratings.containsAny(in: 2.5...) }
    check("ANY sizes[*] == 5") { $0.sizes.contains(5) }
    check("(sizes.@min >= 1 AND sizes.@max <= 5)") { $0.sizes.contains(1...5) }
    check("ANY sizes[*] BETWEEN {1, 5}") { $0.sizes.containsAny(in: 1...5) }
    check("ANY optionals[*] == NULL") { $0.optionals.contains(nil) }
    check("ANY optionals[*] IN {1, NULL}") { $0.optionals.containsAny(in: [1, nil]) }
    check("ANY optionals[*] IN {1}") { $0.optionals.containsAny(in: Set([1])) }
    check("optionals.@max < 5") { $0.optionals.contains(..<5) }
    check("(optionals.@min >= 1 AND optionals.@max < 5)") { $0.optionals.contains(1..<5) }
    check("ANY optionals[*] < 5") { $0.optionals.containsAny(in: ..<5) }
    check("SUBQUERY(optionals[*], $x, ($x >= 1 AND $x < 5)).@count > 0") {
      $0.optionals.containsAny(in: 1..<5)
    }
    check("ANY mixedList[*] == \"a\"") { $0.mixedList.contains("a") }
    check("ANY tags[*] LIKE \"a*\"") { $0.tags[.any].like("a*") }
    check("ANY itemMap[*] == NULL") { $0.itemMap.contains(nil) }
  }

  @Test func elementPropertiesAreAccessible() {
    check("ANY items[*].age > 3") { $0.items.age > 3 }
    check("ANY items[*].age > 3") { 3 < $0.items.age }
    check("ANY itemSet[*].name BEGINSWITH \"a\"") { $0.itemSet.name.starts(with: "a") }
    check("ANY itemMap[*].weight == NULL") { $0.itemMap.weight == nil }
    check("ANY items[*].age == id") { $0.items.age == $0.id }
    check("id < ANY items[*].age") { $0.id < $0.items.age }
    check("ANY items[*].isGood == TRUE") { $0.items.isGood }
    check("ANY items[*].parts[*] == 3") { $0.items.parts.contains(3) }
    check("ANY items[*].holders[*].name == \"a\"") { $0.items.holders.name == "a" }
    check("ANY favourite.holders[*].id IN {1, 2}") { $0.favourite.holders.id.in([1, 2]) }
    check("ANY items[*].age BETWEEN {1, 3}") { $0.items.age.contains(1...3) }
    check("SUBQUERY(items[*].age, $x, ($x >= 1 AND $x < 3)).@count > 0") {
      $0.items.age.contains(1..<3)
    }
  }

  @Test func aggregatesCreateAggregatePaths() {
    check("tags.@count > 3") { $0.tags.count > 3 }
    check("items.@count == id") { $0.items.count == $0.id }
    check("itemMap.@count == 0") { $0.itemMap.count == 0 }
    check("favourite.holders.@count > 1") { $0.favourite.holders.count > 1 }
    check("ratings.@min < 2.5") { $0.ratings.min < 2.5 }
    check("ratings.@max == NULL") { $0.ratings.max == nil }
    check("sizes.@sum == 5") { $0.sizes.sum == 5 }
    check("sizes.@avg > 2.5") { $0.sizes.avg > 2.5 }
    check("decimals.@avg > decimal(2.5)") { $0.decimals.avg > 2.5 }
    check("optionals.@max >= id") { $0.optionals.max >= $0.id }
    check("dates.@min == NULL") { $0.dates.min == nil }
    check("mixedList.@sum == 3") { $0.mixedList.sum == 3 }
    check("items.@min.age > 3") { $0.items.age.min > 3 }
    check("items.@max.age < items.@sum.age") { $0.items.age.max < $0.items.age.sum }
    check("items.@avg.weight < 2.5") { $0.items.weight.avg < 2.5 }
    check("itemMap.@sum.age BETWEEN {1, 3}") { $0.itemMap.age.sum.contains(1...3) }
    check("(items.@sum.age + 1) > items.@count") { $0.items.age.sum + 1 > $0.items.count }
    check("items[*].parts.@count == 3") { $0.items.parts.count == 3 }
  }

  @Test func quantifiersApplyToElements() {
    check("ANY items[*].age > 3") { $0.items.contains { $0.age > 3 } }
    check("ALL items[*].age > 3") { $0.items.allSatisfy { $0.age > 3 } }
    check("NONE items[*].name IN {\"a\"}") { $0.items.noneSatisfy { $0.name.in(["a"]) } }
    check("ALL tags[*] BEGINSWITH[c] \"a\"") {
      $0.tags.allSatisfy { $0.starts(with: "a", caseInsensitive: true) }
    }
    check("NONE sizes[*] > 3") { $0.sizes.noneSatisfy { $0 > 3 } }
    check("ALL favourite.holders[*].id > 3") { $0.favourite.holders.allSatisfy { $0.id > 3 } }
    let both = "($x.age > 3 AND $x.name == \"a\")"
    check("SUBQUERY(items[*], $x, \(both)).@count > 0") {
      $0.items.contains { $0.age > 3 && $0.name == "a" }
    }
    check("SUBQUERY(items[*], $x, NOT \(both)).@count == 0") {
      $0.items.allSatisfy { $0.age > 3 && $0.name == "a" }
    }
    check("SUBQUERY(items[*], $x, \(both)).@count == 0") {
      $0.items.noneSatisfy { $0.age > 3 && $0.name == "a" }
    }
    check("SUBQUERY(itemMap[*], $x, \(both)).@count >= 2") {
      $0.itemMap.count(where: { $0.age > 3 && $0.name == "a" }) >= 2
    }
    check("SUBQUERY(items[*], $x, NOT ANY $x.parts[*] == 3).@count == 0") {
      $0.items.allSatisfy { $0.parts.contains(3) }
    }
  }

  @Test func countCreatesSubquery() {
    check("SUBQUERY(items[*], $x, ($x.age > 3 AND $x.name == \"a\")).@count >= 2") {
      ($0.items.age > 3 && $0.items.name == "a").count >= 2
    }
    check("SUBQUERY(items[*], $x, $x.isGood == TRUE).@count == id") {
      $0.items.isGood.count == $0.id
    }
    check("SUBQUERY(items[*], $x, NOT $x.age > 3).@count == 0") { (!($0.items.age > 3)).count == 0 }
    check("SUBQUERY(items[*], $x, (ANY $x.parts[*] == 3 OR $x.parts.@count == 0)).@count == 1") {
      ($0.items.parts.contains(3) || $0.items.parts.count == 0).count == 1
    }
    check(
      "SUBQUERY(items[*], $x, SUBQUERY($x.age, $x, ($x >= 1 AND $x < 3)).@count > 0).@count == 1"
    ) {
      $0.items.age.contains(1..<3).count == 1
    }
    check("SUBQUERY(tags[*], $x, $x IN {\"a\", \"b\"}).@count == 2") {
      $0.tags.containsAny(in: ["a", "b"]).count == 2
    }
  }

  @Test func positionsKeysAndValuesAreAccessible() {
    check("tags[0] == \"a\"") { $0.tags[0] == "a" }
    check("tags[FIRST] == NULL") { $0.tags.first == nil }
    check("tags[LAST] BEGINSWITH \"a\"") { $0.tags.last.starts(with: "a") }
    check("optionals[2] == NULL") { $0.optionals[2] == nil }
    check("(optionals[2] + 1) > 3") { $0.optionals[2] + 1 > 3 }
    check("items[1].age > 3") { $0.items[1].age > 3 }
    check("items[FIRST] == favourite") { $0.items.first == $0.favourite }
    check("sizes[\"k\"] > 3") { $0.sizes["k"] > 3 }
    check("sizes[\"k\"] == NULL") { $0.sizes["k"] == nil }
    check("units[\"gram\"] == NULL") { $0.units[.gram] == nil }
    check("itemMap[\"k\"].age > 3") { $0.itemMap["k"].age > 3 }
    check("itemMap[\"k\"] != NULL") { $0.itemMap["k"] != nil }
    check("ANY sizes.@keys == \"k\"") { $0.sizes.keys == "k" }
    check("ANY units.@keys LIKE \"g*\"") { $0.units.keys.like("g*") }
    check("ANY sizes[*] > 3") { $0.sizes.values > 3 }
    check("ANY itemMap[*].age > 3") { $0.itemMap.values.age > 3 }
  }

  @Test func mixedValuesCompareWithEveryType() {
    let date = Date(timeIntervalSince1970: 0)
    check("mixed == 5") { $0.mixed == 5 }
    check("mixed == NULL") { $0.mixed == nil }
    check("mixed == NULL") { $0.mixed == .none }
    check("mixed != \"a\"") { $0.mixed != "a" }
    check("mixed < 2.5") { $0.mixed < 2.5 }
    check("mixed == TRUE") { $0.mixed == true }
    check("mixed > 1970-01-01@00:00:00") { $0.mixed > .date(date) }
    check("mixed IN {1, \"a\", NULL}") { $0.mixed.in([1, "a", .none]) }
    check("mixed BETWEEN {1, 5}") { $0.mixed.contains(1...5) }
    check("mixed >= \"a\"") { $0.mixed.contains("a"...) }
    check("mixed BETWEEN {1, 2.5}") { $0.mixed.between(1, 2.5) }
    check("mixed BEGINSWITH \"a\"") { $0.mixed.starts(with: "a") }
    check("mixed CONTAINS B64\"AQ==\"") { $0.mixed.contains(Data([1])) }
    check("mixed == id") { $0.mixed == $0.id.anyValue }
    check("mixed == favourite") { $0.mixed == $0.favourite.anyValue }
    check("(mixed * 2) > 5") { $0.mixed * 2 > 5 }
    check("mixed[\"k\"][0] == 5") { $0.mixed["k"][0] == 5 }
    check("mixed[LAST] == NULL") { $0.mixed.last == nil }
    check("ANY mixed[*] > 5") { $0.mixed[.any] > 5 }
    check("ANY mixed.@keys == \"k\"") { $0.mixed.keys == "k" }
    check("mixed.@count > 1") { $0.mixed.count > 1 }
    check("mixed.@type == \"int\"") { $0.mixed.typeName == "int" }
    check("ANY mixedList[*][\"k\"] == 5") { $0.mixedList[.any]["k"] == 5 }
    check("mixedList[0] == 5") { $0.mixedList[0] == 5 }
  }

  @Test func customPersistableTypesAreCompared() {
    check("temperature == 2.5") { $0.temperature == Celsius(degrees: 2.5) }
    check("temperature IN {2.5}") { $0.temperature.in([Celsius(degrees: 2.5)]) }
    check("temperature > 2.5") { $0.temperature.persistableValue > 2.5 }
    check("(temperature * 1.8) < id") { $0.temperature.persistableValue * 1.8 < $0.id }
  }
}

import Foundation
import Testing
import Varve

/// The results of typed queries over collections, compared with closures on the objects.
@Suite struct TypedCollectionQueryTests {
  @Test func containsMatchesElements() throws {
    try withHolders { check in
      try check({ $0.tags.contains("a") }, { $0.tags.contains("a") })
      try check({ $0.tags.contains($0.name) }, { $0.tags.contains($0.name) })
      try check(
        { $0.tags.containsAny(in: ["b", "É"]) }, { $0.tags.contains("b") || $0.tags.contains("É") })
      try check(
        { $0.ratings.containsAny(in: 1...1.5) },
        { $0.ratings.contains { (1...1.5).contains($0) } })
      try check({ $0.ratings.containsAny(in: 1..<1.5) }, { $0.ratings.contains(1) })
      try check({ $0.sizes.containsAny(in: 3...) }, { $0.sizes.values.contains { $0 >= 3 } })
      try check(
        { $0.optionals.containsAny(in: 2..<4) },
        { $0.optionals.contains { $0 == 2 || $0 == 3 } })
      // An empty collection matches no range; null is ignored.
      try check(
        { $0.ratings.contains(1...1.5) },
        { !$0.ratings.isEmpty && $0.ratings.allSatisfy { (1...1.5).contains($0) } })
      try check(
        { $0.ratings.contains(1..<1.5) },
        { !$0.ratings.isEmpty && $0.ratings.allSatisfy { (1..<1.5).contains($0) } })
      try check(
        { $0.sizes.contains(3...) },
        { !$0.sizes.isEmpty && $0.sizes.values.allSatisfy { $0 >= 3 } })
      try check({ $0.optionals.contains(nil) }, { $0.optionals.contains { $0 == nil } })
      try check(
        { $0.optionals.contains(2..<4) },
        { holder in
          let known = holder.optionals.compactMap(\.self)
          return !known.isEmpty && known.allSatisfy { (2..<4).contains($0) }
        })
      try check({ $0.tags[.any].ends(with: "b") }, { $0.tags.contains { $0.hasSuffix("b") } })
      let item = check.items[3]
      try check({ $0.items.contains(item) }, { $0.items.contains(item) })
      try check({ $0.itemSet.containsAny(in: [item]) }, { $0.itemSet.contains(item) })
      try check({ $0.itemMap.contains(nil) }, { $0.itemMap.values.contains { $0 == nil } })
      try check(
        { $0.itemMap.contains($0.favourite) },
        { holder in holder.itemMap.values.contains { $0?.number == holder.favourite?.number } })
    }
  }

  @Test func pathsTraverseCollections() throws {
    try withHolders { check in
      try check({ $0.items.age > 3 }, { $0.items.contains { $0.age > 3 } })
      try check({ $0.items.age != 3 }, { $0.items.contains { $0.age != 3 } })
      try check({ $0.items.weight == nil }, { $0.items.contains { $0.weight == nil } })
      try check({ $0.itemSet.isGood }, { $0.itemSet.contains { $0.isGood } })
      try check(
        { $0.itemMap.age == $0.id },
        { holder in holder.itemMap.values.contains { $0?.age == holder.id } })
      try check({ $0.items.parts.contains(3) }, { $0.items.contains { $0.parts.contains(3) } })
      try check(
        { $0.items.age.contains(2..<4) }, { $0.items.contains { (2..<4).contains($0.age) } })
      try check(
        { $0.favourite.holders.id == 3 },
        { $0.favourite?.holders.contains { $0.id == 3 } ?? false })
      try check(
        { $0.items.holders.name == "B" },
        { $0.items.contains { $0.holders.contains { $0.name == "B" } } })
    }
  }

  @Test func aggregatesMatchClosures() throws {
    try withHolders { check in
      try check({ $0.tags.count > 1 }, { $0.tags.count > 1 })
      try check({ $0.items.count == $0.id }, { $0.items.count == $0.id })
      try check({ $0.itemMap.count == 2 }, { $0.itemMap.count == 2 })
      try check(
        { $0.favourite.holders.count > 2 }, { ($0.favourite?.holders.count ?? 0) > 2 })
      try check({ $0.sizes.min == nil }, { $0.sizes.isEmpty })
      try check({ $0.sizes.max > 3 }, { $0.sizes.values.max() ?? 0 > 3 })
      try check({ $0.ratings.sum <= 1.5 }, { $0.ratings.reduce(0, +) <= 1.5 })
      try check({ $0.items.age.sum > 6 }, { $0.items.map(\.age).reduce(0, +) > 6 })
      try check({ $0.items.age.avg >= 3 }, { $0.items.average(of: \.age) ?? 0 >= 3 })
      try check({ $0.items.weight.min < 1 }, { $0.items.compactMap(\.weight).min() ?? 1 < 1 })
      try check({ $0.optionals.sum == 5 }, { $0.optionals.compactMap(\.self).reduce(0, +) == 5 })
      try check({ $0.decimals.avg > 2 }, { $0.decimals.average() ?? 0 > 2 })
      try check(
        { $0.dates.max == Date(timeIntervalSince1970: 4) },
        { $0.dates.max() == Date(timeIntervalSince1970: 4) })
      try check(
        { $0.items.age.sum - $0.id > $0.items.count },
        { $0.items.map(\.age).reduce(0, +) - $0.id > $0.items.count })
      try check(
        { $0.items.parts.count > 3 }, { $0.items.map(\.parts.count).reduce(0, +) > 3 })
    }
  }

  @Test func quantifiersMatchClosures() throws {
    try withHolders { check in
      try check(
        { $0.items.contains { $0.age > 3 && $0.isGood } },
        { $0.items.contains { $0.age > 3 && $0.isGood } })
      try check({ $0.items.allSatisfy { $0.age > 1 } }, { $0.items.allSatisfy { $0.age > 1 } })
      try check(
        { $0.items.allSatisfy { $0.age > 1 || $0.isGood } },
        { $0.items.allSatisfy { $0.age > 1 || $0.isGood } })
      try check(
        { $0.items.noneSatisfy { $0.age > 3 } }, { !$0.items.contains { $0.age > 3 } })
      try check(
        { $0.items.noneSatisfy { $0.parts.contains(3) } },
        { !$0.items.contains { $0.parts.contains(3) } })
      try check({ $0.tags.allSatisfy { $0 < "b" } }, { $0.tags.allSatisfy { $0 < "b" } })
      try check(
        { $0.sizes.noneSatisfy { $0 == 2 } }, { !$0.sizes.values.contains(2) })
      try check(
        { $0.itemMap.allSatisfy { $0.age > 2 } },
        { $0.itemMap.values.allSatisfy { $0?.age ?? 0 > 2 } })
      try check(
        { $0.itemMap.allSatisfy { $0.age > 2 && $0.isGood } },
        { $0.itemMap.values.allSatisfy { $0.map { $0.age > 2 && $0.isGood } ?? false } })
      try check(
        { $0.items.count(where: { $0.isGood }) == 1 },
        { $0.items.filter(\.isGood).count == 1 })
      try check(
        { $0.items.contains { $0.holders.allSatisfy { $0.id < 6 } } },
        { $0.items.contains { $0.holders.allSatisfy { $0.id < 6 } } })
    }
  }

  @Test func subqueryCountsMatchClosures() throws {
    try withHolders { check in
      try check(
        { ($0.items.age > 2 && $0.items.isGood).count >= 1 },
        { $0.items.contains { $0.age > 2 && $0.isGood } })
      try check(
        { ($0.items.age > 2 || !$0.items.isGood).count == $0.id },
        { $0.items.filter { $0.age > 2 || !$0.isGood }.count == $0.id })
      try check(
        { ($0.items.parts.contains(3) && $0.items.parts.count == 2).count == 1 },
        { $0.items.filter { $0.parts.contains(3) && $0.parts.count == 2 }.count == 1 })
      try check(
        { ($0.items.age.contains(1..<3) && $0.items.weight != nil).count == 1 },
        { $0.items.filter { (1..<3).contains($0.age) && $0.weight != nil }.count == 1 })
      try check(
        { $0.sizes.containsAny(in: 3...).count == 1 },
        { $0.sizes.values.filter { $0 >= 3 }.count == 1 })
    }
  }

  @Test func positionsAndKeysMatchClosures() throws {
    try withHolders { check in
      try check({ $0.tags[1] == "a" }, { $0.tags.count > 1 && $0.tags[1] == "a" })
      try check({ $0.tags.first == nil }, { $0.tags.isEmpty })
      try check({ $0.tags.last == "b" }, { $0.tags.last == "b" })
      try check({ $0.items[0].age > 3 }, { $0.items.first?.age ?? 0 > 3 })
      try check(
        { $0.items.first == $0.favourite }, { $0.items.first?.number == $0.favourite?.number })
      try check({ $0.items.last.parts.contains(3) }, { $0.items.last?.parts.contains(3) ?? false })
      try check({ $0.optionals[0] == nil }, { $0.optionals.isEmpty || $0.optionals[0] == nil })
      try check({ $0.sizes["k"] > 2 }, { $0.sizes["k"] ?? 0 > 2 })
      try check({ $0.sizes["k"] == nil }, { $0.sizes["k"] == nil })
      try check(
        { $0.sizes["k"] < $0.sizes["l"] },
        { holder in
          guard let k = holder.sizes["k"], let l = holder.sizes["l"] else { return false }
          return k < l
        })
      try check({ $0.itemMap["0"].isGood }, { $0.itemMap["0"]??.isGood ?? false })
      try check({ $0.sizes.keys == "l" }, { $0.sizes.keys.contains("l") })
      try check({ $0.sizes.values == 2 }, { $0.sizes.values.contains(2) })
      try check({ $0.sizes.keys.in(["k", "m"]) }, { $0.sizes["k"] != nil || $0.sizes["m"] != nil })
    }
  }
}

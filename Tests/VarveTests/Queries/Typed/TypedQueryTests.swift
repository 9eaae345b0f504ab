import Foundation
import Testing
import Varve

/// The results of each spelling of a typed query, compared with closures on the objects.
@Suite struct TypedQueryTests {
  @Test func propertiesAreComparedWithEachOther() throws {
    try withHolders { check in
      try check({ $0.id < $0.favourite.age }, { $0.id < $0.favourite?.age ?? -1 })
      try check({ $0.id == $0.favourite.age }, { $0.id == $0.favourite?.age })
      try check({ $0.id != $0.favourite.age }, { $0.id != $0.favourite?.age })
      try check({ 3 < $0.id }, { $0.id > 3 })
      try check({ $0.name == $0.favourite.name }, { $0.name == $0.favourite?.name })
      try check(
        { $0.name.starts(with: $0.favourite.name, options: .caseInsensitive) },
        { holder in
          guard let name = holder.favourite?.name, !name.isEmpty else { return false }
          return holder.name.lowercased().hasPrefix(name.lowercased())
        })
      try check(
        { $0.favourite.weight > $0.id },
        { $0.favourite?.weight ?? -1 > Double($0.id) })
      try check(
        { $0.favourite.isGood == ($0.id > 3) },
        { holder in holder.favourite.map { $0.isGood == (holder.id > 3) } ?? false })
      try check({ $0.mixed == $0.id.anyValue }, { $0.mixed == .int($0.id) })
    }
  }

  @Test func arithmeticIsEvaluated() throws {
    try withHolders { check in
      try check({ $0.id + 1 == 3 }, { $0.id + 1 == 3 })
      try check({ 10 - $0.id * 2 > 3 }, { 10 - $0.id * 2 > 3 })
      try check({ $0.id / 2 == 1 }, { $0.id / 2 == 1 })
      try check({ $0.id * 0.5 == 1.5 }, { Double($0.id) * 0.5 == 1.5 })
      try check({ 6 / $0.id >= 2 }, { $0.id != 0 && 6 / $0.id >= 2 })
      try check(
        { $0.id * $0.favourite.weight > 3 }, { Double($0.id) * ($0.favourite?.weight ?? -1) > 3 })
      try check({ $0.id + $0.favourite.weight == nil }, { $0.favourite?.weight == nil })
      try check(
        { $0.temperature.persistableValue - 1 < $0.id },
        { $0.temperature.degrees - 1 < Double($0.id) })
    }
  }

  @Test func rangesAreClosedOrHalfOpen() throws {
    try withHolders { check in
      try check({ $0.id.contains(2...4) }, { (2...4).contains($0.id) })
      try check({ $0.id.contains(2..<4) }, { (2..<4).contains($0.id) })
      try check({ $0.id.contains(2..<2) }, { _ in false })
      try check({ $0.id.contains(4...) }, { $0.id >= 4 })
      try check({ $0.id.contains(...4) }, { $0.id <= 4 })
      try check({ $0.id.contains(..<4) }, { $0.id < 4 })
      try check({ $0.id.between(2, 4) }, { (2...4).contains($0.id) })
      try check({ $0.id.between(4, 2) }, { _ in false })
      try check(
        { $0.favourite.weight.contains(1..<3) },
        { ($0.favourite?.weight).map { (1..<3).contains($0) } ?? false })
      try check({ $0.id.in(2...4) }, { (2...4).contains($0.id) })
      try check({ $0.favourite.weight.in(Set([1.5])) }, { $0.favourite?.weight == 1.5 })
      try check(
        { $0.favourite.weight.in([1.5, nil]) },
        { $0.favourite?.weight == 1.5 || $0.favourite?.weight == nil })
      try check({ $0.mixed.contains(1...5) }, { $0.mixed == 5 || $0.mixed == 2.5 })
    }
  }

  @Test func stringsAreComparedInsensitively() throws {
    try withHolders { check in
      try check({ $0.name.equals("b", caseInsensitive: true) }, { $0.name == "B" })
      try check({ $0.name.notEquals("b", options: .caseInsensitive) }, { $0.name != "B" })
      try check({ $0.name.equals("e", options: .diacriticInsensitive) }, { $0.name == "é" })
      try check({ $0.name.like("a*") }, { $0.name.hasPrefix("a") })
      try check({ $0.name.like("?") }, { $0.name.count == 1 })
      try check({ $0.name.matches("[aB]b?") }, { $0.name != "é" })
      try check(
        { $0.name.ends(with: "B", caseInsensitive: true) }, { ["ab", "B"].contains($0.name) })
      try check(
        {
          $0.tags.contains { $0.equals("E", options: [.caseInsensitive, .diacriticInsensitive]) }
        },
        { $0.tags.contains("É") })
    }
  }

  @Test func mixedValuesAreQueried() throws {
    try withHolders { check in
      try check({ $0.mixed == 5 }, { $0.mixed == 5 })
      try check({ $0.mixed == nil }, { $0.mixed == .none })
      try check({ $0.mixed.in([5, "ab", .none]) }, { [5, "ab", .none].contains($0.mixed) })
      try check({ $0.mixed > 2.5 }, { $0.mixed == 5 })
      try check({ $0.mixed.ends(with: "b") }, { $0.mixed == "ab" })
      try check({ $0.mixed.starts(with: Data([1])) }, { $0.mixed == .data(Data([1, 2])) })
      try check({ $0.mixed["k"][0] == 1 }, { $0.mixed.dictionaryValue != nil })
      try check({ $0.mixed[0] == 3 }, { $0.mixed.listValue != nil })
      try check({ $0.mixed.last == "a" }, { $0.mixed.listValue != nil })
      try check({ $0.mixed[.any] == "a" }, { $0.mixed.listValue != nil })
      try check({ $0.mixed.keys == "k" }, { $0.mixed.dictionaryValue != nil })
      try check({ $0.mixed.count == 2 }, { $0.mixed.listValue != nil })
      try check({ $0.mixed.typeName == "string" }, { $0.mixed == "ab" })
      try check({ $0.mixed * 2 == 10 }, { $0.mixed == 5 })
      try check(
        { $0.mixedList.contains(.none) }, { $0.mixedList.contains { $0 == .none } })
    }
  }
}

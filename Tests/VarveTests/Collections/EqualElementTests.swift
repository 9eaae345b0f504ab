import Foundation
import Testing
import Varve
import VarveEncoding
import VarveTestSupport

/// Numbers that are equal, and have other bytes than the stored ones.
@Suite struct EqualElementTests {
  @Test(arguments: [1, 200])
  func equalElementReplacesStoredOne(count: Int) throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    let realm = try store.open()
    let rates = Rates()
    for index in 0..<count {
      rates.doubles.append(-0.0)
      rates.decimals.append(1)
      rates.mixed.append(.float(-0.0))
      rates.byName["k\(index)"] = -0.0
      rates.decimalsByName["k\(index)"] = 1
    }
    try realm.write { realm.add(rates) }
    let last = count - 1
    let token = try rates.observe { _ in }
    defer { token.invalidate() }
    let inside = try realm.write {
      rates.doubles[last] = 0.0
      rates.decimals[last] = try Decimal128(string: "1.00")
      rates.mixed[last] = .float(0.0)
      rates.byName["k\(last)"] = 0.0
      rates.decimalsByName["k\(last)"] = try Decimal128(string: "1.00")
      return rates.doubles[last].sign
    }
    #expect(inside == .plus)
    for rates in [rates, rates.freeze()] {
      #expect(rates.doubles[last].sign == .plus && rates.byName["k\(last)"]?.sign == .plus)
      #expect(rates.decimals[last].bits.description == "1.00")
      #expect(rates.decimalsByName["k\(last)"]?.bits.description == "1.00")
      guard case .float(let mixed) = rates.mixed[last] else {
        Issue.record("\(rates.mixed[last])")
        continue
      }
      #expect(mixed.sign == .plus)
    }
    try store.check()
  }

  @Test(arguments: [1, 200])
  func equalNumberOfAnotherTypeReplacesStoredOne(count: Int) throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    let realm = try store.open()
    let rates = Rates()
    rates.any = .int(5)
    for index in 0..<count {
      rates.mixed.append(.int(5))
      rates.mixedByName["k\(index)"] = .int(5)
    }
    try realm.write { realm.add(rates) }
    let last = count - 1
    for number in [AnyRealmValue.double(5), .decimal128(5), .float(5), .int(5)] {
      try realm.write {
        rates.any = number
        rates.mixed[last] = number
        rates.mixedByName["k\(last)"] = number
      }
      for value in [rates.any, rates.mixed[last], rates.mixedByName["k\(last)"] ?? .none] {
        #expect(nameOfType(value) == nameOfType(number))
      }
    }
    try store.check()
  }
}

private func nameOfType(_ value: AnyRealmValue) -> String {
  switch value {
  case .int: "int"
  case .float: "float"
  case .double: "double"
  case .decimal128: "decimal128"
  default: "another"
  }
}

@Model final class Rates: Object {
  @Persisted var doubles: List<Double>
  @Persisted var decimals: List<Decimal128>
  @Persisted var mixed: List<AnyRealmValue>
  @Persisted var mixedByName: Map<String, AnyRealmValue>
  @Persisted var any: AnyRealmValue
  @Persisted var byName: Map<String, Double>
  @Persisted var decimalsByName: Map<String, Decimal128>
}

import CLMDB
import Testing
import VarveStorage
import VarveTestSupport

/// Searches of integer keys with many distributions, since a search estimates the position of a key
/// from the positions of others.
@Suite struct IntegerSearchTests {
  private static let spreads = ["dense", "gaps", "random", "clusters", "powers", "edges"]

  @Test(arguments: spreads) func searchesFindExistingKeys(spread: String) throws {
    var random = SeededRandom()
    let keys = Self.keys(spread, &random)
    let seed = random.seed
    try withStore { environment, _ in
      try environment.write { transaction in
        _ = try transaction.openTable(dogs, create: true)
        for key in keys { try transaction.put(dogs, id: key, [UInt8(truncatingIfNeeded: key)]) }
      }
      let snapshot = try environment.snapshot()
      let known = Set(keys)
      var queries: [UInt64] = [0, 1, .max / 2, .max / 2 + 1, .max - 1, .max]
      for key in keys { queries += [key, key &- 1, key &+ 1] }
      for _ in 0..<200 { queries.append(UInt64.random(in: 0...UInt64.max, using: &random)) }
      var cursor = snapshot.cursor(dogs)
      for id in queries {
        let found = snapshot.bytes(dogs, id: id)
        check((found != nil) == known.contains(id), "\(spread) \(id), seed \(seed)")
        if let found { check(found == [UInt8(truncatingIfNeeded: id)], "\(spread) \(id)") }
        let next = Self.first(keys, from: id)
        check(cursor.seek(id: id) == (next != nil), "\(spread) \(id), seed \(seed)")
        if let next { check(cursor.id == next, "\(spread) \(id), seed \(seed)") }
      }
    }
  }

  /// Distinct keys in ascending order.
  private static func keys(_ spread: String, _ random: inout SeededRandom) -> [UInt64] {
    let numbers = UInt64(0)..<4000
    let keys: [UInt64] =
      switch spread {
      case "dense": numbers.map { 1 << 63 + $0 }
      case "gaps": numbers.filter { _ in random.below(3) > 0 }.map { $0 + 7 }
      case "random": numbers.map { _ in UInt64.random(in: 0...UInt64.max, using: &random) }
      case "clusters": numbers.map { ($0 / 50) * ($0 / 50) << 40 + $0 }
      case "powers": numbers.map { 1 << ($0 % 64) + $0 / 64 }
      default: numbers.map { $0 < 2000 ? $0 : UInt64.max - (4000 - $0) + 1 }
      }
    return Set(keys).sorted()
  }

  private static func first(_ keys: [UInt64], from id: UInt64) -> UInt64? {
    var low = 0
    var high = keys.count
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low < keys.count ? keys[low] : nil
  }
}

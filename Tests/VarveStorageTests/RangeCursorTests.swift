import Testing
import VarveStorage
import VarveTestSupport

@Suite struct RangeCursorTests {
  /// Keys that share prefixes, in a tree of several levels.
  private func keys(_ count: Int, _ random: inout SeededRandom) -> [[UInt8]] {
    var keys: Set<[UInt8]> = []
    while keys.count < count {
      keys.insert(
        (0..<random.int(2...5)).map { _ in UInt8(random.below(12)) }
          + [UInt8](repeating: 7, count: random.below(60)))
    }
    return keys.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private func isBelow(_ key: [UInt8], _ bound: [UInt8]?) -> Bool {
    bound.map { key.lexicographicallyPrecedes($0) } ?? true
  }

  private func walk(
    _ reader: any TableReader, _ lower: [UInt8]?, _ upper: [UInt8]?, isForward: Bool
  ) -> [[UInt8]] {
    var found: [[UInt8]] = []
    var cursor = RangeCursor(reader, .indexes, lower: lower, upper: upper, isForward: isForward)
    while cursor.advance() { found.append(Array(cursor.key)) }
    let goesOn = cursor.advance()
    #expect(!goesOn)
    return found
  }

  private func count(_ reader: any TableReader, _ lower: [UInt8], _ upper: [UInt8]?) -> (Int, Int) {
    withKeys(from: lower, below: upper) {
      (reader.countRange(.indexes, $0), reader.estimateRange(.indexes, $0))
    }
  }

  @Test func rangesContainKeysBetweenBounds() throws {
    var random = SeededRandom()
    try withStore { environment, _ in
      let all = keys(4000, &random)
      func check(_ reader: any TableReader, _ random: inout SeededRandom) {
        for _ in 0..<100 {
          let lower = random.oneIn(10) ? nil : random.pick(all).dropLast(random.below(3))
          let upper = random.oneIn(10) ? nil : random.pick(all).dropLast(random.below(3))
          let expected = all.filter { key in
            !isBelow(key, lower.map(Array.init) ?? []) && isBelow(key, upper.map(Array.init))
          }
          let (low, high) = (lower.map(Array.init), upper.map(Array.init))
          #expect(walk(reader, low, high, isForward: true) == expected, "\(random)")
          #expect(walk(reader, low, high, isForward: false) == expected.reversed(), "\(random)")
          let (count, estimate) = count(reader, low ?? [], high)
          #expect(count == expected.count, "\(random)")
          #expect((estimate > 0) == (count > 0), "\(random)")
          #expect(estimate <= all.count, "\(random)")
        }
      }
      let snapshot = try environment.write { transaction in
        for key in all { try transaction.put(.indexes, key: key, [1]) }
        check(transaction, &random)
      }
      check(snapshot, &random)
    }
  }

  @Test func estimatesOfLongRangesAreClose() throws {
    var random = SeededRandom()
    try withStore { environment, _ in
      let numbers = (0..<60_000).map { _ in UInt32(truncatingIfNeeded: random.next()) }
      let snapshot = try environment.write { transaction in
        for number in numbers {
          try transaction.put(
            .indexes, key: withUnsafeBytes(of: number.bigEndian) { Array($0) }, [1, 2, 3])
        }
      }
      for _ in 0..<50 {
        let bounds = [
          UInt32(truncatingIfNeeded: random.next()), .init(truncatingIfNeeded: random.next()),
        ]
        .sorted().map { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
        let (exact, estimate) = count(snapshot, bounds[0], bounds[1])
        #expect(abs(Double(estimate - exact)) <= 200 + Double(exact) * 0.3, "\(random)")
      }
    }
  }

  @Test func forwardSeekAgreesWithSeek() throws {
    var random = SeededRandom()
    try withStore { environment, _ in
      let all = keys(3000, &random)
      let snapshot = try environment.write { transaction in
        for key in all { try transaction.put(.indexes, key: key, []) }
      }
      for step in [1, 10, 300, 2000] {
        var cursor = snapshot.cursor(.indexes)
        var index = 0
        while index < all.count {
          let key = Array(all[index].dropLast(random.below(2)))
          let isPresent = key.withUnsafeBytes { cursor.seekForward(key: $0) }
          #expect(isPresent)
          let expected = all.first { !$0.lexicographicallyPrecedes(key) }
          let found = Array(cursor.key)
          // A cursor past the key stays.
          #expect(found == expected || !found.lexicographicallyPrecedes(key), "\(random)")
          index += random.int(1...step)
        }
        let isPresent = [UInt8(200)].withUnsafeBytes { cursor.seekForward(key: $0) }
        #expect(!isPresent)
      }
    }
  }
}

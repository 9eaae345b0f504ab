import Testing
import VarveTestSupport

@testable import VarveStorage

/// Ranges that a write transaction reads after changing them, compared with a dictionary.
@Suite struct ChangedRangeTests {
  /// A table with byte keys and one with integer keys, and their expected contents.
  private struct Model {
    var keys: [[UInt8]: [UInt8]] = [:]
    var rows: [UInt64: [UInt8]] = [:]
  }

  private func key(_ random: inout SeededRandom) -> [UInt8] {
    (0..<random.int(2...5)).map { _ in UInt8(random.below(12)) }
      + [UInt8](repeating: 7, count: random.below(60))
  }

  private func change(
    _ model: inout Model, _ transaction: WriteTransaction, _ random: inout SeededRandom
  ) throws {
    let value = random.bytes(random.oneIn(20) ? 3000 : random.below(40))
    let isOld = random.oneIn(2)
    let known = isOld ? random.element(Array(model.keys.keys.prefix(300))) : nil
    let key = known ?? key(&random)
    let id =
      random.oneIn(3) ? model.rows.keys.max().map { $0 + 1 } ?? 0 : UInt64(random.below(5000))
    switch random.below(6) {
    case 0:
      model.keys[key] = nil
      _ = try key.withUnsafeBytes { try transaction.delete(.indexes, key: $0) }
    case 1:
      model.rows[id] = nil
      try transaction.delete(dogs, id: id)
    case 2, 3:
      model.keys[key] = value
      try transaction.put(.indexes, key: key, value)
    default:
      model.rows[id] = value
      try transaction.put(dogs, id: id, value, append: random.oneIn(2))
    }
  }

  private func check(
    _ reader: any TableReader, _ model: Model, _ random: inout SeededRandom, times: Int = 6
  ) {
    let keys = model.keys.keys.sorted { $0.lexicographicallyPrecedes($1) }
    let ids = model.rows.keys.sorted()
    for _ in 0..<times {
      let lower = random.oneIn(4) ? nil : key(&random)
      let upper = random.oneIn(4) ? nil : key(&random)
      let expected = keys.filter { key in
        !(lower.map { key.lexicographicallyPrecedes($0) } ?? false)
          && (upper.map { key.lexicographicallyPrecedes($0) } ?? true)
      }
      #expect(walk(reader, lower, upper, isForward: true) == expected, "\(random)")
      #expect(walk(reader, lower, upper, isForward: false) == expected.reversed(), "\(random)")
      checkValues(reader, lower, upper, model)
      let (count, estimate) = counts(reader, lower, upper)
      #expect(count == expected.count, "\(random)")
      #expect((estimate > 0) == (count > 0), "\(random)")

      let first = UInt64(random.below(6000))
      let end = random.oneIn(4) ? nil : UInt64(random.below(6000))
      let rows = ids.filter { $0 >= first && $0 < end ?? .max }
      #expect(reader.countRange(dogs, .ids(from: first, below: end)) == rows.count, "\(random)")
      let rowEstimate = reader.estimateRange(dogs, .ids(from: first, below: end))
      #expect((rowEstimate > 0) == !rows.isEmpty, "\(random)")
      if first < end ?? .max {
        checkRows(reader, first...(end.map { $0 - 1 } ?? .max), rows)
        for id in rows { #expect(reader.bytes(dogs, id: id) == model.rows[id]) }
      }
    }
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

  private func checkValues(
    _ reader: any TableReader, _ lower: [UInt8]?, _ upper: [UInt8]?, _ model: Model
  ) {
    var cursor = RangeCursor(reader, .indexes, lower: lower, upper: upper)
    while cursor.advance() {
      let (key, value) = (Array(cursor.key), Array(cursor.value))
      #expect(model.keys[key] == value)
    }
  }

  private func counts(_ reader: any TableReader, _ lower: [UInt8]?, _ upper: [UInt8]?) -> (Int, Int)
  {
    withKeys(from: lower, below: upper) {
      (reader.countRange(.indexes, $0), reader.estimateRange(.indexes, $0))
    }
  }

  private func checkRows(
    _ reader: any TableReader, _ ids: ClosedRange<UInt64>, _ expected: [UInt64]
  ) {
    #expect(reader.ids(dogs, in: ids) == expected)
    guard let rows = reader.pagedRows(dogs, ids: ids) else { return }
    #expect(rows.changedIDs == rows.changedIDs.sorted())
    let changed = Set(rows.changedIDs)
    var found = rows.changedIDs.filter { reader.find(dogs, id: $0) != nil }
    found += rows.snapshot.ids(dogs, in: ids).filter { !changed.contains($0) }
    #expect(found.sorted() == expected)
  }

  @Test(arguments: [0, 40, 3000])
  func readsAfterEachChangeMatchModel(_ size: Int) throws {
    var random = SeededRandom()
    print(random)
    try withStore { environment, _ in
      var model = Model()
      try environment.write { transaction in
        _ = try transaction.openTable(dogs, create: true)
        for _ in 0..<size {
          model.keys[key(&random)] = [1]
          model.rows[UInt64(random.below(5000))] = [2]
        }
        for (key, value) in model.keys { try transaction.put(.indexes, key: key, value) }
        for (id, value) in model.rows { try transaction.put(dogs, id: id, value) }
      }
      for _ in 0..<3 {
        var changed = model
        let snapshot = try environment.write { transaction in
          check(transaction, changed, &random, times: 1)
          for changes in [1, 1, 3, 30, 1, 200, 1] {
            for _ in 0..<changes { try change(&changed, transaction, &random) }
            check(transaction, changed, &random)
          }
        }
        model = changed
        check(snapshot, model, &random)
      }
    }
  }

  @Test func rolledBackNestedTransactionLeavesNothing() throws {
    var random = SeededRandom()
    print(random)
    try withStore { environment, _ in
      var model = Model()
      try environment.write { transaction in
        _ = try transaction.openTable(dogs, create: true)
        for _ in 0..<2000 { try change(&model, transaction, &random) }
      }
      try environment.write { transaction in
        _ = try transaction.openTable(dogs, create: false)
        for _ in 0..<20 {
          for _ in 0..<10 { try change(&model, transaction, &random) }
          if random.oneIn(2) { check(transaction, model, &random, times: 2) }
          try transaction.beginNested()
          var nested = model
          for _ in 0..<10 { try change(&nested, transaction, &random) }
          if random.oneIn(2) { check(transaction, nested, &random, times: 2) }
          if random.oneIn(2) {
            try transaction.commitNested()
            model = nested
          } else {
            try transaction.abortNested()
          }
          check(transaction, model, &random, times: 2)
        }
      }
    }
  }

  @Test func unchangedEntriesAreReadFromPagesAfterFewChanges() throws {
    try withStore { environment, _ in
      func key(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255)] }
      try environment.write { transaction in
        _ = try transaction.openTable(dogs, create: true)
        for number in 0..<4000 {
          try transaction.put(.indexes, key: key(number), [1])
          try transaction.put(dogs, id: UInt64(number), [1], append: true)
        }
      }
      try environment.write { transaction in
        for number in stride(from: 0, to: 4000, by: 40) {
          try transaction.put(.indexes, key: key(number), [2])
          try transaction.put(dogs, id: UInt64(number), [2])
        }
        #expect(transaction.pagedRows(dogs, ids: 0...UInt64.max)?.changedIDs.count == 100)
        let all = transaction.changedEntries(.indexes, lower: nil, upper: nil, isForward: true)
        #expect(all != nil)
        // A table of which most has changed is read through LMDB completely.
        for number in 0..<4000 {
          try transaction.put(.indexes, key: key(number), [3])
          try transaction.put(dogs, id: UInt64(number), [3])
        }
        #expect(transaction.pagedRows(dogs, ids: 0...UInt64.max) == nil)
        let most = transaction.changedEntries(.indexes, lower: nil, upper: nil, isForward: true)
        #expect(most == nil)
      }
    }
  }

  @Test func changesBeyondRecordedLimitAreReadThroughLMDB() throws {
    try withStore { environment, _ in
      try environment.write { transaction in
        _ = try transaction.openTable(dogs, create: true)
        let count = ChangedKeys.maximumCount + 10
        for id in 0..<count { try transaction.put(dogs, id: UInt64(id), [1], append: true) }
        #expect(transaction.pagedRows(dogs, ids: 0...UInt64.max) == nil)
        #expect(transaction.countRange(dogs, .ids(from: 5, below: nil)) == count - 5)
        try transaction.deleteAll(dogs)
        #expect(transaction.countRange(dogs, .ids(from: 0, below: nil)) == 0)
      }
    }
  }
}

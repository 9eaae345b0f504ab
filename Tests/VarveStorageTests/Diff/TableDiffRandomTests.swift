import Testing
import VarveStorage
import VarveTestSupport

/// Diffs of random histories, compared with a model of each version and with a walk over all
/// entries.
@Suite struct TableDiffRandomTests {
  @Test func diffsTransformAnyVersionIntoAnyOther() throws {
    try withStore { environment, _ in
      var history = try DiffHistory(environment)
      let seed = history.random.seed
      print("VARVE_SEED=\(seed)")
      while history.stepCount < 3000 {
        let count = history.entries.count
        try history.advance(environment)
        let last = history.entries.count - 1
        guard last == count else { continue }
        let first = history.chance(0...(last - 1))
        let second = history.chance((first + 1)...last)
        for (old, new) in [(last - 1, last), (first, second), (second, first)] {
          for table in DiffHistory.tables {
            try compare(&history, old, new, table, "seed \(seed), step \(history.stepCount)")
          }
        }
        while history.entries.count > 1 + history.chance(1...6) { history.forget() }
      }
    }
  }

  /// Compares two versions with every method.
  private func compare(
    _ history: inout DiffHistory, _ first: Int, _ second: Int, _ table: Table, _ comment: String
  ) throws {
    let old = history.entries[first]
    let new = history.entries[second]
    let changes = try old.snapshot.recordedChanges(to: new.snapshot, in: table)
    let before = old.model[table] ?? [:]
    let after = new.model[table] ?? [:]
    var expected = 0
    for key in history.written(table, first, second) where !isSame(before[key], after[key]) {
      expected += 1
    }
    // Every change is an expected one and none occurs twice, so the changes are complete.
    var isRight = changes.count == expected
    for (index, change) in changes.enumerated() {
      isRight =
        isRight && isSame(change.old, before[change.key]) && isSame(change.new, after[change.key])
        && !isSame(change.old, change.new)
        && (index == 0 || precedes(changes[index - 1].key, change.key, in: table))
    }
    #expect(isRight, "\(comment), \(table.name), \(changes.count) of \(expected)")
    if !old.snapshot.mayDiffer(from: new.snapshot, in: table) { #expect(changes.isEmpty) }
    let walked = try old.snapshot.walkedChanges(to: new.snapshot, in: table)
    check(changes == walked, "\(comment), \(table.name)")

    var from = history.randomKey(table)
    var below = history.randomKey(table)
    if !changes.isEmpty {
      // Bounds at changed keys are the best test of a range.
      if history.chance(0...2) == 0 { from = changes[history.chance(0...(changes.count - 1))].key }
      if history.chance(0...2) == 0 { below = changes[history.chance(0...(changes.count - 1))].key }
    }
    if history.chance(0...7) > 0, precedes(below, from, in: table) { swap(&from, &below) }
    let hasEnd = history.chance(0...4) > 0
    let inside = changes.filter {
      !precedes($0.key, from, in: table) && (!hasEnd || precedes($0.key, below, in: table))
    }
    try withRange(table, from, hasEnd ? below : nil) { range in
      let found = try old.snapshot.recordedChanges(to: new.snapshot, in: table, range)
      check(found == inside, "\(comment), \(table.name), \(from) to \(below)")
      let walked = try old.snapshot.walkedChanges(to: new.snapshot, in: table, range)
      check(walked == inside, "\(comment), \(table.name), \(from) to \(below)")
    }
  }

  private func withRange(
    _ table: Table, _ from: [UInt8], _ below: [UInt8]?, _ body: (KeyRange) throws -> Void
  ) throws {
    guard table.hasIntegerKeys else { return try withKeys(from: from, below: below, body) }
    func id(_ key: [UInt8]) -> UInt64 { key.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) } }
    try body(.ids(from: id(from), below: below.map(id)))
  }
}

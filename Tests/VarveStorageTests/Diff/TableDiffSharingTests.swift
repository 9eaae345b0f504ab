import Testing
import VarveStorage

/// The cost of a diff, and the conditions under which page numbers are comparable.
@Suite struct TableDiffSharingTests {
  @Test func onlyDifferingPagesAreRead() throws {
    try withStore { environment, _ in
      _ = try putRows(environment, 0..<30_000)
      let old = try environment.write { try $0.put(.lists, key: "a", "b") }
      let other = try environment.write { try $0.put(.lists, key: "a", "c") }
      var unchanged = try old.changes(to: other, in: dogs)
      #expect(try unchanged.count() == 0)
      #expect(unchanged.pagesRead == 0)

      let one = try environment.write { try $0.put(dogs, id: 15_000, [1]) }
      var single = try other.changes(to: one, in: dogs)
      #expect(try single.count() == 1)
      // Three levels, in two versions.
      #expect(single.pagesRead <= 6)

      let ten = try environment.write { transaction in
        for id in UInt64(0)..<10 { try transaction.put(dogs, id: id * 3000, [1, 2]) }
      }
      var several = try old.changes(to: ten, in: dogs)
      #expect(try several.count() == 10)
      #expect(several.pagesRead <= 60)
      var back = try ten.changes(to: old, in: dogs)
      #expect(try back.count() == 10)
      #expect(back.pagesRead == several.pagesRead)
    }
  }

  @Test func rangeReadsOnlyItsPages() throws {
    try withStore { environment, _ in
      let old = try putRows(environment, 0..<20_000)
      let new = try environment.write { transaction in
        for id in UInt64(0)..<20_000 { try transaction.put(dogs, id: id, [1]) }
      }
      var changes = try old.changes(to: new, in: dogs, .ids(from: 10_000, below: 10_002))
      #expect(try changes.count() == 2)
      #expect(changes.pagesRead <= 10)
    }
  }

  /// A tree grows by a level above pages that it shares with the old tree.
  @Test func pagesAreSharedAcrossDepths() throws {
    try withStore { environment, _ in
      var old = try putRows(environment, 0..<10)
      var next: UInt64 = 10
      var grown = 0
      // Each commit adds few rows at the end: one of them splits the root.
      while next < 16_000 {
        let new = try environment.write { transaction in
          for id in next..<(next + 100) {
            try transaction.put(dogs, id: id, rowContent(id), append: true)
          }
        }
        next += 100
        var changes = try old.changes(to: new, in: dogs)
        #expect(try changes.count() == 100)
        grown = max(grown, changes.pagesRead)
        var back = try new.changes(to: old, in: dogs)
        #expect(try back.count() == 100)
        grown = max(grown, back.pagesRead)
        old = new
      }
      #expect(grown <= 12)
    }
  }

  @Test func diffRetainsVersions() throws {
    try withStore { environment, _ in
      var old: Snapshot? = try putRows(environment, 0..<1000)
      var new: Snapshot? = try putRows(environment, 900..<2000)
      guard var changes = try old?.changes(to: #require(new), in: dogs) else { return }
      old = nil
      new = nil
      for round in UInt8(0)..<20 {
        try environment.write { transaction in
          for id in UInt64(0)..<2000 { try transaction.put(dogs, id: id, [round]) }
        }
      }
      var count: UInt64 = 0
      while let change = try changes.next() {
        check(change.id == 1000 + count && change.new.map { Array($0) } == rowContent(change.id))
        count += 1
      }
      #expect(count == 1000)
    }
  }

  @Test func versionsBeforeAndAfterMapGrowthAreCompared() throws {
    try withStore(mapSize: 1 << 20) { environment, _ in
      let old = try putRows(environment, 0..<2000)
      let size = environment.mapSize
      for round in UInt64(0)..<20 {
        try environment.write { transaction in
          for part in UInt64(0)..<20 {
            try transaction.put(
              dogs, id: 10_000 + round * 20 + part, [UInt8](repeating: 1, count: 5000))
          }
        }
      }
      #expect(environment.mapSize > size)
      let new = try environment.write { try $0.put(dogs, id: 77, [1]) }
      let rows = (10_000..<10_400).map { "+\($0)" }
      #expect(try old.changedIDs(to: new, in: dogs) == ["*77"] + rows)
      let changes = try old.recordedChanges(to: new, in: dogs)
      check(try changes == old.walkedChanges(to: new, in: dogs))
    }
  }

  @Test func manyThreadsCompareSameVersions() throws {
    try withStore { environment, _ in
      let old = try putRows(environment, 0..<2000)
      let new = try environment.write { transaction in
        for id in UInt64(0)..<500 { try transaction.put(dogs, id: id * 5, [9]) }
      }
      let expected = try old.recordedChanges(to: new, in: dogs)
      let back = try new.recordedChanges(to: old, in: dogs)
      let wrong = Counter()
      onThreads(4) { number in
        for round in 0..<8 {
          if number == 0 {
            // Meanwhile the pages that are not pinned change.
            do {
              try environment.write { transaction in
                for id in UInt64(0)..<2000 {
                  try transaction.put(dogs, id: id, [UInt8(round)])
                }
              }
            } catch {
              wrong.add()
            }
          }
          let isForth = (round + number) % 2 == 0
          let found =
            try? isForth
            ? old.recordedChanges(to: new, in: dogs) : new.recordedChanges(to: old, in: dogs)
          if found != (isForth ? expected : back) { wrong.add() }
          // Tables that have not been looked up yet.
          let table = Table.objects(ofClass: UInt32(40 + number + round))
          if (try? old.changedIDs(to: new, in: table)) != [] { wrong.add() }
        }
      }
      #expect(expected.count == 500)
      #expect(wrong.value == 0)
    }
  }
}

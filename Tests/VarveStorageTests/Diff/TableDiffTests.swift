import Testing
import VarveStorage

@Suite struct TableDiffTests {
  @Test func insertedDeletedAndModifiedEntriesAreInOrder() throws {
    try withStore { environment, _ in
      let old = try putRows(environment, 0..<1000)
      let new = try environment.write { transaction in
        try transaction.put(dogs, id: 700, [1, 2, 3])
        _ = try transaction.delete(dogs, id: 20)
        try transaction.put(dogs, id: 5000, [4])
        try transaction.put(dogs, id: 3, [])
      }
      #expect(try old.changedIDs(to: new, in: dogs) == ["*3", "-20", "*700", "+5000"])
      #expect(try new.changedIDs(to: old, in: dogs) == ["*3", "+20", "*700", "-5000"])
      let changes = try old.recordedChanges(to: new, in: dogs)
      #expect(changes.map(\.old) == [rowContent(3), rowContent(20), rowContent(700), nil])
      #expect(changes.map(\.new) == [[], nil, [1, 2, 3], [4]])
    }
  }

  @Test func missingTableComparesAsEmpty() throws {
    try withStore { environment, _ in
      let without = try environment.snapshot()
      let with = try putRows(environment, 0..<3)
      #expect(try without.changedIDs(to: with, in: dogs) == ["+0", "+1", "+2"])
      #expect(try with.changedIDs(to: without, in: dogs) == ["-0", "-1", "-2"])
      #expect(try without.changedIDs(to: with, in: cats) == [])
      #expect(without.mayDiffer(from: with, in: dogs))
      #expect(!without.mayDiffer(from: with, in: cats))
    }
  }

  @Test func emptiedTablesLoseEveryEntry() throws {
    try withStore { environment, _ in
      let full = try putRows(environment, 0..<2000)
      let empty = try environment.write { try $0.deleteAll(dogs) }
      let small = try putRows(environment, 1999..<2001)
      #expect(try full.changedIDs(to: empty, in: dogs) == marked("-", 0..<2000))
      #expect(try empty.changedIDs(to: full, in: dogs) == marked("+", 0..<2000))
      #expect(
        try full.changedIDs(to: small, in: dogs) == marked("-", 0..<1999) + ["+2000"])
      #expect(
        try small.changedIDs(to: full, in: dogs) == marked("+", 0..<1999) + ["-2000"])
      #expect(try empty.changedIDs(to: small, in: dogs) == ["+1999", "+2000"])
    }
  }

  @Test func treesOfDifferentDepthAreCompared() throws {
    try withStore { environment, _ in
      var versions = [try putRows(environment, 0..<5)]
      for upper in [60, 600, 20_000] as [UInt64] {
        versions.append(try putRows(environment, (upper / 10)..<upper))
      }
      for lower in [400, 40] as [UInt64] {
        versions.append(
          try environment.write { transaction in
            for id in lower..<20_000 { _ = try transaction.delete(dogs, id: id) }
          })
      }
      for old in versions {
        for new in versions {
          let changes = try old.recordedChanges(to: new, in: dogs)
          let inserted = changes.count(where: { $0.old == nil })
          let deleted = changes.count(where: { $0.new == nil })
          #expect(new.count(dogs) - old.count(dogs) == inserted - deleted)
          check(try changes == old.walkedChanges(to: new, in: dogs))
        }
      }
    }
  }

  @Test func entryChangedBackIsNoChange() throws {
    try withStore { environment, _ in
      let old = try putRows(environment, 0..<500)
      let new = try environment.write { transaction in
        for id in UInt64(0)..<500 { try transaction.put(dogs, id: id, rowContent(id)) }
        _ = try transaction.delete(dogs, id: 7)
      }
      let newest = try environment.write { try $0.put(dogs, id: 7, rowContent(7)) }
      #expect(try old.changedIDs(to: new, in: dogs) == ["-7"])
      #expect(try new.changedIDs(to: newest, in: dogs) == ["+7"])
      #expect(try old.changedIDs(to: newest, in: dogs) == [])
    }
  }

  @Test func largeValuesAreComparedToLastByte() throws {
    let sizes = [1, 1900, 2030, 2040, 4080, 4081, 9000, 70_000]
    try withStore { environment, _ in
      let old = try environment.write { transaction in
        _ = try transaction.openTable(dogs, create: true)
        for (id, size) in sizes.enumerated() {
          try transaction.put(dogs, id: UInt64(id), [UInt8](repeating: 1, count: size))
          try transaction.put(dogs, id: UInt64(id + 100), [UInt8](repeating: 1, count: size))
        }
      }
      let touched = try environment.write { transaction in
        try transaction.put(dogs, id: 50, [])
        for (id, size) in sizes.enumerated() where id % 2 == 0 {
          try transaction.put(dogs, id: UInt64(id), [UInt8](repeating: 1, count: size))
        }
      }
      #expect(try old.changedIDs(to: touched, in: dogs) == ["+50"])
      let new = try environment.write { transaction in
        for (id, size) in sizes.enumerated() {
          var bytes = [UInt8](repeating: 1, count: size)
          bytes[size - 1] = 2
          try transaction.put(dogs, id: UInt64(id), bytes)
        }
      }
      #expect(try touched.changedIDs(to: new, in: dogs) == marked("*", sizes.indices))
      let other = try environment.write { transaction in
        try transaction.put(dogs, id: 7, [UInt8](repeating: 2, count: 3))
        try transaction.put(dogs, id: 0, [UInt8](repeating: 2, count: 70_000))
      }
      let changes = try old.recordedChanges(to: other, in: dogs, .ids(from: 0, below: 10))
      let before = changes.map { $0.old?.count }
      let after = changes.map { $0.new?.count }
      #expect(before == sizes)
      #expect(after == [70_000] + sizes[1..<7] + [3])
    }
  }

  @Test func countingStopsAtLimit() throws {
    try withStore { environment, _ in
      let old = try putRows(environment, 0..<10)
      let new = try putRows(environment, 5..<30)
      var changes = try old.changes(to: new, in: dogs)
      var counts = [try changes.count(upTo: 3), try changes.count(upTo: 0)]
      let next = try changes.next()?.id
      counts += [try changes.count(), try changes.count()]
      #expect(next == 13)
      #expect(counts == [3, 0, 16, 0])
      let isOver = try changes.next() == nil
      #expect(isOver)
    }
  }

  @Test func changedTablesAreListed() throws {
    try withStore { environment, _ in
      let old = try putRows(environment, 0..<10)
      let new = try environment.write { transaction in
        _ = try transaction.openTable(cats, create: true)
        try transaction.put(cats, id: 1, [1])
        try transaction.put(.lists, key: "a", "b")
      }
      #expect(try old.changedTables(to: new) == [cats, .lists])
      #expect(try new.changedTables(to: old) == [cats, .lists])
      #expect(try old.changedTables(to: old) == [])
      #expect(!old.mayDiffer(from: new, in: dogs))
      #expect(!old.mayDiffer(from: new, in: .indexes))
      #expect(old.mayDiffer(from: new, in: .lists))
      #expect(old.mayDiffer(from: new, in: cats))
      #expect(new.mayDiffer(from: old, in: .main))
      #expect(!old.mayDiffer(from: old, in: cats))
    }
  }

  private func marked(_ sign: String, _ ids: Range<Int>) -> [String] {
    ids.map { "\(sign)\($0)" }
  }
}

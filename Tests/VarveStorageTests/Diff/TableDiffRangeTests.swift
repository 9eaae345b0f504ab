import Testing
import VarveStorage

@Suite struct TableDiffRangeTests {
  @Test func idRangeIncludesLowerBoundOnly() throws {
    try withStore { environment, _ in
      let old = try putRows(environment, 0..<3000)
      let new = try environment.write { transaction in
        for id in stride(from: UInt64(0), to: 3000, by: 100) {
          try transaction.put(dogs, id: id, [1])
        }
        try transaction.put(dogs, id: .max, [2])
      }
      func ids(_ from: UInt64, _ below: UInt64?) throws -> [String] {
        try old.changedIDs(to: new, in: dogs, .ids(from: from, below: below))
      }
      #expect(try ids(100, 300) == ["*100", "*200"])
      #expect(try ids(101, 301) == ["*200", "*300"])
      #expect(try ids(0, 1) == ["*0"])
      #expect(try ids(2900, nil) == ["*2900", "+\(UInt64.max)"])
      #expect(try ids(2901, .max) == [])
      #expect(try ids(.max, nil) == ["+\(UInt64.max)"])
      #expect(try ids(0, nil).count == 31)
      #expect(try ids(0, 0) == [])
      #expect(try ids(300, 100) == [])
      #expect(try ids(300, 300) == [])
    }
  }

  @Test func keyRangeIncludesLowerBoundOnly() throws {
    try withStore { environment, _ in
      let old = try environment.snapshot()
      let new = try environment.write { transaction in
        for key in ["a", "ab", "b", "c"] { try transaction.put(.indexes, key: key, "") }
      }
      func keys(_ from: String, _ below: String?) throws -> [String] {
        try withKeys(from: Array(from.utf8), below: below.map { Array($0.utf8) }) { range in
          try old.recordedChanges(to: new, in: .indexes, range).map {
            String(decoding: $0.key, as: UTF8.self)
          }
        }
      }
      #expect(try keys("a", "b") == ["a", "ab"])
      #expect(try keys("aa", "b") == ["ab"])
      #expect(try keys("", "ab") == ["a"])
      #expect(try keys("ab", nil) == ["ab", "b", "c"])
      #expect(try keys("", "") == [])
      #expect(try keys("c", "a") == [])
      // Longer than any key can be.
      #expect(try keys("a" + String(repeating: "z", count: 70_000), nil) == ["b", "c"])
      #expect(try keys("", "b" + String(repeating: "z", count: 70_000)) == ["a", "ab", "b"])
    }
  }
}

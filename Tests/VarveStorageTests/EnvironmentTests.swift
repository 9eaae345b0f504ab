import Testing
import VarveStorage

@Suite struct EnvironmentTests {
  @Test func committedEntriesAreFound() throws {
    try withStore { environment, _ in
      let before = try environment.snapshot()
      let after = try environment.write { transaction in
        #expect(try transaction.openTable(dogs, create: true))
        try transaction.put(dogs, id: 7, [1, 2, 3])
        try transaction.put(.catalog, key: "a", "b")
        #expect(transaction.bytes(dogs, id: 7) == [1, 2, 3])
      }
      #expect(after.bytes(dogs, id: 7) == [1, 2, 3])
      #expect(after.text(.catalog, key: "a") == "b")
      #expect(after.count(dogs) == 1)
      #expect(before.bytes(dogs, id: 7) == nil)
      #expect(before.count(dogs) == 0)
      #expect(after.version.isNewer(than: before.version) == true)
      #expect(try environment.snapshot() === after)
      #expect(after.serial != before.serial)
    }
  }
}

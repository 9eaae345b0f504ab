import Testing
import VarveStorage

@Suite struct SnapshotRetainerTests {
  private final class Thing: Sendable {}

  @Test func retainedObjectEndsWithSnapshot() throws {
    try withStore { environment, _ in
      weak var thing: Thing?
      var snapshot: Snapshot? = try environment.snapshot()
      let retainer = try #require(snapshot?.retainer)
      do {
        let made = Thing()
        thing = made
        retainer.keep(made)
      }
      #expect(thing != nil)
      // A new version, so that nothing else retains the old one.
      try environment.write { try $0.put(.catalog, key: "a", "b") }
      snapshot = nil
      #expect(thing == nil)

      do {
        let late = Thing()
        thing = late
        retainer.keep(late)
      }
      #expect(thing == nil, "The snapshot had ended.")
    }
  }
}

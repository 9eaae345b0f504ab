import Testing
import Varve
import VarveTestSupport

@Suite struct LostUpdateTests {
  @Test(.timeLimit(.minutes(1)))
  func updatesOfTwoProcessesAddUp() async throws {
    try await withTemporaryRealm { realm, store in
      let tally = Tally(value: ["id": 1])
      try await realm.write { realm.add(tally) }
      let process = TestProcess(["viewIncrement", store.path, "1", "300"])
      #expect(process.line() == "ready")
      process.go()
      // A handle of another live realm, which lags behind the commits of the other process.
      let stale = try #require(store.open().object(ofType: Tally.self, forPrimaryKey: 1))
      for number in 0..<150 {
        try await realm.asyncWrite { stale.value += 1 }
        if number % 2 == 0 {
          try realm.writeSynchronously { tally.value += 1 }
        } else {
          try add(realm, tally)
        }
      }
      #expect(process.line() == "done")
      process.wait()
      try realm.refresh()
      #expect(tally.value == 600)
    }
  }

  private func add(_ realm: Realm, _ tally: Tally) throws {
    try realm.beginWrite()
    tally.value += 1
    try realm.commitWrite()
  }

  @Test func updateThroughStaleHandleReadsOtherProcess() async throws {
    try await withTemporaryRealm { realm, store in
      try await realm.write { realm.add(Tally(value: ["id": 1])) }
      let stale = try #require(store.open().object(ofType: Tally.self, forPrimaryKey: 1))
      let process = TestProcess(["viewIncrement", store.path, "1", "5"])
      #expect(process.line() == "ready")
      process.go()
      #expect(process.line() == "done")
      process.wait()
      #expect(stale.value == 0)
      try await realm.asyncWrite { stale.value += 1 }
      #expect(stale.value == 6)
    }
  }
}

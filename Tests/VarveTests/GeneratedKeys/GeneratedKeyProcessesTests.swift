import Testing
import Varve
import VarveTestSupport

/// Keys that several processes generate in one store.
@Suite struct GeneratedKeyProcessesTests {
  /// Each process adds tickets in writes of one to three and reports whether its keys only
  /// increase.
  @Test func processesGetDifferentKeys() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.add(Ticket("first")) }
      let processes = (1...3).map {
        TestProcess(["realmTickets", store.path, "150", "\($0)", "0"])
      }
      for process in processes { #expect(process.line() == "ready") }
      for process in processes { process.go() }
      for _ in 0..<50 {
        try realm.write {
          let last = realm.objects(Ticket.self).last?.id ?? 0
          #expect(realm.create(Ticket.self).id == last + 1)
        }
      }
      for process in processes { #expect(process.line() == "grows") }
      for process in processes { #expect(process.wait() == 0) }
      try realm.refresh()
      // No write was rolled back, so there is no gap.
      let tickets = realm.objects(Ticket.self)
      #expect(tickets.map(\.id) == Array(1...51 + 3 * 300))
      for process in 1...3 {
        #expect(tickets.where { $0.title == "\(process)" }.count == 300)
      }
    }
  }

  /// Each write records its keys: a key that was assigned twice would be a duplicate.
  @Test func deletedKeysAreNotReassigned() throws {
    try withTemporaryRealm { realm, store in
      let processes = (1...3).map {
        TestProcess(["realmTickets", store.path, "99", "\($0)", "1"])
      }
      for process in processes { #expect(process.line() == "ready") }
      for process in processes { process.go() }
      for process in processes { #expect(process.line() == "grows") }
      for process in processes { #expect(process.wait() == 0) }
      try realm.refresh()
      #expect(realm.objects(TakenKey.self).map(\.id) == Array(1...594))
      #expect(realm.objects(Ticket.self).count < 594)
      try realm.write { #expect(realm.create(Ticket.self).id == 595) }
    }
  }

  @Test func killedProcessNeitherLosesNorRepeatsKeys() throws {
    try withTemporaryRealm { realm, store in
      let killed = TestProcess(["realmTickets", store.path, "1000000", "1", "2"])
      #expect(killed.line() == "ready")
      let other = TestProcess(["realmTickets", store.path, "150", "2", "0"])
      #expect(other.line() == "ready")
      killed.go()
      other.go()
      // The process prints the last key of each commit.
      var printedKey = 0
      for _ in 0..<40 { printedKey = try #require(killed.line().flatMap(Int.init)) }
      killed.kill()
      #expect(other.line() == "grows" && other.wait() == 0)
      try realm.refresh()
      let keys = realm.objects(Ticket.self).map(\.id)
      #expect(keys == Array(1...keys.count) && keys.count >= printedKey)
      #expect(realm.object(ofType: Ticket.self, forPrimaryKey: printedKey)?.title == "1")
      try realm.write { #expect(realm.create(Ticket.self).id == keys.count + 1) }
      try store.check()
    }
  }
}

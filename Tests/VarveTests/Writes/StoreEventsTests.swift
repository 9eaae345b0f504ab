import Foundation
import Testing
import Varve
import VarveCore
import VarveStorage
import VarveTestSupport

@Suite struct StoreEventsTests {
  @Test func listenerReceivesEventsUntilItIsRemoved() throws {
    try withTemporaryRealm { realm, _ in
      let events = realm.store.events
      let heard = EventRecorder<String>()
      let registration = events.add { heard.note("first \($0.name)") }
      let other = events.add { heard.note("second \($0.name)") }
      try realm.write { realm.add(Crate(1)) }
      #expect(
        heard.all.sorted() == ["first commit", "first wait", "second commit", "second wait"])
      events.remove(registration)
      try realm.write { realm.add(Crate(2)) }
      #expect(heard.all.count == 6)
      #expect(heard.all.last == "second commit")
      events.remove(other)
      try realm.write { realm.add(Crate(3)) }
      #expect(heard.all.count == 6)
    }
  }

  @Test func onlyCommittedChangesAreCommits() throws {
    struct Refused: Error {}
    try withTemporaryRealm { realm, _ in
      // The first write makes the tables of the file.
      try realm.write {}
      let heard = EventRecorder<String>()
      let registration = realm.store.events.add { heard.note($0.name) }
      try realm.write {}
      #expect(throws: Refused.self) {
        try realm.write {
          realm.add(Crate(1))
          throw Refused()
        }
      }
      try realm.write { realm.add(Crate(1)) }
      #expect(throws: Realm.Error.self) { try realm.write { realm.add(Crate(1)) } }
      #expect(heard.all.filter { $0 != "wait" } == ["commit"])
      #expect(heard.all.count == 5)
      realm.store.events.remove(registration)
    }
  }

  @Test func writesOfAGroupAreOneCommit() async throws {
    try await withPatientStore { realm, store in
      try await realm.write {}
      let heard = EventRecorder<String>()
      let core = realm.store
      let held = OpenWrite(store.configuration)
      let writes = (1...3).map { id in Task { try await realm.write { realm.add(Crate(id)) } } }
      while core.waitingWriterCount < 3 { await Task.yield() }
      let registration = core.events.add { heard.note($0.name) }
      held.end()
      for write in writes { try await write.value }
      #expect(heard.all == ["wait", "wait", "wait", "commit"])
      core.events.remove(registration)
    }
  }

  @Test func waitingWritersAreCounted() async throws {
    try await withTemporaryRealm { realm, store in
      let core = realm.store
      #expect(core.waitingWriterCount == 0)
      let held = OpenWrite(store.configuration)
      let ended = Flag()
      Thread.detachNewThread {
        #expect(throws: Never.self) { try realm.write { realm.add(Crate(1)) } }
        ended.set()
      }
      while core.waitingWriterCount < 1 { await Task.yield() }
      let write = Task { try await realm.write { realm.add(Crate(2)) } }
      // The writer thread waits for the lock, too, but only on behalf of the task.
      while core.environment.threadsWaitingToWrite < 2 { await Task.yield() }
      #expect(core.waitingWriterCount == 2)
      held.end()
      try await write.value
      while !ended.isSet { await Task.yield() }
      #expect(core.waitingWriterCount == 0)
    }
  }
}

extension StoreEvent {
  fileprivate var name: String {
    switch self {
    case .commit: "commit"
    case .failedCommit: "failedCommit"
    case .wait: "wait"
    case .delivery: "delivery"
    }
  }
}

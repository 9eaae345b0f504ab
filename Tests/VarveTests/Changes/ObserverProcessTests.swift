import Dispatch
import Foundation
import Testing
import Varve
import VarveLocks
import VarveStorage
import VarveTestSupport

/// Observers of the commits of other processes.
@Suite struct ObserverProcessTests {
  @Test func everyCommitOfAnotherProcessIsDelivered() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.add(Tally(value: ["id": 1])) }
      let tally = try #require(realm.object(ofType: Tally.self, forPrimaryKey: 1))
      // Old and new values: each change begins with the value that the previous change ended with.
      let steps = EventRecorder<[Int]>()
      let token = try tally.observe { change in
        guard case .change(_, let properties) = change else { return }
        steps.note(properties.flatMap { [$0.oldValue as? Int ?? -1, $0.newValue as? Int ?? -1] })
      }
      let process = TestProcess(["viewIncrement", store.path, "1", "200"])
      #expect(process.line() == "ready")
      process.go()
      #expect(process.line() == "done")
      process.wait()
      var value = 0
      var count = 1
      while value < 200 {
        let all = steps.wait(for: count)
        guard count <= all.count else { return }
        #expect(all[count - 1].first == value)
        value = all[count - 1].last ?? 200
        count += 1
      }
      #expect(value == 200)
      token.invalidate()
    }
  }

  @Test func killedWriterLosesNoChange() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.add(Tally(value: ["id": 1])) }
      let tallies = realm.objects(Tally.self)
      let values = EventRecorder<Int>()
      let token = try tallies.observe { change in
        if case .update(let tallies, _, _, _) = change { values.note(tallies[0].value) }
      }
      let process = TestProcess(["viewIncrement", store.path, "1", "1000000"])
      #expect(process.line() == "ready")
      process.go()
      _ = values.wait(for: 20)
      process.kill()
      try realm.refresh()
      let last = try #require(tallies.first).value
      let end = Date() + 30
      while values.all.last != last, Date() < end { usleep(1000) }
      #expect(values.all.last == last)
      #expect(values.all == values.all.sorted())
      token.invalidate()
    }
  }

  /// The writer is killed between its commit and its signal.
  @Test func unsignaledCommitIsDelivered() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.add(Tally(value: ["id": 1])) }
      let values = EventRecorder<Int>()
      let token = try realm.objects(Tally.self).observe { change in
        if case .update(let tallies, _, _, _) = change { values.note(tallies[0].value) }
      }
      let process = TestProcess(["viewIncrementUnheard", store.path, "1"])
      #expect(process.line() == "ready")
      process.go()
      #expect(process.line() == nil)
      process.wait()
      #expect(values.wait(for: 1) == [1])
      token.invalidate()
    }
  }

  @Test func observerAllowsPageReuse() throws {
    func size(observing: Bool) throws -> Int {
      let store = try TemporaryRealm { $0.durability = .none }
      defer { store.remove() }
      let realm = try store.open()
      try realm.write { realm.add(Tally(value: ["id": 1])) }
      let tally = try #require(realm.objects(Tally.self).first)
      let delivered = Lock(0)
      let token = try realm.objects(Tally.self).observe { change in
        guard case .update(let tallies, _, _, _) = change else { return }
        delivered.withLock { $0 = tallies[0].value }
        delivered.notify()
      }
      if !observing { token.invalidate() }
      for number in 1...5000 {
        try realm.write { tally.value += 1 }
        // However slow its calls are, the observer does not lag behind for long.
        guard observing, number % 20 == 0 else { continue }
        _ = delivered.wait(for: .seconds(30)) { $0 == number ? () : nil }
      }
      token.invalidate()
      return try FileManager.default.attributesOfItem(atPath: store.path)[.size] as? Int ?? 0
    }
    #expect(try size(observing: true) - size(observing: false) < 1 << 20)
  }
}

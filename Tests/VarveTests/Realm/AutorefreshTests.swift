import Foundation
import Testing
import Varve
import VarveCore

@Suite struct AutorefreshTests {
  private func isMoved(_ realm: Realm, to version: Realm.Version) -> Bool {
    let deadline = ContinuousClock.now + .seconds(30)
    while realm.version != version {
      if ContinuousClock.now > deadline { return false }
      usleep(500)
    }
    return true
  }

  @Test func queueRealmKeepsVersionWithoutAutorefresh() throws {
    try withTemporaryRealm { realm, store in
      let queue = DispatchQueue(label: "test")
      let held = try Realm(configuration: store.configuration, queue: queue)
      let other = try Realm(configuration: store.configuration, queue: queue)
      #expect(held.autorefresh && realm.autorefresh)
      held.autorefresh = false
      let before = held.version
      try realm.write { realm.add(Buoy(1)) }
      #expect(isMoved(other, to: realm.version))
      queue.sync {}
      #expect(held.version == before && held.objects(Buoy.self).isEmpty)
      #expect(try held.refresh())
      #expect(held.version == realm.version)
      try realm.write { realm.add(Buoy(2)) }
      #expect(isMoved(other, to: realm.version))
      #expect(held.version != realm.version)
      held.autorefresh = true
      #expect(isMoved(held, to: realm.version))
      try realm.write { realm.add(Buoy(3)) }
      #expect(isMoved(held, to: realm.version))
    }
  }

  @Test func idleRealmKeepsVersionWithoutAutorefresh() throws {
    try withTemporaryRealm({ $0.idleLimit = .zero }) { realm, store in
      let held = try store.open()
      held.autorefresh = false
      let before = held.version
      try realm.write { realm.add(Buoy(1)) }
      let core = try store.configuration.store()
      for _ in 0..<10 { core.tidy() }
      #expect(held.version == before)
      held.autorefresh = true
      for _ in 0..<10 { core.tidy() }
      #expect(held.version == realm.version)
    }
  }

  @Test func writeRefreshesRealmWithoutAutorefresh() throws {
    try withTemporaryRealm { realm, store in
      let held = try store.open()
      held.autorefresh = false
      try realm.write { realm.add(Buoy(1)) }
      try held.write { #expect(held.objects(Buoy.self).count == 1) }
      #expect(held.objects(Buoy.self).count == 1)
    }
  }

  @Test func realmObserversReceiveRefreshRequired() throws {
    try withTemporaryRealm { realm, store in
      let held = try store.open()
      let events = EventRecorder<String>()
      let token = try held.observe { notification, realm in
        switch notification {
        case .didChange: events.note("changed \(realm.objects(Buoy.self).count)")
        case .refreshRequired: events.note("required \(realm.objects(Buoy.self).count)")
        }
      }
      try realm.write { realm.add(Buoy(1)) }
      #expect(events.wait(for: 1) == ["changed 1"])
      held.autorefresh = false
      try realm.write { realm.add(Buoy(2)) }
      #expect(events.wait(for: 2).last == "required 1")
      try realm.write { realm.add(Buoy(3)) }
      #expect(events.wait(for: 3).last == "required 1")
      try held.refresh()
      #expect(events.wait(for: 4).last == "changed 3")
      token.invalidate()
    }
  }

  @Test func collectionObserversFollowRealmVersion() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.add(Buoy(1)) }
      let held = try store.open()
      held.autorefresh = false
      let buoys = held.objects(Buoy.self)
      let events = EventRecorder<[Int]>()
      let token = try buoys.observe { change in
        switch change {
        case .initial(let results): events.note([results.count, buoys.count])
        case .update(let results, _, let insertions, _):
          events.note([results.count, buoys.count] + insertions)
        case .error: break
        }
      }
      #expect(events.wait(for: 1) == [[1, 1]])
      // An observer of another realm confirms the delivery of the commits: the first observer was
      // skipped.
      let others = EventRecorder<Int>()
      let witness = try realm.observe { _, realm in others.note(realm.objects(Buoy.self).count) }
      for id in 2..<5 { try realm.write { realm.add(Buoy(id)) } }
      while others.all.last != 4 { usleep(500) }
      #expect(events.all.count == 1)
      try held.refresh()
      #expect(events.wait(for: 2).last == [4, 4, 1, 2, 3])
      // A write that is rolled back also refreshes the realm.
      try realm.write { realm.add(Buoy(9)) }
      expectCancelled { try held.write { throw Cancelled() } }
      #expect(events.wait(for: 3).last == [5, 5, 4])
      token.invalidate()
      witness.invalidate()
    }
  }

  @Test func asyncRefreshAdvancesRealm() async throws {
    try await withTemporaryRealm { realm, store in
      let other = try store.open()
      try await realm.asyncWrite { realm.add(Buoy(1)) }
      #expect(try await other.asyncRefresh())
      #expect(other.objects(Buoy.self).count == 1)
      #expect(try await !other.asyncRefresh())
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        return try await other.asyncRefresh()
      }
      task.cancel()
      await expectCancellation(of: task)
    }
  }

  @Test func frozenRealmIgnoresAutorefresh() throws {
    try withTemporaryRealm { realm, _ in
      let frozen = realm.freeze()
      frozen.autorefresh = true
      #expect(!frozen.autorefresh)
    }
  }
}

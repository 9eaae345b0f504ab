import Dispatch
import Foundation
import Testing
import Varve
import VarveCore
import VarveStorage
import VarveTestSupport

/// How observers end other than through their tokens, and how they lose their pinned versions.
@Suite struct ObserverEndingTests {
  @Test(.timeLimit(.minutes(1))) func sequencesEndWithStoreAndTask() async throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let realm = try store.open()
    let ewes = realm.objects(Ewe.self)
    let cancelled = Task { for await _ in ewes.changes {} }
    cancelled.cancel()
    await cancelled.value
    let started = Flag()
    let closed = Task {
      for await _ in ewes.changes { started.set() }
    }
    while !started.isSet { await Task.yield() }
    try Realm.close(store.configuration)
    await closed.value
  }

  @Test(.timeLimit(.minutes(1))) func deletionDuringPinReleaseIsDeliveredOnce() async throws {
    let store = try TemporaryRealm { $0.pinBudget.age = .milliseconds(1) }
    defer { store.remove() }
    let realm = try store.open()
    let core = try store.configuration.store()
    for id in 1... {
      try await realm.asyncWrite {
        let ewe = realm.create(Ewe.self, value: ["id": id, "marks": [1], "notes": ["a": "b"]])
        ewe.lambs.append(Ewe(-id))
      }
      let ewe = try #require(realm.object(ofType: Ewe.self, forPrimaryKey: id))
      var marks = ewe.marks.changes.makeAsyncIterator()
      var notes = ewe.notes.changes.makeAsyncIterator()
      var lambs = ewe.lambs.where { $0.age >= 0 }.changes.makeAsyncIterator()
      var parents = try #require(ewe.lambs.first).parents.changes.makeAsyncIterator()
      _ = (await marks.next(), await notes.next(), await lambs.next(), await parents.next())
      try await realm.asyncWrite {
        realm.delete(ewe.lambs[0])
        realm.delete(ewe)
      }
      try await Task.sleep(for: .milliseconds(5))
      core.tidy()
      let last = await marks.next()
      #expect(last?.collection.isEmpty == true)
      #expect(await notes.next()?.collection.isEmpty == true)
      #expect(await lambs.next()?.collection.isEmpty == true)
      #expect(await parents.next()?.collection.isEmpty == true)
      #expect(await marks.next() == nil)
      #expect(await notes.next() == nil)
      #expect(await lambs.next() == nil)
      #expect(await parents.next() == nil)
      // The notifier may not have delivered the commit when the pin was checked.
      if case .initial(_, let reason) = last, reason == .pinAge { break }
    }
  }

  @Test func unreadRealmPinsOnlyObservedVersion() throws {
    try withTemporaryRealm({ $0.idleLimit = .seconds(1) }) { realm, store in
      let core = try store.configuration.store()
      let events = EventRecorder<ObservedChange>()
      let queue = DispatchQueue(label: "observer")
      let token: NotificationToken
      let pin: ViewPin
      do {
        // Retained only by the token.
        let other = try store.open()
        token = try other.objects(Ewe.self).observe(on: queue) { events.note(ObservedChange($0)) }
        pin = try #require(other.context.view).pin
      }
      _ = events.wait(for: 1)
      // Two passes of the housekeeper without a read.
      core.tidy()
      core.tidy()
      for number in 1...3 {
        try realm.write { realm.create(Farm.self, value: ["name": "f\(number)"]) }
        let newest = try core.newestSnapshot()
        let end = Date() + 30
        while pin.moving.retained().serial != newest.serial, Date() < end { usleep(1000) }
        #expect(pin.moving.retained().serial == newest.serial)
      }
      #expect(events.all.count == 1)
      token.invalidate()
    }
  }

  @Test(.timeLimit(.minutes(1))) func stalledSequenceReleasesItsPin() async throws {
    let store = try TemporaryRealm { $0.pinBudget.age = .milliseconds(1) }
    defer { store.remove() }
    let realm = try store.open()
    var iterator = realm.objects(Ewe.self).changes.makeAsyncIterator()
    _ = await iterator.next()
    // The notifier has delivered the commit a while ago, and the next pass of the housekeeper finds
    // the pin too old.
    let core = try store.configuration.store()
    while true {
      try await realm.asyncWrite { realm.add(Ewe(realm.objects(Ewe.self).count + 1)) }
      try await Task.sleep(for: .milliseconds(5))
      core.tidy()
      switch await iterator.next() {
      case .initial(let ewes, let reason):
        #expect(reason == .pinAge)
        #expect(ewes.count == realm.objects(Ewe.self).count)
        return
      case .update: continue
      case nil:
        Issue.record("The sequence ended.")
        return
      }
    }
  }

  @Test func closedStoreCallsNoObserver() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let realm = try store.open()
    let events = EventRecorder<ObservedChange>()
    let queue = DispatchQueue(label: "observer")
    let ewes = realm.objects(Ewe.self)
    let token = try ewes.observe(on: queue) { events.note(ObservedChange($0)) }
    _ = events.wait(for: 1)
    try queue.sync {
      try realm.write { realm.add(Ewe(1)) }
      try Realm.close(store.configuration)
    }
    queue.sync {}
    #expect(events.all == [.initial(0)])
    expectError(.closed) { try ewes.observe { _ in } }
    token.invalidate()
  }

  @Test(.timeLimit(.minutes(1))) func callbackCanCloseStore() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let realm = try store.open()
    let events = EventRecorder<ObservedChange>()
    let queue = DispatchQueue(label: "observer")
    let configuration = store.configuration
    let token = try realm.objects(Ewe.self).observe(on: queue) { change in
      events.note(ObservedChange(change))
      do {
        try Realm.close(configuration)
      } catch {
        Issue.record(error)
      }
    }
    #expect(events.wait(for: 1) == [.initial(0)])
    queue.sync {}
    let reopened = try store.open()
    try reopened.write { reopened.add(Ewe(1)) }
    queue.sync {}
    #expect(events.all.count == 1)
    token.invalidate()
  }
}

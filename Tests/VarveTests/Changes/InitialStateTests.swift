import Dispatch
import Testing
import Varve
import VarveLocks
import VarveTestSupport

@Model final class StartedLog: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var numbers: List<Int>
  @Persisted var scores: Map<String, Int>
}

/// The first state that an observer of a collection receives is that of the version in which it
/// began, whatever its thread writes next.
@Suite struct InitialStateTests {
  /// A queue that runs nothing until it is opened.
  private final class BlockedQueue: Sendable {
    let queue = DispatchQueue(label: "observers")
    private let gate = DispatchSemaphore(value: 0)

    init() { queue.async { [gate] in gate.wait() } }

    func open() { gate.signal() }
  }

  private func withBag(_ body: (Realm, Bag, TemporaryRealm) throws -> Void) throws {
    try withTemporaryRealm { realm, store in
      let bag = Bag(1, coins: [Coin(10, worth: 1)])
      bag.ints.insert(objectsIn: [10])
      try realm.write { realm.add(bag) }
      try body(realm, bag, store)
      try store.check("initial state")
    }
  }

  @Test func writeAfterObserveIsAnUpdate() throws {
    try withBag { realm, bag, _ in
      let log = try realm.write { realm.create(StartedLog.self, value: ["id": 1, "numbers": [1]]) }
      let blocked = BlockedQueue()
      let events = (0..<5).map { _ in EventRecorder<ObservedChange>() }
      let sections = realm.objects(Coin.self).sectioned(by: \.worth)
      let maps = EventRecorder<[Int]>()
      let tokens = [
        try realm.objects(Coin.self).observe(on: blocked.queue) {
          events[0].note(ObservedChange($0))
        },
        try bag.ints.observe(on: blocked.queue) { events[1].note(ObservedChange($0)) },
        try bag.coins.observe(on: blocked.queue) { events[2].note(ObservedChange($0)) },
        try log.numbers.observe(on: blocked.queue) { events[3].note(ObservedChange($0)) },
        try realm.objects(Coin.self).sorted(by: \.worth).observe(on: blocked.queue) {
          events[4].note(ObservedChange($0))
        },
        try log.scores.observe(on: blocked.queue) { change in
          switch change {
          case .initial(let map): maps.note([map.count])
          case .update(let map, _, let insertions, _): maps.note([map.count, insertions.count])
          case .error: break
          }
        },
        try sections.observe(on: blocked.queue) { change in
          switch change {
          case .initial(let sections): maps.note([100 + sections.count])
          case .update(let sections, deletions: _, insertions: _, modifications: _, let inserted, _):
            maps.note([100 + sections.count, inserted.count])
          }
        },
      ]
      try realm.write {
        bag.coins.insert(Coin(20, worth: 2))
        bag.ints.insert(20)
        log.numbers.append(2)
        log.scores["a"] = 1
      }
      blocked.open()
      for one in events {
        #expect(one.wait(for: 2) == [.initial(1), .update(2, [], [1])])
      }
      #expect(maps.wait(for: 4).sorted { $0[0] < $1[0] } == [[0], [1, 1], [101], [102, 1]])
      tokens.forEach { $0.invalidate() }
    }
  }

  @Test func sequenceBeginsWithStateOfItsIterator() async throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    let realm = try store.open()
    let coins = realm.objects(Coin.self)
    var iterator = coins.changes.makeAsyncIterator()
    try await realm.write { _ = realm.create(Coin.self, value: ["id": 1]) }
    guard case .initial(let first, _)? = await iterator.next(),
      case .update(let second, let changes)? = await iterator.next()
    else {
      Issue.record("The sequence has no initial state or no update.")
      return
    }
    #expect(first.isEmpty && second.count == 1 && Array(changes.insertions) == [0])
  }

  /// The state that an observer begins with inside a write is that before the write.
  @Test func observerOfWriteReceivesItsChanges() throws {
    try withBag { realm, bag, _ in
      let (results, created) = (EventRecorder<ObservedChange>(), EventRecorder<ObservedChange>())
      let tokens = try realm.write {
        realm.add(Coin(20))
        let token = try realm.objects(Coin.self).observe { results.note(ObservedChange($0)) }
        let other = Bag(2, coins: [Coin(30)])
        realm.add(other)
        return [token, try other.coins.observe { created.note(ObservedChange($0)) }]
      }
      #expect(results.wait(for: 2) == [.initial(1), .update(3, [], [1, 2])])
      #expect(created.wait(for: 2) == [.initial(0), .update(1, [], [0])])
      tokens.forEach { $0.invalidate() }
    }
  }

  /// The observer knows of a write that it skips, so that its first state includes it.
  @Test func firstStateIncludesSkippedWrite() throws {
    try withBag { realm, _, _ in
      let blocked = BlockedQueue()
      let events = EventRecorder<ObservedChange>()
      let token = try realm.objects(Coin.self).observe(on: blocked.queue) {
        events.note(ObservedChange($0))
      }
      try realm.write(withoutNotifying: [token]) { realm.add(Coin(20)) }
      try realm.write { realm.add(Coin(30)) }
      blocked.open()
      let all = events.wait(for: 1)
      #expect(all.first == .initial(2) || all.first == .initial(3))
      token.invalidate()
    }
  }

  /// Two writes before a delivery are one change.
  @Test func writesBeforeDeliveryAreOneChange() throws {
    try withBag { realm, _, _ in
      let blocked = BlockedQueue()
      let events = EventRecorder<ObservedChange>()
      let token = try realm.objects(Coin.self).observe(on: blocked.queue) {
        events.note(ObservedChange($0))
      }
      try realm.write { realm.add(Coin(20)) }
      try realm.write { realm.add(Coin(30)) }
      blocked.open()
      #expect(events.wait(for: 2) == [.initial(1), .update(3, [], [1, 2])])
      token.invalidate()
    }
  }

  /// A realm that does not follow commits is not moved by the first delivery.
  @Test func stationaryRealmObservesItsOwnVersion() throws {
    try withBag { realm, _, store in
      realm.autorefresh = false
      let other = try store.open()
      try other.write { other.add(Coin(20)) }
      let events = EventRecorder<ObservedChange>()
      let token = try realm.objects(Coin.self).observe { events.note(ObservedChange($0)) }
      #expect(events.wait(for: 1) == [.initial(1)])
      #expect(realm.objects(Coin.self).count == 1)
      try realm.refresh()
      #expect(events.wait(for: 2) == [.initial(1), .update(2, [], [1])])
      token.invalidate()
    }
  }
}

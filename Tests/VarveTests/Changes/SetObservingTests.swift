import Foundation
import Testing
import Varve
import VarveCore

/// Observers of sets.
@Suite struct SetObservingTests {
  private func withBag(_ body: (Realm, Bag, TemporaryRealm) throws -> Void) throws {
    try withTemporaryRealm { realm, store in
      let bag = Bag(1, coins: [Coin(10, worth: 1), Coin(20, worth: 2), Coin(30, worth: 3)])
      bag.ints.insert(objectsIn: [10, 20, 30])
      try realm.write { realm.add(bag) }
      try body(realm, bag, store)
    }
  }

  @Test func indexesReferToOldAndNewOrder() throws {
    try withBag { realm, bag, _ in
      let events = EventRecorder<ObservedChange>()
      let token = try bag.ints.observe { events.note(ObservedChange($0)) }
      _ = events.wait(for: 1)
      try realm.write {
        bag.ints.remove(20)
        bag.ints.insert(objectsIn: [5, 40, 25])
      }
      _ = events.wait(for: 2)
      try realm.write {
        bag.ints.insert(7)
        bag.ints.remove(7)
        bag.ints.remove(40)
        bag.ints.insert(40)
        bag.ints.insert(10)
      }
      try realm.write { bag.ints.removeAll() }
      _ = events.wait(for: 3)
      try realm.write { realm.delete(bag) }
      #expect(
        events.wait(for: 4) == [
          .initial(3), .update(5, [1], [0, 2, 4]), .update(0, [0, 1, 2, 3, 4]), .update(0),
        ])
      token.invalidate()
    }
  }

  @Test func changedElementsAreReportedAsModifications() throws {
    try withBag { realm, bag, _ in
      let (events, worths) = (EventRecorder<ObservedChange>(), EventRecorder<ObservedChange>())
      let tokens = [
        try bag.coins.observe { events.note(ObservedChange($0)) },
        try bag.coins.observe(keyPaths: ["worth"]) { worths.note(ObservedChange($0)) },
      ]
      _ = (events.wait(for: 1), worths.wait(for: 1))
      let mint = Mint(value: ["town": "Ur"])
      try realm.write {
        bag.coins[1].worth = 7
        bag.coins[2].mint = mint
        bag.coins.insert(objectsIn: [Coin(15), Coin(5)])
      }
      _ = (events.wait(for: 2), worths.wait(for: 2))
      // Two links away, on an object that is about to be removed.
      try realm.write { mint.town = "Uruk" }
      _ = events.wait(for: 3)
      try realm.write {
        bag.coins[2].worth = 1
        bag.coins[3].worth = 1
        realm.delete(bag.coins[3])
      }
      let all = events.wait(for: 4)
      #expect(
        all == [
          .initial(3), .update(5, [], [0, 2], [1, 2]), .update(5, [], [], [4]),
          .update(4, [3], [], [2]),
        ])
      #expect(
        worths.wait(for: 3) == [
          .initial(3), .update(5, [], [0, 2], [1]), .update(4, [3], [], [2]),
        ])
      tokens.forEach { $0.invalidate() }
    }
  }

  @Test func invalidObservationIsRejected() throws {
    try withBag { realm, bag, _ in
      expectError(.unmanaged) { try MutableSet<Int>().observe { _ in } }
      expectError(.frozen) { try bag.ints.freeze().observe { _ in } }
      expectError(.invalidInput) { try bag.ints.observe(keyPaths: ["a"]) { _ in } }
      expectError(.unknownProperty) { try bag.coins.observe(keyPaths: ["a"]) { _ in } }
      let coins = bag.coins
      try realm.write { realm.delete(bag) }
      expectError(.invalidatedObject) { try coins.observe { _ in } }
    }
  }

  @Test func setHasChangeSequence() async throws {
    try await withTemporaryRealm { realm, _ in
      let bag = Bag(1, coins: [Coin(1)])
      try await realm.asyncWrite { realm.add(bag) }
      var changes = bag.coins.changes.makeAsyncIterator()
      guard case .initial(let first, _)? = await changes.next() else {
        Issue.record("There was no state.")
        return
      }
      #expect(first.isFrozen && first.map(\.id) == [1])
      try await realm.asyncWrite { bag.coins.insert(Coin(0)) }
      guard case .update(let second, let change)? = await changes.next() else {
        Issue.record("There was no change.")
        return
      }
      #expect(second.map(\.id) == [0, 1] && change.insertions == [0] && change.moves.isEmpty)
    }
  }

  @Test func objectsAndResultsReportChangesOfTheirSets() throws {
    try withBag { realm, bag, _ in
      let old = realm.freeze()
      try realm.write { bag.coins[0].worth = 9 }
      // A bag is affected by its coins; its own property is unchanged.
      let deep = try realm.freeze().changes(since: old)
      #expect(try deep.changes(of: realm.objects(Bag.self)).modifications == [0])
      #expect(try deep.objects(Bag.self).modifications.isEmpty)
      let before = realm.freeze()
      try realm.write { bag.coins.remove(bag.coins[0]) }
      let now = try realm.freeze().changes(since: before)
      let modified = try now.objects(Bag.self).modifications
      #expect(modified.flatMap { $0.properties.map(\.name) } == ["coins"])
    }
  }

  @Test func keyPathsTraverseSets() throws {
    try withBag { realm, bag, _ in
      let events = EventRecorder<ObservedChange>()
      let properties = EventRecorder<[String]>()
      let tokens = [
        try realm.objects(Bag.self).observe(keyPaths: ["coins.worth"]) {
          events.note(ObservedChange($0))
        },
        try bag.observe(keyPaths: ["coins.mint.town"]) { change in
          if case .change(_, let changed) = change { properties.note(changed.map(\.name)) }
        },
      ]
      _ = events.wait(for: 1)
      let mint = Mint(value: ["town": "Ur"])
      try realm.write { bag.coins[0].mint = mint }
      #expect(properties.wait(for: 1) == [["coins"]])
      try realm.write { mint.town = "Uruk" }
      #expect(properties.wait(for: 2).count == 2)
      try realm.write { bag.coins[0].worth = 3 }
      #expect(events.wait(for: 2) == [.initial(1), .update(1, [], [], [0])])
      tokens.forEach { $0.invalidate() }
    }
  }

  @Test func restoredSetIsUnchanged() throws {
    try withBag { realm, bag, _ in
      let long = String(repeating: "x", count: 900)
      try realm.write { bag.strings.insert(objectsIn: ["a", long]) }
      let old = realm.freeze()
      try realm.write {
        bag.strings.removeAll()
        bag.strings.insert(objectsIn: [long, "a"])
      }
      let changes = try realm.freeze().changes(since: old)
      #expect(try changes.objects(Bag.self).modifications.isEmpty)
      #expect(try changes.changes(of: bag.strings).isEmpty)
    }
  }

  @Test func recreatedOwnerKeepsEqualElements() throws {
    try withBag { realm, bag, _ in
      let old = realm.freeze()
      try realm.write {
        realm.delete(bag)
        let again = Bag(1)
        again.ints.insert(objectsIn: [10, 25, 30])
        realm.add(again)
      }
      let again = try #require(realm.object(ofType: Bag.self, forPrimaryKey: 1))
      let changes = try realm.freeze().changes(since: old).changes(of: again.ints)
      #expect(changes.deletions == [1] && changes.insertions == [1])
    }
  }

  @Test func readsOfASetAreTracked() throws {
    try withTemporaryRealm({ $0.tracksObservation = true }) { realm, _ in
      let bag = Bag(1, coins: [Coin(1)])
      bag.ints.insert(1)
      try realm.write { realm.add(bag) }
      let reads: [(MutableSet<Int>) -> Void] = [
        { _ = $0.count }, { _ = $0.contains(5) }, { _ = $0[0] }, { _ = Array($0) },
        { _ = $0.first }, { _ = $0.isSubset(of: [1]) },
      ]
      let recorder = reads.map { read in
        let recorder = TrackingRecorder()
        recorder.track { read(bag.ints) }
        return recorder
      }
      try realm.write { bag.strings.insert("a") }
      #expect(recorder.allSatisfy { $0.count == 0 })
      try realm.write { bag.ints.insert(2) }
      #expect(recorder.map(\.count) == reads.map { _ in 1 })
    }
  }
}

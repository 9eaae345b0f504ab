import Dispatch
import Foundation
import Observation
import Testing
import Varve

/// The changes that observers receive.
@Suite struct ChangeReferenceTests {
  @Test func keysAreInsertedModifiedOrDeleted() throws {
    try withPantry { realm, pantry, _ in
      let events = EventRecorder<ObservedEntries>()
      let token = try pantry.counts.observe { events.note(ObservedEntries($0)) }
      #expect(events.wait(for: 1) == [.initial(["x", "y", "z"])])
      try realm.write {
        pantry.counts["w"] = 1
        pantry.counts["x"] = 7
        pantry.counts["y"] = nil
        // Setting an equal value is no change, even when the key was removed in between.
        pantry.counts["z"] = nil
        pantry.counts["z"] = 3
        pantry.counts["gone"] = 1
        pantry.counts["gone"] = nil
      }
      #expect(events.wait(for: 2).last == .update(["w", "x", "z"], ["y"], ["w"], ["x"]))
      try realm.write { realm.delete(pantry) }
      #expect(events.wait(for: 3).last == .update([], ["w", "x", "z"]))
      try realm.write { realm.add(PantryFixture.make(), update: .all) }
      try realm.write { realm.objects(Pantry.self).first?.counts["more"] = 1 }
      try realm.refresh()
      #expect(events.all.count == 3)
      token.invalidate()
    }
  }

  @Test func deletedOrChangedObjectModifiesItsKeys() throws {
    try withPantry { realm, pantry, _ in
      let events = EventRecorder<ObservedEntries>()
      let token = try pantry.spices.observe { events.note(ObservedEntries($0)) }
      _ = events.wait(for: 1)
      let keys = ["a", "b", "c", "d", "e"]
      try realm.write { pantry.spices["a"]??.grams = 31 }
      #expect(events.wait(for: 2).last == .update(keys, [], [], ["a", "d"]))
      // A change of a linked object counts as well.
      try realm.write { pantry.spices["b"]??.heat = 9 }
      #expect(events.wait(for: 3).last == .update(keys, [], [], ["a", "b", "d"]))
      try realm.write { realm.delete(realm.objects(Spice.self).where { $0.id == 1 }) }
      #expect(events.wait(for: 4).last == .update(keys, [], [], ["a", "d"]))
      #expect(pantry.spices["a"] == .some(nil) && pantry.spices.count == 5)
      token.invalidate()
    }
  }

  @Test func eachMapObserverHasItsOwnKeyPaths() throws {
    try withPantry { realm, pantry, _ in
      let queue = DispatchQueue(label: "observer")
      let (grams, heat, any) = (
        EventRecorder<ObservedEntries>(), EventRecorder<ObservedEntries>(),
        EventRecorder<ObservedEntries>()
      )
      let tokens = [
        try pantry.spices.observe(keyPaths: ["grams"], on: queue) {
          grams.note(ObservedEntries($0))
        },
        try pantry.spices.observe(keyPaths: ["heat", "blend.heat"]) {
          heat.note(ObservedEntries($0))
        },
        try pantry.spices.observe { any.note(ObservedEntries($0)) },
      ]
      _ = (grams.wait(for: 1), heat.wait(for: 1), any.wait(for: 1))
      let keys = ["a", "b", "c", "d", "e"]
      try realm.write { pantry.spices["c"]??.grams = 1 }
      #expect(any.wait(for: 2).last == .update(keys, [], [], ["c"]))
      // A late observer receives one notification for several commits.
      _ = grams.wait(for: 2)
      try realm.write { pantry.spices["b"]??.heat = 1 }
      _ = (any.wait(for: 3), heat.wait(for: 2))
      try realm.write { pantry.spices["c"] = nil }
      let gone = ObservedEntries.update(["a", "b", "d", "e"], ["c"])
      #expect(any.wait(for: 4).last == gone)
      #expect(grams.wait(for: 3).dropFirst() == [.update(keys, [], [], ["c"]), gone])
      #expect(heat.wait(for: 3).dropFirst() == [.update(keys, [], [], ["a", "b", "d"]), gone])
      for token in tokens { token.invalidate() }
      expectError(.unknownProperty) { try pantry.spices.observe(keyPaths: ["colour"]) { _ in } }
      expectError(.invalidInput) { try pantry.counts.observe(keyPaths: ["grams"]) { _ in } }
    }
  }

  @Test func moveIsReported() async throws {
    try await withTemporaryRealm { realm, _ in
      let pantry = PantryFixture.make()
      try await realm.write { realm.add(pantry) }
      var changes = pantry.row.changes.makeAsyncIterator()
      _ = await changes.next()
      let events = EventRecorder<ObservedChange>()
      let token = try pantry.row.observe { events.note(ObservedChange($0)) }
      _ = events.wait(for: 1)
      try await realm.write { pantry.row.move(from: 1, to: 2) }
      guard case .update(let row, let change) = await changes.next() else {
        Issue.record("There is no change.")
        return
      }
      #expect(row.map(\.id) == [3, 2, 1, 3] && change.modifications.isEmpty)
      #expect(change.deletions.count == 1 && change.insertions.count == 1)
      #expect(change.moves.count == 1 && change.moves.first?.from == change.deletions.first)
      let delivered = events.wait(for: 2).last
      #expect(delivered == .update(4, change.deletions, change.insertions))
      token.invalidate()
    }
  }

  @Test func changesAppliedToOldCollectionResultInNew() throws {
    try withPantry { realm, pantry, _ in
      let delivered = EventRecorder<[Int]>()
      let rows = EventRecorder<Bool>()
      let token = try pantry.numbers.observe { change in
        switch change {
        case .initial(let numbers): delivered.note(Array(numbers))
        case .update(let numbers, let deletions, let insertions, let modifications):
          var applied = delivered.all.last ?? []
          let modified = change.newModifications
          for index in deletions.reversed() { applied.remove(at: index) }
          for index in insertions { applied.insert(numbers[index], at: index) }
          for index in modified { applied[index] = numbers[index] }
          rows.note(
            [deletions, insertions, modifications, modified].allSatisfy { $0 == $0.sorted() })
          delivered.note(applied)
        case .error: Issue.record("Errors are not delivered.")
        }
      }
      _ = delivered.wait(for: 1)
      try realm.write {
        pantry.numbers.remove(at: 1)
        pantry.numbers.insert(contentsOf: [8, 9], at: 0)
        pantry.numbers[3] = 7
        pantry.numbers.append(6)
      }
      #expect(delivered.wait(for: 2) == [[3, 1, 2, 3], [8, 9, 3, 7, 3, 6]])
      #expect(rows.all == [true] && Array(pantry.numbers) == delivered.all[1])
      token.invalidate()
    }
  }

  @Test func objectChangeReportsOldAndNewValues() throws {
    try withPantry { realm, pantry, _ in
      let queue = DispatchQueue(label: "observer")
      let spice = pantry.row[0]
      let events = EventRecorder<[String]>()
      let token = try spice.observe(on: queue) { change in
        switch change {
        case .change(let spice, let properties):
          events.note(properties.map(\.description) + ["\(spice.grams)"])
        case .deleted: events.note(["deleted"])
        case .error: events.note(["error"])
        }
      }
      // Object observers receive no initial notification.
      queue.sync {}
      #expect(events.all.isEmpty)
      try queue.sync {
        // Properties are listed in declaration order, and several commits share one call.
        try realm.write { spice.grams = 21 }
        try realm.write {
          spice.grams = 22
          spice.name = "salt"
        }
        try realm.write { pantry.row[1].grams = 1 }
      }
      #expect(events.wait(for: 1) == [["name: salt -> salt", "grams: 20 -> 22", "22"]])
      try realm.write { spice.parts.append(pantry.row[1]) }
      #expect(events.wait(for: 2).last == ["parts: nil -> nil", "22"])
      try realm.write { realm.delete(spice) }
      #expect(events.wait(for: 3).last == ["deleted"])
      try realm.write { realm.create(Spice.self, value: ["id": 3]) }
      queue.sync {}
      #expect(events.all.count == 3)
      token.invalidate()
    }
  }

  @Test func objectObserverReportsOnlyRequestedKeyPaths() throws {
    try withPantry { realm, pantry, _ in
      let queue = DispatchQueue(label: "observer")
      let spice = try #require(realm.object(ofType: Spice.self, forPrimaryKey: 1))
      let (some, none, every) = (
        EventRecorder<[String]>(), EventRecorder<[String]>(), EventRecorder<[String]>()
      )
      func observe(_ paths: [String]?, _ events: EventRecorder<[String]>) throws
        -> NotificationToken
      {
        try spice.observe(keyPaths: paths, on: queue) { change in
          switch change {
          case .change(_, let properties): events.note(properties.map(\.name))
          case .deleted: events.note(["deleted"])
          case .error: events.note(["error"])
          }
        }
      }
      let tokens = [
        try observe(["name", "blend.heat"], some), try observe([], none), try observe(nil, every),
      ]
      try realm.write { spice.grams = 5 }
      #expect(every.wait(for: 1) == [["grams"]])
      try realm.write { spice.blend?.heat = 3 }
      #expect(some.wait(for: 1) == [["blend"]])
      try realm.write { spice.name = "rock salt" }
      #expect(some.wait(for: 2) == [["blend"], ["name"]] && every.wait(for: 2).last == ["name"])
      try realm.write { realm.delete(spice) }
      #expect(some.wait(for: 3).last == ["deleted"] && none.wait(for: 1) == [["deleted"]])
      for token in tokens { token.invalidate() }
      expectError(.unknownProperty) { try pantry.observe(keyPaths: ["colour"]) { _ in } }
      expectError(.invalidInput) { try pantry.row[1].observe(keyPaths: ["name.x"]) { _ in } }
    }
  }

  @Test func clearedLinkNotifiesTrackedRead() throws {
    try withTemporaryRealm({ $0.tracksObservation = true }) { realm, _ in
      try realm.write { realm.add(PantryFixture.make()) }
      let spice = try #require(realm.object(ofType: Spice.self, forPrimaryKey: 1))
      let delivered = EventRecorder<String>()
      withObservationTracking {
        _ = spice.blend?.heat
      } onChange: {
        delivered.note("blend")
      }
      try realm.write { spice.blend = nil }
      #expect(delivered.wait(for: 1) == ["blend"] && spice.blend?.heat == nil)
    }
  }

  @Test func trackedUnmanagedObjectMayBeAdded() throws {
    try withTemporaryRealm({ $0.tracksObservation = true }) { realm, _ in
      let spice = Spice(value: ["id": 1, "name": "salt"])
      let delivered = EventRecorder<String>()
      withObservationTracking {
        _ = spice.name
      } onChange: {
        delivered.note("unmanaged")
      }
      try realm.write { realm.add(spice) }
      withObservationTracking {
        _ = spice.name
      } onChange: {
        delivered.note("managed")
      }
      try realm.write { spice.name = "pepper" }
      #expect(delivered.wait(for: 1) == ["managed"])
    }
  }
}

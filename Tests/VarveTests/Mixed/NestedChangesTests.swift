import Foundation
import Observation
import Testing
import Varve

/// Changes reported for collections nested in a mixed value.
@Suite struct NestedChangesTests {
  private func withCrate(
    tracks: Bool = false, _ body: (Realm, MixedBox) throws -> Void
  ) throws {
    try withTemporaryRealm({ $0.tracksObservation = tracks }) { realm, _ in
      let crate = MixedBox(id: 1, value: [["k": [1, 2]], "x"])
      crate.items.append(objectsIn: ["a", ["k": [1]], "b"])
      crate.fields["f"] = [["g": 1]]
      crate.fields["h"] = 1
      try realm.write { realm.add(crate) }
      try body(realm, crate)
    }
  }

  @Test func nestedChangeModifiesEveryEnclosingCollectionAndRow() throws {
    try withCrate { realm, crate in
      let before = realm.freeze()
      try realm.write { crate.value[0]?["k"]?.listValue?.append(3) }
      try realm.write { crate.items[1]["k"]?.listValue?.append(3) }
      try realm.write { crate.fields["f"]?[0]?.dictionaryValue?["g"] = 2 }
      let changes = try realm.changes(since: before)
      let found = try changes.objects(MixedBox.self).modifications
      #expect(found.map { $0.properties.map(\.name) } == [["value", "items", "fields"]])
      #expect(try changes.changes(of: crate.items).modifications == [1])
      #expect(try changes.changes(of: crate.fields).modifications == ["f"])
      let list = try #require(crate.value.listValue)
      #expect(try changes.changes(of: list).modifications == [0])
      let map = try #require(crate.value[0]?.dictionaryValue)
      #expect(try changes.changes(of: map).modifications == ["k"])
      let inner = try #require(map["k"]?.listValue)
      #expect(try changes.changes(of: inner).insertions == [2])
      expectError(.invalidInput) { try changes.changes(of: inner, keyPaths: ["name"]) }
    }
  }

  @Test func unchangedNestedCollectionReportsNoChange() throws {
    try withCrate { realm, crate in
      let before = realm.freeze()
      let list = try #require(crate.value[0]?["k"]?.listValue)
      try realm.write {
        list[0] = 1
        crate.items[1].dictionaryValue?["absent"] = nil
        crate.tag = 1
      }
      let changes = try realm.changes(since: before)
      let found = try changes.objects(MixedBox.self).modifications
      #expect(found.map { $0.properties.map(\.name) } == [["tag"]])
      #expect(try changes.changes(of: list).isEmpty)
    }
  }

  /// The number of elements stays the same, and a nested list has no counter of its changes.
  @Test func resultsOfNestedListReportReplacedElements() async throws {
    try await withTemporaryRealm { realm, _ in
      let crate = MixedBox(id: 1, value: [1, 3])
      try await realm.write { realm.add(crate) }
      let sorted = try #require(crate.value.listValue).sorted(ascending: true)
      var changes = sorted.changes.makeAsyncIterator()
      guard case .initial = await changes.next() else {
        Issue.record("no initial state")
        return
      }
      try await realm.write { crate.value.listValue?[1] = 2 }
      guard case .update(let next, let change) = await changes.next() else {
        Issue.record("no update")
        return
      }
      #expect(next.map(\.self) == [1, 2])
      #expect(change.deletions == [1] && change.insertions == [1])
    }
  }

  @Test func replacedCollectionReportsDeletions() throws {
    try withCrate { realm, crate in
      let before = realm.freeze()
      let inner = try #require(crate.value[0]?["k"]?.listValue)
      let map = try #require(crate.fields["f"]?[0]?.dictionaryValue)
      try realm.write {
        crate.value = 1
        crate.fields["f"] = [["g": 1]]
      }
      let changes = try realm.changes(since: before)
      #expect(try changes.changes(of: inner).deletions == [0, 1])
      #expect(try changes.changes(of: map).deletions == ["g"])
      #expect(try changes.changes(of: crate.fields).modifications == ["f"])
    }
  }

  @Test func changeOfLinkedObjectModifiesEnclosingElement() throws {
    try withCrate { realm, crate in
      let gadget = Gadget(name: "a")
      try realm.write {
        crate.items.append(objectsIn: [.object(gadget), [["deep": [.object(gadget)]], 1], "c"])
        crate.fields["direct"] = .object(gadget)
        crate.fields["deep"] = ["k": [.object(gadget)]]
      }
      let before = realm.freeze()
      try realm.write { gadget.weight = 5 }
      let changes = try realm.changes(since: before)
      #expect(try changes.changes(of: crate.items).modifications == [3, 4])
      #expect(try changes.changes(of: crate.fields).modifications == ["deep", "direct"])
      let deep = try #require(crate.items[4].listValue)
      #expect(try changes.changes(of: deep).modifications == [0])
      let map = try #require(crate.fields["deep"]?.dictionaryValue)
      #expect(try changes.changes(of: map).modifications == ["k"])
      #expect(try changes.changes(of: try #require(crate.value.listValue)).isEmpty)
      #expect(try changes.objects(MixedBox.self).isEmpty)
    }
  }

  @Test func nestedCollectionsAreObserved() throws {
    try withCrate { realm, crate in
      let inner = try #require(crate.value[0]?["k"]?.listValue)
      let map = try #require(crate.value[0]?.dictionaryValue)
      let events = EventRecorder<ObservedChange>()
      let keys = EventRecorder<[String]>()
      let token = try inner.observe { events.note(ObservedChange($0)) }
      let mapToken = try map.observe { change in
        if case .update(_, let deletions, let insertions, let modifications) = change {
          keys.note(deletions.map { "-" + $0 } + insertions.map { "+" + $0 } + modifications)
        } else {
          keys.note([])
        }
      }
      #expect(events.wait(for: 1) == [.initial(2)])
      #expect(keys.wait(for: 1) == [[]])
      try realm.write { inner.append(3) }
      _ = (events.wait(for: 2), keys.wait(for: 2))
      try realm.write { map["l"] = inner.isEmpty ? nil : 1 }
      _ = keys.wait(for: 3)
      try realm.write { crate.value = .none }
      #expect(
        events.wait(for: 3) == [
          .initial(2), .update(3, [], [2], []), .update(0, [0, 1, 2], [], []),
        ])
      #expect(keys.wait(for: 4) == [[], ["k"], ["+l"], ["-k", "-l"]])
      expectError(.invalidatedObject) { try inner.observe { _ in } }
      expectError(.frozen) { try crate.freeze().items.observe { _ in } }
      withExtendedLifetime((token, mapToken)) {}
    }
  }

  @Test func changeSequenceEndsWhenCollectionIsDeleted() async throws {
    try await withTemporaryRealm { (realm: Realm, _: TemporaryRealm) async throws in
      let crate = MixedBox(id: 1, value: [1])
      try await realm.write { realm.add(crate) }
      let list = try #require(crate.value.listValue)
      var counts: [Int] = []
      for await change in list.changes {
        counts.append(change.collection.count)
        try await realm.write { [count = counts.count] in
          if count == 1 { list.append(2) } else { crate.value = 0 }
        }
      }
      #expect(counts == [1, 2, 0])
    }
  }

  @Test func trackedReadsAreNotifiedOfNestedChanges() throws {
    try withCrate(tracks: true) { realm, crate in
      let inner = try #require(crate.value[0]?["k"]?.listValue)
      let notified = EventRecorder<Bool>()
      withObservationTracking {
        _ = inner.count
      } onChange: {
        notified.note(true)
      }
      try realm.write { crate.tag = 5 }
      #expect(notified.all.isEmpty)
      try realm.write { inner.append(1) }
      #expect(notified.wait(for: 1) == [true])
    }
  }
}

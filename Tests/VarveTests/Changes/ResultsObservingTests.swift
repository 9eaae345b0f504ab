import Dispatch
import Testing
import Varve

@Suite struct ResultsObservingTests {
  private func withFlock(_ body: (Realm, TemporaryRealm) throws -> Void) throws {
    try withTemporaryRealm { realm, store in
      try realm.write { for id in 0..<10 { realm.add(Ewe(id, name: "ewe \(9 - id)", age: id)) } }
      try body(realm, store)
    }
  }

  @Test func wholeClassReportsEachKindOfChange() throws {
    try withFlock { realm, _ in
      let events = EventRecorder<ObservedChange>()
      let token = try realm.objects(Ewe.self).observe { events.note(ObservedChange($0)) }
      _ = events.wait(for: 1)
      try realm.write {
        realm.add(Ewe(100))
        realm.object(ofType: Ewe.self, forPrimaryKey: 3)?.name = "Dolly"
        if let ewe = realm.object(ofType: Ewe.self, forPrimaryKey: 5) { realm.delete(ewe) }
      }
      #expect(events.wait(for: 2) == [.initial(10), .update(10, [5], [9], [3])])
      token.invalidate()
    }
  }

  @Test func filteredAndSortedQueryReportsChanges() throws {
    try withFlock { realm, _ in
      let old = realm.objects(Ewe.self).where { $0.age >= 5 }
      let events = EventRecorder<ObservedChange>()
      let sorted = EventRecorder<ObservedChange>()
      let tokens = [
        try old.observe { events.note(ObservedChange($0)) },
        try old.sorted(by: \.name).observe { sorted.note(ObservedChange($0)) },
      ]
      _ = (events.wait(for: 1), sorted.wait(for: 1))
      // Sorted by name: 9 8 7 6 5.
      try realm.write {
        realm.object(ofType: Ewe.self, forPrimaryKey: 9)?.age = 1
        realm.object(ofType: Ewe.self, forPrimaryKey: 0)?.age = 50
        realm.object(ofType: Ewe.self, forPrimaryKey: 6)?.name = "a"
      }
      #expect(events.wait(for: 2) == [.initial(5), .update(5, [4], [0], [1])])
      #expect(sorted.wait(for: 2) == [.initial(5), .update(5, [0, 3], [0, 4], [])])
      for token in tokens { token.invalidate() }
    }
  }

  @Test func changeOfLinkedObjectIsModification() throws {
    try withFlock { realm, _ in
      try realm.write {
        let farm = Farm("Hill")
        realm.add(farm)
        realm.object(ofType: Ewe.self, forPrimaryKey: 4)?.farm = farm
        realm.object(ofType: Ewe.self, forPrimaryKey: 7)?.lambs.append(
          realm.object(ofType: Ewe.self, forPrimaryKey: 4) ?? Ewe())
      }
      let events = EventRecorder<ObservedChange>()
      let named = EventRecorder<ObservedChange>()
      let ewes = realm.objects(Ewe.self)
      let tokens = [
        try ewes.observe { events.note(ObservedChange($0)) },
        try ewes.observe(keyPaths: ["farm.area"]) { named.note(ObservedChange($0)) },
      ]
      _ = (events.wait(for: 1), named.wait(for: 1))
      try realm.write { realm.object(ofType: Farm.self, forPrimaryKey: "Hill")?.area = 7 }
      #expect(events.wait(for: 2) == [.initial(10), .update(10, [], [], [4, 7])])
      #expect(named.wait(for: 2) == [.initial(10), .update(10, [], [], [4])])
      for token in tokens { token.invalidate() }
    }
  }

  @Test func sequenceDeliversEachChangeOnce() async throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let realm = try store.open()
    try await realm.write { realm.add(Ewe(1)) }
    var iterator = realm.objects(Ewe.self).changes.makeAsyncIterator()
    let first = await iterator.next()
    #expect(first?.collection.count == 1)
    try await realm.write { realm.add(Ewe(2)) }
    try await realm.write { realm.add(Ewe(3)) }
    guard case .update(let ewes, let changes) = await iterator.next() else {
      Issue.record("No update came.")
      return
    }
    #expect(ewes.map(\.id) == [1, 2, 3])
    #expect(changes.insertions == [1, 2])
  }

  @Test func listMapAndObjectReportChanges() throws {
    try withFlock { realm, _ in
      let ewe = try #require(realm.object(ofType: Ewe.self, forPrimaryKey: 1))
      let marks = EventRecorder<ObservedChange>()
      let notes = EventRecorder<[[String]]>()
      let names = EventRecorder<[String]>()
      let tokens = [
        try ewe.marks.observe { marks.note(ObservedChange($0)) },
        try ewe.notes.observe { change in
          guard case .update(_, let deletions, let insertions, let modifications) = change else {
            return notes.note([])
          }
          notes.note([deletions, insertions, modifications])
        },
        try ewe.observe { change in
          switch change {
          case .change(_, let properties): names.note(properties.map(\.description))
          case .deleted: names.note(["deleted"])
          case .error: break
          }
        },
      ]
      _ = (marks.wait(for: 1), notes.wait(for: 1))
      try realm.write {
        ewe.marks.append(objectsIn: [1, 2, 3])
        ewe.notes["a"] = "b"
        ewe.name = "Dolly"
      }
      _ = (marks.wait(for: 2), notes.wait(for: 2), names.wait(for: 1))
      try realm.write {
        ewe.marks[1] = 7
        ewe.marks.removeLast()
        ewe.notes["a"] = "c"
        ewe.notes["z"] = "z"
      }
      #expect(
        marks.wait(for: 3) == [
          .initial(0), .update(3, [], [0, 1, 2], []), .update(2, [2], [], [1]),
        ])
      #expect(notes.wait(for: 3) == [[], [[], ["a"], []], [[], ["z"], ["a"]]])
      _ = names.wait(for: 2)
      try realm.write { realm.delete(ewe) }
      #expect(marks.wait(for: 4).last == .update(0, [0, 1], [], []))
      #expect(
        names.wait(for: 3) == [
          ["name: ewe 8 -> Dolly", "marks: nil -> nil", "notes: nil -> nil"],
          ["marks: nil -> nil", "notes: nil -> nil"], ["deleted"],
        ])
      for token in tokens { token.invalidate() }
    }
  }
}

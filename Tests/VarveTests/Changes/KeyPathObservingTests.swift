import Testing
import Varve
import VarveTestSupport

/// Observed properties given by name and by Swift key path.
@Suite struct KeyPathObservingTests {
  @Test func observersAcceptSwiftKeyPaths() throws {
    try withTemporaryRealm { realm, _ in
      let (ewe, lamb) = (Ewe(1), Ewe(2))
      try realm.write {
        realm.add([ewe, lamb])
        ewe.lambs.append(lamb)
        ewe.friends["a"] = lamb
        lamb.farm = Farm("Home")
      }
      let (results, list, linking) = (
        EventRecorder<ObservedChange>(), EventRecorder<ObservedChange>(),
        EventRecorder<ObservedChange>()
      )
      let (map, object) = (EventRecorder<[String]>(), EventRecorder<[String]>())
      let tokens = [
        try realm.objects(Ewe.self).observe(keyPaths: [\.age, \.farm?.area]) {
          results.note(ObservedChange($0))
        },
        try ewe.lambs.observe(keyPaths: [\.age]) { list.note(ObservedChange($0)) },
        try lamb.parents.observe(keyPaths: [\Ewe.age]) { linking.note(ObservedChange($0)) },
        try ewe.friends.observe(keyPaths: [\Ewe.age]) { change in
          if case .update(_, _, _, let modifications) = change { map.note(modifications) }
          if case .initial(let friends) = change { map.note(Array(friends.keys)) }
        },
        try lamb.observe(keyPaths: [\.farm?.area]) { change in
          if case .change(_, let properties) = change { object.note(properties.map(\.name)) }
        },
      ]
      _ = (results.wait(for: 1), list.wait(for: 1), linking.wait(for: 1), map.wait(for: 1))
      // Changes of unobserved properties are not delivered.
      try realm.write { for ewe in [ewe, lamb] { ewe.name = "Dolly" } }
      try realm.write {
        ewe.age = 5
        lamb.age = 4
      }
      _ = results.wait(for: 2)
      try realm.write { lamb.farm?.area = 7 }
      #expect(
        results.wait(for: 3).dropFirst() == [.update(2, [], [], [0, 1]), .update(2, [], [], [1])])
      #expect(list.wait(for: 2).dropFirst() == [.update(1, [], [], [0])])
      #expect(linking.wait(for: 2).dropFirst() == [.update(1, [], [], [0])])
      #expect(map.wait(for: 2) == [["a"], ["a"]])
      #expect(object.wait(for: 1) == [["farm"]])
      for token in tokens { token.invalidate() }
    }
  }

  @Test func sortPropertyIsNotObservedImplicitly() throws {
    try withTemporaryRealm { realm, _ in
      let ewes = [Ewe(1, age: 1), Ewe(2, age: 2), Ewe(3, age: 3)]
      let mother = Ewe(9)
      try realm.write {
        realm.add(ewes)
        mother.lambs.append(objectsIn: ewes)
        realm.add(mother)
      }
      let before = realm.freeze()
      try realm.write {
        ewes[2].age = 30
        ewes[0].name = "Dolly"
      }
      let changes = try realm.changes(since: before)
      for results in [
        realm.objects(Ewe.self).where { $0.age > 0 }.sorted(by: \.age),
        mother.lambs.sorted(by: \.age),
      ] {
        #expect(try changes.changes(of: results, keyPaths: ["name"]).modifications == [0])
        #expect(try changes.changes(of: results).modifications == [0, 2])
        let moved = try changes.changes(of: results.sorted(by: \.name), keyPaths: ["farm"])
        #expect(moved.modifications.isEmpty && moved.moves.count == 1)
      }
    }
  }

  @Test func sequencesAcceptSwiftKeyPaths() async throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let realm = try store.open()
    let ewe = Ewe(1)
    try await realm.asyncWrite { realm.add(ewe) }
    var changes = try realm.objects(Ewe.self).changes(keyPaths: [\.age]).makeAsyncIterator()
    _ = await changes.next()
    try await realm.asyncWrite { ewe.name = "Dolly" }
    try await realm.asyncWrite { ewe.age = 3 }
    guard case .update(let ewes, let change) = await changes.next() else {
      Issue.record("There is no change.")
      return
    }
    #expect(ewes.first?.age == 3)
    #expect(change.modifications == [0])
  }

  @Test func keyPathToNonPropertyThrows() throws {
    try withTemporaryRealm { realm, _ in
      let ewe = Ewe(1)
      try realm.write { realm.add(ewe) }
      let ewes = realm.objects(Ewe.self)
      expectError(.unknownProperty) { try ewes.observe(keyPaths: [\.name.count]) { _ in } }
      expectError(.unknownProperty) { try ewe.observe(keyPaths: [\.hashValue]) { _ in } }
      expectError(.unknownProperty) { try ewe.lambs.changes(keyPaths: [\.isFrozen]) }
    }
  }

  @Test func modificationsHaveNewIndexes() throws {
    var random = SeededRandom()
    for _ in 0..<200 {
      let old = (0..<random.int(1...12)).map { $0 }
      let deleted = old.filter { _ in random.int(0...2) == 0 }
      let modified = old.filter { !deleted.contains($0) && random.int(0...1) == 0 }
      var new = old.filter { !deleted.contains($0) }
      var insertions: [Int] = []
      for _ in 0..<random.int(0...5) {
        let index = random.int(
          (insertions.last.map { $0 + 1 } ?? 0)...max(new.count, (insertions.last ?? -1) + 1))
        guard index <= new.count else { break }
        new.insert(-1, at: index)
        insertions.append(index)
      }
      let change = RealmCollectionChange.update(
        new, deletions: deleted, insertions: insertions, modifications: modified)
      #expect(change.newModifications.map { new[$0] } == modified, "\(random)")
    }
    #expect(RealmCollectionChange.initial([1]).newModifications.isEmpty)
  }
}

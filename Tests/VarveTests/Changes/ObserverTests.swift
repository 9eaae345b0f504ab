import Dispatch
import Foundation
import Testing
import Varve
import VarveCore
import VarveLocks
import VarveStorage
import VarveTestSupport

/// What observers receive, and when they start and stop receiving it.
@Suite struct ObserverTests {
  @Test func callbackCanWrite() throws {
    try withTemporaryRealm { realm, _ in
      let events = EventRecorder<ObservedChange>()
      let token = try realm.objects(Ewe.self).observe { change in
        events.note(ObservedChange(change))
        guard case .update(let ewes, _, _, _) = change, ewes.count < 4 else { return }
        do {
          try realm.write { realm.add(Ewe(ewes.count + 1)) }
        } catch {
          Issue.record(error)
        }
      }
      _ = events.wait(for: 1)
      try realm.write { realm.add(Ewe(1)) }
      #expect(
        events.wait(for: 5) == [
          .initial(0), .update(1, [], [0], []), .update(2, [], [1], []), .update(3, [], [2], []),
          .update(4, [], [3], []),
        ])
      token.invalidate()
    }
  }

  @Test func callbackCanAddObserver() throws {
    try withTemporaryRealm { realm, _ in
      let events = EventRecorder<ObservedChange>()
      let inner = TokenHolder()
      let token = try realm.objects(Ewe.self).observe { change in
        guard case .update = change, inner.token.withLock({ $0 == nil }) else { return }
        do {
          let token = try realm.objects(Ewe.self).observe { events.note(ObservedChange($0)) }
          inner.token.withLock { $0 = token }
        } catch {
          Issue.record(error)
        }
      }
      try realm.write { realm.add(Ewe(1)) }
      // The first write may precede the first call, which then includes it.
      try realm.write { realm.add(Ewe(2)) }
      while events.all.isEmpty {
        try realm.write { realm.add(Ewe(realm.objects(Ewe.self).count + 1)) }
        usleep(1000)
      }
      guard case .some(let first) = events.all.first else { return }
      #expect(first.insertions == nil)
      token.invalidate()
      inner.token.withLock { $0 }?.invalidate()
    }
  }

  @Test func capturedResultsMatchDeliveredIndexes() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { for id in 0..<5 { realm.add(Ewe(id)) } }
      let ewes = realm.objects(Ewe.self).sorted(by: \.age)
      let counts = EventRecorder<[Int]>()
      let queue = DispatchQueue(label: "observer")
      let token = try ewes.observe(on: queue) { change in
        switch change {
        case .initial(let given): counts.note([given.count, ewes.count])
        case .update(let given, _, let insertions, _):
          counts.note([given.count, ewes.count] + insertions.map { ewes[$0].id })
        case .error: break
        }
      }
      #expect(counts.wait(for: 1) == [[5, 5]])
      let other = try store.open()
      try queue.sync {
        for id in [7, 8] { try other.write { other.add(Ewe(id, age: 10 - id)) } }
      }
      #expect(counts.wait(for: 2).last == [7, 7, 8, 7])
      token.invalidate()
    }
  }

  @Test func writeWithoutNotifyingSkipsObserver() throws {
    try withTemporaryRealm { realm, _ in
      let queue = DispatchQueue(label: "observer")
      let events = EventRecorder<ObservedChange>()
      let other = EventRecorder<ObservedChange>()
      let token = try realm.objects(Ewe.self).observe(on: queue) { events.note(ObservedChange($0)) }
      let kept = try realm.objects(Ewe.self).observe(on: queue) { other.note(ObservedChange($0)) }
      _ = (events.wait(for: 1), other.wait(for: 1))
      // The observers are called after all three writes.
      try queue.sync {
        try realm.write { realm.add(Ewe(1)) }
        try realm.write(withoutNotifying: [token]) { realm.add(Ewe(0)) }
        try realm.write { realm.add(Ewe(2)) }
      }
      #expect(
        events.wait(for: 3) == [.initial(0), .update(1, [], [0], []), .update(3, [], [2], [])])
      #expect(other.wait(for: 2) == [.initial(0), .update(3, [], [0, 1, 2], [])])
      // A write that is rolled back does not skip any notification.
      try? realm.write(withoutNotifying: [token]) { throw CancellationError() }
      try realm.write { realm.add(Ewe(3)) }
      #expect(events.wait(for: 4).last == .update(4, [], [3], []))
      for token in [token, kept] { token.invalidate() }
    }
  }

  @Test func deletionOfParentIsDeliveredOnce() throws {
    try withTemporaryRealm { realm, _ in
      let ewe = Ewe(1)
      try realm.write {
        realm.add(ewe)
        ewe.lambs.append(objectsIn: [Ewe(2), Ewe(3)])
      }
      let events = EventRecorder<ObservedChange>()
      let others = EventRecorder<ObservedChange>()
      let tokens = [
        try ewe.lambs.observe { events.note(ObservedChange($0)) },
        try realm.objects(Ewe.self).observe { others.note(ObservedChange($0)) },
      ]
      _ = (events.wait(for: 1), others.wait(for: 1))
      try realm.write { realm.delete(ewe) }
      _ = others.wait(for: 2)
      try realm.write { realm.add(Ewe(1)) }
      _ = others.wait(for: 3)
      #expect(events.wait(for: 2) == [.initial(2), .update(0, [0, 1], [], [])])
      for token in tokens { token.invalidate() }
    }
  }

  @Test func newObjectsCanBeObservedInTheirWrite() throws {
    try withTemporaryRealm { realm, _ in
      let marks = EventRecorder<ObservedChange>()
      let notes = EventRecorder<[String]>()
      let names = EventRecorder<[String]>()
      let queue = DispatchQueue(label: "observer")
      var tokens: [NotificationToken] = []
      try realm.write {
        let ewe = Ewe(1)
        realm.add(ewe)
        tokens = [
          try ewe.marks.observe(on: queue) { marks.note(ObservedChange($0)) },
          try ewe.notes.observe(on: queue) { change in
            if case .update(_, _, let insertions, _) = change { notes.note(insertions) }
          },
          try ewe.observe(on: queue) { change in
            if case .change(_, let properties) = change { names.note(properties.map(\.name)) }
          },
        ]
        // The first calls precede the commit: the object does not exist yet.
        #expect(marks.wait(for: 1) == [.initial(0)])
        queue.sync {}
        ewe.marks.append(objectsIn: [5, 6])
        ewe.notes["a"] = "b"
      }
      #expect(marks.wait(for: 2) == [.initial(0), .update(2, [], [0, 1], [])])
      #expect(notes.wait(for: 1) == [["a"]])
      let ewe = try #require(realm.object(ofType: Ewe.self, forPrimaryKey: 1))
      // Until the observer has passed the commit that created the object, no change of the object
      // is delivered.
      while names.all.isEmpty {
        try realm.write { ewe.name = "Dolly" }
        usleep(1000)
      }
      #expect(names.all.first == ["name"])
      for token in tokens { token.invalidate() }
    }
  }

  @Test func rolledBackObjectsAreNeverDelivered() throws {
    try withTemporaryRealm { realm, _ in
      let marks = EventRecorder<ObservedChange>()
      let lambs = EventRecorder<ObservedChange>()
      let names = EventRecorder<String>()
      let all = EventRecorder<ObservedChange>()
      var tokens: [NotificationToken] = []
      try? realm.write {
        let ewe = Ewe(1)
        realm.add(ewe)
        tokens = [
          try ewe.marks.observe { marks.note(ObservedChange($0)) },
          try ewe.lambs.where { $0.age >= 0 }.observe { lambs.note(ObservedChange($0)) },
          try ewe.observe { change in
            if case .deleted = change { names.note("deleted") } else { names.note("other") }
          },
        ]
        throw CancellationError()
      }
      tokens.append(try realm.objects(Ewe.self).observe { all.note(ObservedChange($0)) })
      _ = (marks.wait(for: 1), lambs.wait(for: 1), all.wait(for: 1))
      // Another object gets the same key and therefore the same id.
      for number in 1...3 {
        try realm.write {
          realm.create(
            Ewe.self, value: ["id": 1, "name": "n\(number)", "marks": [number]], update: .modified)
          realm.object(ofType: Ewe.self, forPrimaryKey: 1)?.lambs.append(Ewe(number + 10))
        }
        _ = all.wait(for: number + 1)
      }
      #expect(names.wait(for: 1) == ["deleted"])
      #expect(marks.all.allSatisfy { $0.insertions ?? [] == [] })
      #expect(lambs.all.allSatisfy { $0.insertions ?? [] == [] })
      #expect(all.all.last?.count == 4)
      for token in tokens { token.invalidate() }
    }
  }

  @Test func objectKeyPathCanBeginWithLinkingObjects() throws {
    try withTemporaryRealm { realm, _ in
      let (lamb, parent) = (Ewe(1), Ewe(2))
      try realm.write { realm.add([lamb, parent]) }
      let names = EventRecorder<[String]>()
      let token = try lamb.observe(keyPaths: ["parents.name", "age"]) { change in
        if case .change(_, let properties) = change { names.note(properties.map(\.name)) }
      }
      try realm.write { parent.lambs.append(lamb) }
      #expect(names.wait(for: 1) == [["parents"]])
      try realm.write {
        parent.age = 5
        lamb.name = "Dolly"
      }
      try realm.write { parent.name = "Molly" }
      #expect(names.wait(for: 2) == [["parents"], ["parents"]])
      try realm.write { lamb.age = 3 }
      #expect(names.wait(for: 3).last == ["age"])
      token.invalidate()
    }
  }

  @Test func linkingObjectsAreObserved() throws {
    try withTemporaryRealm { realm, _ in
      let lamb = Ewe(1)
      try realm.write {
        realm.add(lamb)
        for id in 2...4 { realm.add(Ewe(id)) }
      }
      let events = EventRecorder<ObservedChange>()
      let token = try lamb.parents.observe { events.note(ObservedChange($0)) }
      _ = events.wait(for: 1)
      try realm.write { realm.object(ofType: Ewe.self, forPrimaryKey: 3)?.lambs.append(lamb) }
      _ = events.wait(for: 2)
      try realm.write {
        realm.object(ofType: Ewe.self, forPrimaryKey: 2)?.lambs.append(lamb)
        realm.object(ofType: Ewe.self, forPrimaryKey: 3)?.name = "Dolly"
      }
      #expect(
        events.wait(for: 3) == [.initial(0), .update(1, [], [0], []), .update(2, [], [0], [0])])
      token.invalidate()
    }
  }

  @Test func revertedChangeIsNotDelivered() throws {
    try withTemporaryRealm { realm, _ in
      let ewe = Ewe(1)
      try realm.write { realm.add(ewe) }
      let marks = EventRecorder<ObservedChange>()
      let names = EventRecorder<[String]>()
      let tokens = [
        try ewe.marks.observe { marks.note(ObservedChange($0)) },
        try ewe.observe { change in
          if case .change(_, let properties) = change { names.note(properties.map(\.name)) }
        },
      ]
      _ = marks.wait(for: 1)
      try realm.write {
        ewe.marks.append(1)
        ewe.marks.removeLast()
      }
      try realm.write { ewe.name = ewe.name }
      #expect(names.wait(for: 1) == [["name"]])
      try realm.write { ewe.marks.append(2) }
      #expect(marks.wait(for: 2) == [.initial(0), .update(1, [], [0], [])])
      for token in tokens { token.invalidate() }
    }
  }

  @Test func observingUnmanagedOrFrozenThrows() throws {
    try withTemporaryRealm { realm, _ in
      let ewe = Ewe(1)
      expectError(.unmanaged) { try ewe.observe { _ in } }
      expectError(.unmanaged) { try ewe.marks.observe { _ in } }
      expectError(.unmanaged) { try ewe.notes.observe { _ in } }
      expectError(.unmanaged) { try ewe.parents.observe { _ in } }
      try realm.write { realm.add(ewe) }
      let frozen = ewe.freeze()
      expectError(.frozen) { try frozen.observe { _ in } }
      expectError(.frozen) { try frozen.marks.observe { _ in } }
      expectError(.frozen) { try realm.freeze().observe { _, _ in } }
      expectError(.frozen) { try realm.objects(Ewe.self).freeze().observe { _ in } }
      try realm.write { realm.add(Ewe(2)) }
      let deleted = try #require(realm.object(ofType: Ewe.self, forPrimaryKey: 2))
      let lambs = deleted.lambs.where { $0.age > 1 }
      try realm.write { realm.delete(deleted) }
      expectError(.invalidatedObject) { try deleted.observe { _ in } }
      expectError(.invalidatedObject) { try deleted.marks.observe { _ in } }
      expectError(.invalidatedObject) { try deleted.notes.observe { _ in } }
      expectError(.invalidatedObject) { try deleted.parents.observe { _ in } }
      expectError(.invalidatedObject) { try lambs.observe { _ in } }
      let ewes = realm.objects(Ewe.self)
      expectError(.unknownProperty) { try ewes.observe(keyPaths: ["nothing"]) { _ in } }
      expectError(.unknownProperty) { try ewes.observe(keyPaths: ["farm.nothing"]) { _ in } }
      expectError(.invalidInput) { try ewes.observe(keyPaths: ["name.length"]) { _ in } }
      expectError(.invalidInput) { try ewe.marks.observe(keyPaths: ["name"]) { _ in } }
    }
  }

  @Test(.timeLimit(.minutes(1))) func observersRunOnTheirActor() async throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let realm = try store.open()
    let flock = Flock()
    let tokens = [try await flock.observe(realm), try await flock.observeAll(realm)]
    while await flock.counts.isEmpty { await Task.yield() }
    try await realm.asyncWrite { realm.add(Ewe(1)) }
    while await flock.counts.count < 2 { await Task.yield() }
    #expect(await flock.counts == [0, 1])
    while await flock.versions.isEmpty { await Task.yield() }
    #expect(await flock.versions == [realm.version])
    for token in tokens { token.invalidate() }
  }

  private actor Flock {
    private(set) var counts: [Int] = []

    private(set) var versions: [Realm.Version] = []

    func observeAll(_ realm: Realm) async throws -> NotificationToken {
      try await realm.observe(on: self) { flock, _, realm in flock.versions.append(realm.version) }
    }

    func observe(_ realm: Realm) async throws -> NotificationToken {
      try await realm.objects(Ewe.self).observe(on: self) { flock, change in
        switch change {
        case .initial(let ewes), .update(let ewes, _, _, _): flock.counts.append(ewes.count)
        case .error: break
        }
      }
    }
  }
}

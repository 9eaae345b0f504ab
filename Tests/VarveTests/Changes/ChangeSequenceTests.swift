import Testing
import Varve
import VarveTestSupport

/// The elements of change sequences.
@Suite struct ChangeSequenceTests {
  @Test(.timeLimit(.minutes(1))) func objectSequenceEndsWhenObjectIsDeleted() async throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let realm = try store.open()
    let ewe = Ewe(1, name: "Dolly", age: 2)
    try await realm.asyncWrite { realm.add(ewe) }
    var all = ewe.changes.makeAsyncIterator()
    var ages = try ewe.changes(keyPaths: [\.age]).makeAsyncIterator()
    try await realm.asyncWrite { ewe.name = "Molly" }
    try await realm.asyncWrite { ewe.age = 3 }
    // Both commits are in one element.
    guard case .change(let now, let properties) = await all.next(),
      case .change(_, let age) = await ages.next()
    else {
      Issue.record("There is no change.")
      return
    }
    #expect(now.isFrozen)
    #expect(properties.map(\.name) == ["name", "age"])
    #expect(properties.map { "\($0.oldValue ?? "")" } == ["Dolly", "2"])
    #expect(age.map { "\($0.newValue ?? "")" } == ["3"])
    try await realm.asyncWrite { realm.delete(ewe) }
    guard case .deleted = await all.next(), case .deleted = await ages.next() else {
      Issue.record("The deletion is not reported.")
      return
    }
    #expect(await all.next() == nil)
    #expect(await ages.next() == nil)
    for await _ in ewe.changes { Issue.record("A deleted object has no changes.") }
  }

  @Test(.timeLimit(.minutes(1))) func realmSequenceDeliversVersions() async throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let realm = try store.open()
    var before = realm.freeze()
    var versions = realm.changes.makeAsyncIterator()
    for id in 1...3 {
      try await realm.asyncWrite { realm.add(Ewe(id)) }
      let now = try #require(await versions.next())
      #expect(now.isFrozen)
      #expect(try now.changes(since: before).objects(Ewe.self).insertions.map(\.id) == [id])
      before = now
    }
    for await _ in before.changes { Issue.record("A frozen realm has no changes.") }
  }

  @Test(.timeLimit(.minutes(1))) func linkingObjectsSequenceFiltersByKeyPath() async throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let realm = try store.open()
    let (lamb, parent) = (Ewe(1), Ewe(2))
    try await realm.asyncWrite {
      realm.add([lamb, parent])
      parent.lambs.append(lamb)
    }
    var changes = try lamb.parents.changes(keyPaths: [\.age]).makeAsyncIterator()
    _ = await changes.next()
    try await realm.asyncWrite { parent.name = "Dolly" }
    try await realm.asyncWrite { parent.age = 3 }
    guard case .update(let parents, let change) = await changes.next() else {
      Issue.record("There is no change.")
      return
    }
    #expect(parents.first?.age == 3)
    #expect(change.modifications == [0])
  }
}

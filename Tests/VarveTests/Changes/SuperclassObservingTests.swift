import Testing
import Varve
import VarveTestSupport

@Model class WatchedBase: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
}

@Model final class WatchedLeaf: WatchedBase {
  @Persisted var n: Int
  @Persisted var other: WatchedLeaf?
}

final class WatchedBaseView: Projection<WatchedBase>, @unchecked Sendable {
  @Projected(\WatchedBase.name) var called
}

/// Observers of an object that its program knows by a superclass.
@Suite struct SuperclassObservingTests {
  private struct Seen: Equatable {
    var type: String
    var names: [String]
    var value: Int?
  }

  private static func seen(_ change: ObjectChange<some ObjectBase>) -> Seen? {
    guard case .change(let object, let properties) = change else { return nil }
    return Seen(
      type: "\(type(of: object))", names: properties.map(\.name), value: object["n"] as? Int)
  }

  private func withLeaf(_ body: (Realm, WatchedLeaf) throws -> Void) throws {
    try withTemporaryRealm { realm, _ in
      try realm.write { _ = realm.create(WatchedLeaf.self, value: ["id": 1]) }
      try body(realm, try #require(realm.object(ofType: WatchedLeaf.self, forPrimaryKey: 1)))
    }
  }

  private func watch<T: Object>(
    _ object: T, _ events: EventRecorder<Seen?>
  ) throws -> NotificationToken {
    try object.observe { events.note(Self.seen($0)) }
  }

  @Test func observerReceivesObjectOfItsClassWithAllProperties() throws {
    try withLeaf { realm, leaf in
      let (object, base): (Object, WatchedBase) = (leaf, leaf)
      let events = (0..<6).map { _ in EventRecorder<Seen?>() }
      let tokens = [
        try object.observe { events[0].note(Self.seen($0)) },
        try base.observe { (change: ObjectChange<WatchedBase>) in events[1].note(Self.seen(change))
        },
        try base.observe { (change: ObjectChange<Object>) in events[2].note(Self.seen(change)) },
        try watch(leaf as Object, events[3]),
        try leaf.observe { (change: ObjectChange<Object>) in events[4].note(Self.seen(change)) },
        try object.observe(keyPaths: ["n"]) { events[5].note(Self.seen($0)) },
      ]
      try realm.write {
        leaf.n = 7
        leaf.name = "a"
      }
      for one in events.dropLast() {
        #expect(one.wait(for: 1) == [Seen(type: "WatchedLeaf", names: ["name", "n"], value: 7)])
      }
      #expect(events[5].wait(for: 1) == [Seen(type: "WatchedLeaf", names: ["n"], value: 7)])
      tokens.forEach { $0.invalidate() }
    }
  }

  @Test func sequenceAndActorReceiveObjectOfItsClass() async throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    let realm = try store.open()
    let leaf = try await realm.write { realm.create(WatchedLeaf.self, value: ["id": 1]) }
    let object: Object = leaf
    let events = EventRecorder<Seen?>()
    let hub = Hub()
    let token = try await object.observe(on: hub) { _, change in events.note(Self.seen(change)) }
    var iterator = object.changes.makeAsyncIterator()
    try await realm.write { leaf.n = 3 }
    let expected = Seen(type: "WatchedLeaf", names: ["n"], value: 3)
    #expect(await iterator.next().flatMap(Self.seen) == expected)
    #expect(events.wait(for: 1) == [expected])
    token.invalidate()
  }

  private actor Hub {}

  @Test func projectionOfSuperclassHasObjectOfItsClass() throws {
    try withLeaf { realm, leaf in
      let events = EventRecorder<String>()
      let token = try WatchedBaseView(projecting: leaf).observe { change in
        if case .change(let view, let properties) = change {
          events.note("\(type(of: view.rootObject)) \(properties.map(\.name))")
        }
      }
      try realm.write { leaf.name = "b" }
      #expect(events.wait(for: 1) == ["WatchedLeaf [\"called\"]"])
      token.invalidate()
    }
  }

  @Test func referencesOfSuperclassKeepTheClass() throws {
    try withLeaf { realm, leaf in
      let object: Object = leaf
      #expect(object.freeze() is WatchedLeaf)
      #expect(object.freeze().thaw() is WatchedLeaf)
      #expect(object.freeze()["n"] as? Int == 0)
      #expect(object.isSameObject(as: leaf))
      let reference = ThreadSafeReference(to: object)
      #expect(realm.resolve(reference) is WatchedLeaf)
    }
  }
}

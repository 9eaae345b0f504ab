import Foundation
import Testing
import Varve
import VarveLocks

/// Defaults are expressions that are evaluated when an object is stored; a default may itself
/// write.
@Suite(.serialized) struct WritingDefaultTests {
  /// Runs a write in which the first evaluated default runs `hook`.
  private func write(
    _ realm: Realm, hook: @escaping @Sendable () -> Void, _ body: () throws -> Void
  ) throws {
    Hook.body.withLock { $0 = hook }
    defer { Hook.body.withLock { $0 = nil } }
    try realm.write(body)
    #expect(Hook.body.withLock { $0 } == nil, "The default was not asked for.")
  }

  private func expectWhole(_ numbered: Numbered?, _ location: SourceLocation = #_sourceLocation) {
    #expect(numbered?.first == "first" && numbered?.second == 11, sourceLocation: location)
    #expect(numbered?.number == 42 && numbered?.third == 13, sourceLocation: location)
  }

  @Test func objectStoredByDefaultIsStoredSeparately() throws {
    try withTemporaryRealm { realm, store in
      let audit: @Sendable () -> Void = {
        realm.create(Audit.self, value: ["text": String(repeating: "z", count: 20)])
      }
      try write(realm, hook: audit) { realm.add(Numbered()) }
      try write(realm, hook: audit) { realm.create(Numbered.self, value: ["first": "first"]) }
      #expect(realm.objects(Numbered.self).count == 2)
      for numbered in realm.objects(Numbered.self) { expectWhole(numbered) }
      #expect(realm.objects(Audit.self).map(\.x) == [7, 7])
      #expect(realm.objects(Audit.self).allSatisfy { $0.text.count == 20 })
      try store.check()
    }
  }

  @Test func defaultMayQueryStore() throws {
    try withTemporaryRealm { realm, store in
      let seen = Lock<[Int]>([])
      let query: @Sendable () -> Void = {
        seen.withLock { $0.append(realm.objects(Numbered.self).where { $0.second > 0 }.count) }
      }
      for _ in 0..<3 { try write(realm, hook: query) { realm.add(Numbered()) } }
      #expect(seen.withLock { $0 } == [0, 1, 2])
      #expect(realm.objects(Numbered.self).count == 3)
      try store.check()
    }
  }

  @Test func defaultMayAddPropertiesToItsOwnClass() throws {
    try withTemporaryRealm { realm, store in
      try write(realm, hook: { realm.create(LaterNumbered.Numbered.self) }) {
        realm.add(Numbered())
        realm.add(Numbered())
      }
      #expect(realm.objects(LaterNumbered.Numbered.self).map(\.code) == ["c", "c", "c"])
      // The object of the default's class reads the default that was added after it.
      #expect(realm.objects(Numbered.self).map(\.number) == [42, 42, 42])
      try store.check()
    }
  }

  @Test func defaultOfLinkedObjectMayAddPropertiesToOwner() throws {
    try withTemporaryRealm { realm, store in
      try write(realm, hook: { realm.create(LaterHolder.Holder.self, value: ["id": 8]) }) {
        let holder = Holder()
        holder.id = 9
        holder.number = 1
        holder.held = Numbered()
        holder.byName["x"] = Numbered()
        realm.add(holder)
      }
      #expect(realm.objects(LaterHolder.Holder.self).map(\.code) == ["c", "c"])
      let holder = try #require(realm.object(ofType: Holder.self, forPrimaryKey: 9))
      #expect(holder.number == 1 && holder.held?.number == 42)
      try store.check()
    }
  }

  @Test func everyObjectOfGraphMayHaveWritingDefault() throws {
    try withTemporaryRealm { realm, store in
      let hook: @Sendable () -> Void = {
        realm.create(Holder.self, value: ["id": 8, "held": Numbered(), "all": [Numbered()]])
      }
      try write(realm, hook: hook) {
        let holder = Holder()
        holder.id = 9
        holder.held = Numbered()
        holder.all.append(Numbered())
        holder.byName["x"] = Numbered()
        realm.add(holder)
      }
      #expect(realm.objects(Holder.self).map(\.id) == [8, 9])
      #expect(realm.objects(Numbered.self).count == 5)
      for numbered in realm.objects(Numbered.self) { expectWhole(numbered) }
      let holder = try #require(realm.object(ofType: Holder.self, forPrimaryKey: 9))
      #expect(holder.text == "text" && holder.number == 42 && holder.all.count == 1)
      expectWhole(holder.byName["x"] ?? nil)
      try store.check()
    }
  }

  @Test func keyUsedByDefaultIsDuplicate() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.create(Holder.self, value: ["id": 1]) }
      for viaLink in [false, true] {
        let error = thrownError {
          try write(realm, hook: { realm.create(Holder.self, value: ["id": 5, "text": "lost"]) }) {
            let holder = Holder()
            holder.id = 5
            if viaLink {
              holder.number = 1
              holder.held = Numbered()
            }
            realm.add(holder)
          }
        }
        #expect(error?.code == .duplicatePrimaryKey)
        #expect(realm.objects(Holder.self).map(\.id) == [1])
      }
      try write(realm, hook: { realm.create(Holder.self, value: ["id": 5, "text": "kept"]) }) {
        realm.create(Holder.self, value: ["id": 5, "held": Numbered()], update: .modified)
      }
      #expect(realm.object(ofType: Holder.self, forPrimaryKey: 5)?.text == "kept")
      #expect(realm.object(ofType: Holder.self, forPrimaryKey: 5)?.held?.number == 42)
      try store.check()
    }
  }

  @Test func collectionAcceptsObjectWhoseDefaultReadsIt() throws {
    try withTemporaryRealm { realm, store in
      let holder = try realm.write { realm.create(Holder.self, value: ["id": 1]) }
      let list = holder.all
      let map = holder.byName
      let counts = Lock<[Int]>([])
      let query: @Sendable () -> Void = {
        counts.withLock {
          $0 += [list.where { $0.second > 0 }.count, map.where { $0.second > 0 }.count]
        }
      }
      // Twice in each write: the second change finds the collection already changed.
      try write(realm, hook: query) {
        list.append(Numbered()); list.append(Numbered())
      }
      try write(realm, hook: query) {
        list.append(Numbered(number: 1))
        list.insert(Numbered(), at: 0)
      }
      try write(realm, hook: query) {
        list.append(Numbered(number: 1)); list[0] = Numbered()
      }
      try write(realm, hook: query) {
        map["a"] = Numbered(number: 1)
        map["b"] = Numbered()
      }
      try write(realm, hook: query) {
        map["c"] = Numbered(number: 1)
        map.merge(["d": Numbered()]) { $1 }
      }
      #expect(counts.withLock { $0 } == [0, 0, 3, 0, 5, 0, 5, 1, 5, 3])
      #expect(list.map(\.number) == [42, 42, 42, 1, 1])
      #expect(map.keys == ["a", "b", "c", "d"])
      #expect(map.values.map { $0?.number } == [1, 42, 1, 42])
      try store.check()
    }
  }

  /// The default is the same each time, and is therefore no default of each object.
  @Test func addedPropertyHasConstantDefault() throws {
    try withTemporaryRealm { realm, store in
      try realm.write {
        for id in 0..<50 { realm.create(EarlyHolder.Holder.self, value: ["id": id]) }
      }
      try realm.write { try realm.register(Holder.self) }
      #expect(realm.objects(Holder.self).map(\.number) == Array(repeating: 42, count: 50))
      #expect(realm.objects(Holder.self).where { $0.number == 42 }.count == 50)
      try store.check()
    }
  }

  @Test func updateEvaluatesNoDefault() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.create(Holder.self, value: ["id": 1, "number": 3, "text": "x"]) }
      Hook.body.withLock { $0 = { Issue.record("A default was asked for.") } }
      defer { Hook.body.withLock { $0 = nil } }
      for policy in [Realm.UpdatePolicy.modified, .all] {
        try realm.write { realm.create(Holder.self, value: ["id": 1], update: policy) }
      }
      let holder = realm.object(ofType: Holder.self, forPrimaryKey: 1)
      #expect(holder?.number == 3 && holder?.text == "x")
    }
  }
}

/// The closure that the next default runs.
private enum Hook {
  static let body = Lock<(@Sendable () -> Void)?>(nil)

  static func number() -> Int {
    let next = body.withLock { body in
      defer { body = nil }
      return body
    }
    next?()
    return 42
  }
}

@Model private final class Audit: Object {
  @Persisted var text: String
  @Persisted var x = 7
}

@Model private final class Numbered: Object {
  @Persisted var first: String = "first"
  @Persisted var second: Int = 11
  @Persisted var number: Int = Hook.number()
  @Persisted var third: Int = 13

  convenience init(number: Int) {
    self.init()
    self.number = number
  }
}

private enum LaterNumbered {
  @Model final class Numbered: Object {
    @Persisted(indexed: true) var code = "c"
    @Persisted(indexed: true) var second: Int
  }
}

private enum LaterHolder {
  @Model final class Holder: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var code = "c"
  }
}

private enum EarlyHolder {
  @Model final class Holder: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var text = "text"
  }
}

@Model private final class Holder: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var text = "text"
  @Persisted var held: Numbered?
  @Persisted var number: Int = Hook.number()
  @Persisted var all: List<Numbered>
  @Persisted var byName: Map<String, Numbered?>
}

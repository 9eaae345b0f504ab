import Foundation
import Testing
import Varve
import VarveLocks

/// A write that adds properties and is rolled back: handles created in it outlive it, and the next
/// write reuses its numbers of properties and layouts.
@Suite struct RolledBackSchemaTests {
  /// A store with three linked depots, stored by the first release.
  private func withDepots(_ body: (Realm, TemporaryRealm) throws -> Void) throws {
    try withTemporaryRealm { realm, store in
      try Self.fill(realm)
      try body(realm, store)
    }
  }

  private static func fill(_ realm: Realm) throws {
    try realm.write {
      let depots = (0..<3).map { id in
        realm.create(DepotOne.Depot.self, value: ["id": id, "name": "name\(id)"])
      }
      for (depot, next) in zip(depots, depots.dropFirst()) {
        depot.next = next
        depot.others.append(next)
        depot.byName["next"] = next
      }
    }
  }

  /// Handles to depots of the file, obtained in every possible way.
  private static func handles(_ realm: Realm) throws -> [DepotTwo.Depot] {
    let all = realm.objects(DepotTwo.Depot.self)
    let first = try #require(realm.object(ofType: DepotTwo.Depot.self, forPrimaryKey: 0))
    let second = try #require(first.next)
    let other = try #require(realm.objects(DepotOne.Depot.self).first)
    let updated = DepotTwo.Depot()
    updated.id = 2
    updated.name = "name2"
    realm.add(updated, update: .modified)
    var found = Array(all)
    found.append(all[0])
    found.append(all.sorted(by: \.name)[2])
    found += [first, second, updated, first.freeze(), second.freeze(), first.others[0]]
    found.append(try #require(first.byName["next"] ?? nil))
    found.append(try #require(second.before.first))
    found.append(try #require(all.where { $0.id == 1 }.first))
    found += Array(first.others.where { $0.id == 1 })
    found += Array(first.others)
    found.append(try #require(realm.resolve(first)))
    found.append(try #require(other.realm?.resolve(second)))
    found.append(realm.create(DepotTwo.Depot.self, value: ["id": 1], update: .modified))
    return found
  }

  /// Adds the properties of the second release, and is rolled back.
  private func rolledBack(_ realm: Realm) throws -> [DepotTwo.Depot] {
    var found: [DepotTwo.Depot] = []
    expectCancelled {
      try realm.write {
        realm.create(DepotTwo.Depot.self, value: ["id": 7])
        found = try Self.handles(realm).filter { $0.id < 3 }
        throw Cancelled()
      }
    }
    #expect(found.count > 15)
    return found
  }

  /// Rewrites every row with the properties of the third release.
  private static func rewrite(_ realm: Realm) {
    for depot in realm.objects(DepotThree.Depot.self) {
      depot.weight = 9.25
      depot.labels["x"] = "y"
      depot.count = -1
    }
  }

  private func expectSound(
    _ found: [DepotTwo.Depot], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for depot in found {
      let texts = [depot.name, depot.color, depot.code ?? "none"]
      #expect(texts == ["name\(depot.id)", "grey", "none"], sourceLocation: sourceLocation)
      #expect(depot.first == 1 && depot.second == 2, sourceLocation: sourceLocation)
      #expect(depot.numbers.isEmpty && depot.numbers.count == 0, sourceLocation: sourceLocation)
      #expect(Array(depot.numbers) == [], sourceLocation: sourceLocation)
      #expect(depot.counts.keys.isEmpty, sourceLocation: sourceLocation)
      #expect(depot.counts["x"] == nil && depot.twin == nil, sourceLocation: sourceLocation)
      #expect(depot.next?.id == (depot.id < 2 ? depot.id + 1 : nil))
      #expect(depot.others.map(\.name) == (depot.id < 2 ? ["name\(depot.id + 1)"] : []))
      #expect(depot.before.map(\.id) == (depot.id > 0 ? [depot.id - 1] : []))
    }
  }

  @Test func handlesFromRolledBackWriteReadLaterLayout() throws {
    try withDepots { realm, store in
      let found = try rolledBack(realm)
      expectSound(found)
      try realm.write { Self.rewrite(realm) }
      expectSound(found)
      let live = found.filter { !$0.isFrozen }
      let thawed = found.compactMap { $0.thaw() }
      #expect(live.count == found.count - 2 && thawed.count == found.count)
      expectSound(live.map { $0.freeze() })
      expectSound(thawed)
      try realm.write { expectSound(found) }
      try store.check()
    }
  }

  @Test func repeatedRollbacksKeepHandlesReadable() throws {
    try withDepots { realm, store in
      var found = try rolledBack(realm)
      for _ in 0..<3 {
        expectCancelled {
          try realm.write {
            Self.rewrite(realm)
            found += try Self.handles(realm).filter { $0.id < 3 }
            throw Cancelled()
          }
        }
        found += try rolledBack(realm)
      }
      try realm.write { Self.rewrite(realm) }
      expectSound(found)
      // Both releases in one file.
      try realm.write { for depot in found where !depot.isFrozen { depot.second = 2 } }
      expectSound(found)
      try store.check()
    }
  }

  @Test func collectionsFromRolledBackWriteReadLaterLayout() throws {
    try withDepots { realm, store in
      var lists: [List<Int>] = []
      var maps: [Map<String, Int>] = []
      var links: [LinkingObjects<DepotTwo.Depot>] = []
      expectCancelled {
        try realm.write {
          realm.create(DepotTwo.Depot.self, value: ["id": 7])
          for depot in realm.objects(DepotTwo.Depot.self) where depot.id < 3 {
            depot.numbers.append(5)
            lists += [depot.numbers, depot.numbers.freeze()]
            maps += [depot.counts, depot.counts.freeze()]
            links += [depot.before]
          }
          throw Cancelled()
        }
      }
      #expect(lists.count == 6 && maps.count == 6)
      try realm.write { Self.rewrite(realm) }
      for list in lists { #expect(list.isEmpty && Array(list).isEmpty && !list.isInvalidated) }
      for map in maps { #expect(map.isEmpty && map.keys.isEmpty && map["x"] == nil) }
      #expect(links.map(\.count) == [0, 1, 1])
      try realm.write { for list in lists where !list.isFrozen { list.append(6) } }
      for list in lists { #expect(Array(list) == (list.isFrozen ? [] : [6])) }
      try store.check()
    }
  }

  @Test func iterationFromRolledBackWriteContinuesInCurrentVersion() throws {
    try withDepots { realm, _ in
      var walk: ResultsIterator<DepotTwo.Depot>?
      expectCancelled {
        try realm.write {
          realm.create(DepotTwo.Depot.self, value: ["id": 7])
          walk = realm.objects(DepotTwo.Depot.self).makeIterator()
          #expect(walk?.next()?.id == 0)
          throw Cancelled()
        }
      }
      try realm.write { Self.rewrite(realm) }
      var rest: [DepotTwo.Depot] = []
      while let depot = walk?.next() { rest.append(depot) }
      #expect(rest.prefix(2).map(\.id) == [1, 2])
      expectSound(Array(rest.prefix(2)))
    }
  }

  @Test func handlesOfObjectsCreatedInRolledBackWriteAreInvalid() throws {
    try withDepots { realm, _ in
      var created: [DepotTwo.Depot] = []
      expectCancelled {
        try realm.write {
          let depot = realm.create(DepotTwo.Depot.self, value: ["id": 7, "name": "x"])
          created = [depot, try #require(realm.resolve(depot))]
          throw Cancelled()
        }
      }
      try realm.write {
        realm.create(DepotThree.Depot.self, value: ["id": 7, "weight": 9.25, "count": -1])
      }
      for depot in created {
        #expect(depot.isInvalidated && depot.name == "" && depot.next == nil)
      }
    }
  }

  @Test func groupMembersAreRolledBackLikeWrites() async throws {
    try await withPatientStore { realm, store in
      try Self.fill(realm)
      let found = Lock<[DepotTwo.Depot]>([])
      let outer = Lock<DepotTwo.Depot?>(nil)
      let lose: @Sendable () throws -> Void = {
        realm.create(DepotFour.Depot.self, value: ["id": 20, "text": "x"])
        let handles = try Self.handles(realm).filter { $0.id < 3 }
        // Reached from a handle of the outer transaction, while the object exists.
        let reached = outer.withLock { $0?.next }
        found.withLock { $0 += handles + (reached.map { [$0] } ?? []) }
        throw Cancelled()
      }
      let results = try await grouped(
        realm, store,
        [
          {
            let depot = realm.create(DepotTwo.Depot.self, value: ["id": 50, "name": "name50"])
            depot.next = realm.object(ofType: DepotTwo.Depot.self, forPrimaryKey: 0)
            outer.withLock { $0 = depot }
          },
          lose,
          {
            Self.rewrite(realm)
            realm.delete(realm.objects(DepotThree.Depot.self).where { $0.id == 50 })
          },
          lose,
          { for depot in realm.objects(DepotThree.Depot.self) { depot.weight = 3 } },
        ])
      expectCancelled { try results[1].get() }
      try results[2].get()
      #expect(realm.objects(DepotThree.Depot.self).map(\.weight) == [3, 3, 3])
      let handles = found.withLock { $0 }
      #expect(handles.count > 30)
      expectSound(handles)
      try store.check()
    }
  }
}

private enum DepotOne {
  @Model final class Depot: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var next: Depot?
    @Persisted var others: List<Depot>
    @Persisted var byName: Map<String, Depot?>
    @Persisted(originProperty: "next") var before: LinkingObjects<Depot>
  }
}

private enum DepotTwo {
  @Model final class Depot: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var next: Depot?
    @Persisted var others: List<Depot>
    @Persisted var byName: Map<String, Depot?>
    @Persisted(originProperty: "next") var before: LinkingObjects<Depot>
    @Persisted var color = "grey"
    @Persisted var first = 1
    @Persisted var second = 2
    @Persisted var code: String?
    @Persisted var numbers: List<Int>
    @Persisted var counts: Map<String, Int>
    @Persisted var twin: Depot?
  }
}

private enum DepotThree {
  @Model final class Depot: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var weight = 1.5
    @Persisted var labels: Map<String, String>
    @Persisted var count = 0
  }
}

private enum DepotFour {
  @Model final class Depot: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var text = ""
    @Persisted var bits: List<Double>
    @Persisted var size = 5
  }
}

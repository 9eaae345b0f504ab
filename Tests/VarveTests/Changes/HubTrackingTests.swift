import Testing
import Varve
import VarveCore

/// Observers of many objects that link to one changing object.
@Suite struct HubTrackingTests {
  private static let count = 400

  private func withFarms(_ body: (Realm) throws -> Void) throws {
    try withTemporaryRealm { realm, store in
      try realm.write {
        let farms = [Farm("a"), Farm("b")]
        farms[1].area = 10
        for farm in farms { realm.add(farm) }
        for id in 0..<Self.count {
          let ewe = Ewe(id, name: "n\(id)", age: id % 2)
          realm.add(ewe)
          ewe.farm = farms[id % 2]
          farms[0].ewes.first?.lambs.append(ewe)
        }
      }
      try body(realm)
      try store.check()
    }
  }

  /// The changes made by a write, and the answers before and after.
  private func changes(
    of results: Results<Ewe>, watching watched: WatchedPathNames = .usual, in realm: Realm,
    _ write: () -> Void
  ) throws -> (changes: IndexChanges, old: [UInt64], new: [UInt64]) {
    let old = realm.freeze()
    var tracker = CollectionTracker(results.handle, watching: watched)
    _ = try tracker.start(at: old.context.snapshot)
    let before = tracker.answer?.ids ?? []
    try realm.write { write() }
    let new = realm.freeze()
    let difference = VersionDifference(
      from: old.context.snapshot, to: new.context.snapshot, schema: new.context.store.schema)
    let step = try tracker.advance(difference)
    let after = tracker.answer?.ids ?? []
    #expect(after == results.map { UInt64(bitPattern: Int64($0.id)) ^ 1 << 63 })
    guard case .change(let changes) = step else { return (IndexChanges(), before, after) }
    return (changes, before, after)
  }

  @Test func everyLinkingObjectIsModified() throws {
    try withFarms { realm in
      let all = realm.objects(Ewe.self)
      let farm = try #require(realm.object(ofType: Farm.self, forPrimaryKey: "a"))
      let even = (0..<Self.count).filter { $0 % 2 == 0 }
      for round in 1..<4 {
        let named = try changes(of: all, watching: .paths([["farm", "area"]]), in: realm) {
          farm.area = round
        }
        #expect(Array(named.changes.modifications) == even)
        #expect(named.changes.deletions.isEmpty && named.changes.insertions.isEmpty)
        let sorted = try changes(
          of: all.sorted(byKeyPath: "farm.area"), watching: .paths([["farm", "area"]]), in: realm
        ) { farm.area = round + 100 }
        #expect(
          sorted.changes.modifications.count + sorted.changes.moves.count == Self.count / 2)
      }
    }
  }

  @Test func objectsEnteringAndLeavingResultsAreDelivered() throws {
    try withFarms { realm in
      let farm = try #require(realm.object(ofType: Farm.self, forPrimaryKey: "a"))
      let large = realm.objects(Ewe.self).where { $0.farm.area > 5 }
      let come = try changes(of: large, in: realm) { farm.area = 6 }
      #expect(come.old.count == Self.count / 2 && come.new.count == Self.count)
      #expect(Array(come.changes.insertions) == (0..<Self.count).filter { $0 % 2 == 0 })
      #expect(come.changes.deletions.isEmpty && come.changes.modifications.isEmpty)
      let stay = try changes(of: large, in: realm) { farm.area = 7 }
      #expect(stay.changes.modifications.count == Self.count / 2)
      #expect(stay.changes.deletions.isEmpty && stay.changes.insertions.isEmpty)
      let go = try changes(of: large, in: realm) { farm.area = 5 }
      #expect(Array(go.changes.deletions) == (0..<Self.count).filter { $0 % 2 == 0 })
      #expect(go.changes.insertions.isEmpty && go.changes.modifications.isEmpty)
    }
  }

  @Test func objectsMovedByLinkedChangeAreReportedAsMoves() throws {
    try withFarms { realm in
      let farm = try #require(realm.object(ofType: Farm.self, forPrimaryKey: "a"))
      let sorted = realm.objects(Ewe.self).sorted(byKeyPath: "farm.area")
      let (changes, old, new) = try changes(of: sorted, in: realm) { farm.area = 20 }
      #expect(changes.moves.count == Self.count / 2)
      #expect(changes.deletions.count == Self.count / 2)
      #expect(changes.insertions.count == Self.count / 2)
      for move in changes.moves {
        let isSame = old[move.from] == new[move.to]
        #expect(isSame && changes.deletions.contains(move.from))
        #expect(changes.insertions.contains(move.to))
      }
    }
  }

  @Test func objectChangesOnlyAlongWatchedPath() throws {
    try withFarms { realm in
      try realm.write {
        try realm.ewe(1).mother = try realm.ewe(2)
        try realm.ewe(3).mother = try realm.ewe(3)
      }
      // Whether each of the first ewes changes along a path.
      func changed(_ path: [String], _ write: () throws -> Void) throws -> [Bool] {
        let old = realm.freeze()
        try realm.write { try write() }
        let new = realm.freeze()
        let difference = VersionDifference(
          from: old.context.snapshot, to: new.context.snapshot, schema: new.context.store.schema)
        return try (0..<4).map { id in
          var tracker = ObjectTracker(
            realm.objects(Ewe.self).handle.query.model, id: UInt64(bitPattern: Int64(id)) ^ 1 << 63,
            paths: [path], of: new.context.store)
          if case .none = try tracker.advance(difference) { return false }
          return true
        }
      }
      let farm = try #require(realm.object(ofType: Farm.self, forPrimaryKey: "a"))
      let near = try changed(["farm", "area"]) { farm.area += 1 }
      #expect(near == [true, false, true, false])
      let far = try changed(["mother", "farm", "area"]) { farm.area += 1 }
      #expect(far == [false, true, false, false])
      let name = try changed(["mother", "name"]) { farm.area += 1 }
      #expect(name == [false, false, false, false])
      let cut = try changed(["mother", "farm", "area"]) { try realm.ewe(2).farm = nil }
      #expect(cut == [false, true, false, false])
    }
  }

  /// Paddocks and inspections link to the same flock; no path to a paddock contains an inspection.
  @Test func unrelatedLinksAreIgnored() throws {
    try withTemporaryRealm { realm, store in
      let flock = Flock(1)
      try realm.write {
        realm.add(flock)
        for id in 0..<Self.count {
          realm.create(Inspection.self, value: ["id": id, "flock": flock])
          let paddock = realm.create(Paddock.self, value: ["id": id])
          if id % 4 == 0 { paddock.flock = flock }
          if id % 4 == 1 { paddock.earlier.append(flock) }
          if id % 4 == 2 { paddock.named["a"] = flock }
        }
      }
      let old = realm.freeze()
      try realm.write { flock.size += 1 }
      let changes = try realm.changes(since: old)
      let paddocks = try changes.changes(of: realm.objects(Paddock.self))
      #expect(Array(paddocks.modifications) == (0..<Self.count).filter { $0 % 4 < 3 })
      let inspections = try changes.changes(of: realm.objects(Inspection.self))
      #expect(inspections.modifications.count == Self.count)
      try store.check()
    }
  }
}

@Model final class Flock: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var size = 0

  convenience init(_ id: Int) {
    self.init()
    self.id = id
  }
}

@Model final class Paddock: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var flock: Flock?
  @Persisted var earlier: List<Flock>
  @Persisted var named: Map<String, Flock?>
}

@Model final class Inspection: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var flock: Flock?
}

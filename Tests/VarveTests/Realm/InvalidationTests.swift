import Foundation
import Testing
import Varve
import VarveCore

@Suite struct InvalidationTests {
  /// The snapshot that invalidated live realms share may be older than the version that a later
  /// live realm has read.
  @Test func handlesStayInvalidatedAfterMaintenance() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.add(Buoy(1)) }
      let first = try #require(realm.objects(Buoy.self).first)
      realm.invalidate()
      try realm.write { realm.objects(Buoy.self).first?.depth = 6 }
      let second = try #require(realm.objects(Buoy.self).first)
      #expect(second.depth == 6)
      realm.invalidate()
      let core = try store.configuration.store()
      for _ in 0..<20 {
        core.tidy()
        #expect(first.isInvalidated && second.isInvalidated && second.depth == 0)
      }
      #expect(realm.objects(Buoy.self).first?.depth == 6)
    }
  }

  @Test func invalidateInvalidatesAllHandles() throws {
    try withTemporaryRealm { realm, store in
      try realm.write {
        realm.create(
          Buoy.self,
          value: [
            "id": 1, "name": "Nun", "depth": 4, "bearings": [1, 2], "notes": ["a": "b"],
            "colours": ["red"], "neighbour": ["id": 2],
          ])
      }
      let buoy = try #require(realm.object(ofType: Buoy.self, forPrimaryKey: 1))
      let neighbour = try #require(buoy.neighbour)
      let (bearings, notes, linking) = (buoy.bearings, buoy.notes, neighbour.neighbours)
      let (colours, sorted) = (buoy.colours, bearings.sorted(ascending: false))
      let (all, some) = (realm.objects(Buoy.self), realm.objects(Buoy.self).where { $0.depth > 1 })
      let frozen = buoy.freeze()
      // Every value read after the invalidation is also read before it: none may remain cached.
      #expect(buoy.name == "Nun" && bearings.count == 2 && notes["a"] == "b" && linking.count == 1)
      #expect(all.count == 2 && some.count == 1 && colours.count == 1 && sorted.first == 2)
      realm.invalidate()
      #expect(buoy.isInvalidated && neighbour.isInvalidated)
      #expect(buoy.name.isEmpty && buoy.depth == 0 && buoy.neighbour == nil && buoy.realm == nil)
      #expect(bearings.isInvalidated && bearings.isEmpty && bearings.realm == nil)
      #expect(notes.isInvalidated && notes["a"] == nil)
      #expect(linking.isInvalidated && linking.isEmpty)
      #expect(colours.isInvalidated && colours.isEmpty && sorted.isInvalidated && sorted.isEmpty)
      #expect(all.isInvalidated && all.isEmpty && all.first == nil && Array(all).isEmpty)
      #expect(some.isInvalidated && some.isEmpty && some.realm == nil)
      #expect(frozen.name == "Nun")
      // The realm remains usable.
      #expect(realm.objects(Buoy.self).count == 2)
      #expect(realm.object(ofType: Buoy.self, forPrimaryKey: 1)?.name == "Nun")
      // Invalidated handles remain invalidated.
      try realm.refresh()
      try realm.write { realm.add(Buoy(3)) }
      #expect(buoy.isInvalidated && all.isEmpty && buoy.name.isEmpty)
      #expect(realm.resolve(buoy) == nil && realm.resolve(bearings) == nil)
      #expect(realm.resolve(all) == nil)
    }
  }

  @Test func objectsAreAddedAfterInvalidation() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.add(Node(value: ["key": "a"])) }
      realm.invalidate()
      let (node, leaf) = (Node(value: ["key": "a"]), Leaf(value: ["id": 1]))
      node.leaves.append(objectsIn: [leaf, leaf])
      node.words["w"] = "x"
      expectError(.duplicatePrimaryKey) { try realm.write { realm.add(node) } }
      #expect(node.realm == nil && leaf.realm == nil && !leaf.isInvalidated)
      node.key = "b"
      try realm.write {
        realm.add(node)
        realm.add(Leaf(value: ["id": 2]))
        #expect(node.leaves.count == 2 && leaf.holders.count == 2)
      }
      #expect(node.realm == realm && node.words["w"] == "x")
      #expect(realm.objects(Leaf.self).map(\.id) == [1, 2])
      try store.check()
    }
  }

  @Test func invalidatedObjectFailsWrite() throws {
    try withTemporaryRealm { realm, _ in
      let buoy = try realm.write { realm.create(Buoy.self, value: ["id": 1]) }
      realm.invalidate()
      expectError(.invalidatedObject) { try realm.write { buoy.depth = 3 } }
      expectError(.invalidatedObject) { try realm.write { realm.delete(buoy) } }
      expectError(.invalidatedObject) { try realm.write { _ = buoy.depth } }
      #expect(realm.object(ofType: Buoy.self, forPrimaryKey: 1)?.depth == 0)
    }
  }

  @Test func realmsRemainUsableAfterInvalidation() throws {
    try withTemporaryRealm { realm, _ in
      let buoy = try realm.write { realm.create(Buoy.self, value: ["id": 1]) }
      let other = try #require(buoy.realm)
      for _ in 0..<5 {
        other.invalidate()
        #expect(realm.objects(Buoy.self).count == 1 && other.objects(Buoy.self).count == 1)
      }
      for _ in 0..<5 { realm.invalidate() }
      #expect(other.objects(Buoy.self).count == 1 && buoy.isInvalidated)
      try other.write { other.add(Buoy(2)) }
      #expect(other.objects(Buoy.self).count == 2)
    }
  }

  private func pinnedNumbers(_ realm: Realm) throws -> [UInt64] {
    try realm.storageReport().versions.map(\.number)
  }

  @Test func invalidateReleasesVersion() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.add(Buoy(1)) }
      let other = try store.open()
      let buoy = try #require(other.objects(Buoy.self).first)
      let old = other.version.number
      try realm.write { realm.add(Buoy(2)) }
      #expect(try pinnedNumbers(realm).contains(old))
      other.invalidate()
      #expect(try !pinnedNumbers(realm).contains(old))
      #expect(buoy.isInvalidated && other.version == realm.version)
    }
  }

  @Test func invalidatedQueueRealmFollowsCommits() throws {
    try withTemporaryRealm { realm, store in
      let queue = DispatchQueue(label: "test")
      let watching = try Realm(configuration: store.configuration, queue: queue)
      watching.invalidate()
      try realm.write { realm.add(Buoy(1)) }
      let deadline = ContinuousClock.now + .seconds(30)
      while watching.version != realm.version, ContinuousClock.now < deadline { usleep(500) }
      #expect(watching.objects(Buoy.self).count == 1)
    }
  }

  @Test func invalidateInsideWriteThrows() throws {
    try withTemporaryRealm { realm, _ in
      let buoy = try realm.write { realm.create(Buoy.self, value: ["id": 1]) }
      expectError(.alreadyInWriteTransaction) { try realm.write { realm.invalidate() } }
      #expect(!buoy.isInvalidated)
      realm.freeze().invalidate()
      #expect(!buoy.isInvalidated)
    }
  }
}

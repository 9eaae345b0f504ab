import Foundation
import Testing
import Varve
import VarveCore

@Suite struct ViewTests {
  @Test func realmKeepsVersionUntilRefresh() throws {
    try withTemporaryRealm { realm, store in
      let sheep = Sheep(1)
      try realm.write { realm.add(sheep) }
      let reader = try store.open()
      let seen = reader.objects(Sheep.self)
      let version = reader.version
      try realm.write { realm.add(Sheep(2)) }
      #expect(seen.count == 1)
      #expect(reader.version == version)
      #expect(try reader.refresh())
      #expect(seen.count == 2)
      #expect(reader.version == realm.version)
      #expect(try reader.refresh() == false)
    }
  }

  @Test func handleSeesWriteThroughAnotherRealmOfSameThread() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.add(Sheep(1)) }
      let sheep = try #require(try store.open().objects(Sheep.self).first)
      try store.open().write { sheep.age = 3 }
      #expect(sheep.age == 3)
      #expect(try store.open().objects(Sheep.self).first?.age == 3)
    }
  }

  @Test func objectKeepsItsRealmAlive() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.add(Sheep(1, age: 4)) }
      let results = try store.open().objects(Sheep.self)
      let list = try #require(try store.open().objects(Sheep.self).first?.weights)
      try realm.write {
        realm.add(Sheep(2))
        realm.objects(Sheep.self).first?.weights.append(7)
      }
      #expect(results.count == 1)
      #expect(list.isEmpty)
    }
  }

  @Test func writeChangesHandlesOfAnotherRealm() throws {
    try withTemporaryRealm { realm, store in
      try realm.write {
        let sheep = realm.create(Sheep.self, value: ["id": 1])
        sheep.shepherd = Shepherd(value: ["name": "Ann"])
      }
      let other = try store.open()
      let sheep = try #require(other.objects(Sheep.self).first)
      let shepherd = try #require(sheep.shepherd)
      let written = try #require(realm.object(ofType: Sheep.self, forPrimaryKey: 1))
      try realm.write {
        sheep.age = 5
        sheep.weights.append(objectsIn: [1, 2])
        #expect(written.age == 5)
        #expect(Array(written.weights) == [1, 2])
        written.marks["a"] = "b"
        #expect(sheep.marks["a"] == "b")
        realm.add(Sheep(2))
        #expect(other.objects(Sheep.self).count == 2)
        #expect(shepherd.sheep.count == 1)
        written.shepherd = nil
        #expect(shepherd.sheep.isEmpty)
      }
      #expect(other.version == realm.version)
      #expect(sheep.age == 5)
      #expect(other.objects(Sheep.self).count == 2)
      #expect(shepherd.sheep.isEmpty)
    }
  }

  @Test func realmOpenedByHelperJoinsOuterWrite() throws {
    try withTemporaryRealm { realm, store in
      func record(_ id: Int) throws {
        let own = try store.open()
        own.add(Sheep(id))
        #expect(own.objects(Sheep.self).count == id)
      }
      try realm.write {
        try record(1)
        try record(2)
        expectError(.alreadyInWriteTransaction) { try store.open().write {} }
        expectError(.alreadyInWriteTransaction) { try begin(store.open()) }
        try record(3)
      }
      #expect(realm.objects(Sheep.self).count == 3)
    }
  }

  private func begin(_ realm: Realm) throws { try realm.beginWrite() }

  @Test func refreshInsideWriteDoesNothing() throws {
    try withTemporaryRealm { realm, store in
      let other = try store.open()
      try realm.write {
        realm.add(Sheep(1))
        let refreshes = [try realm.refresh(), try other.refresh()]
        #expect(refreshes == [false, false])
        #expect(other.objects(Sheep.self).count == 1)
      }
      // The realm joined the write by the read.
      #expect(other.version == realm.version)
    }
  }

  @Test func realmsOfOneStoreAreEqual() throws {
    try withTemporaryRealm { realm, store in
      try withTemporaryRealm { stranger, _ in
        let other = try store.open()
        #expect(other == realm)
        #expect(realm.freeze() == realm)
        #expect(Set([realm, other, stranger]).count == 2)
        #expect(stranger != realm)
      }
    }
  }

  @Test func objectRealmSharesVersion() throws {
    try withTemporaryRealm { realm, store in
      let sheep = Sheep(1)
      #expect(sheep.realm == nil)
      try realm.write { realm.add(sheep) }
      let before = try #require(sheep.realm)
      try store.open().write { _ = try store.open().create(Sheep.self, value: ["id": 2]) }
      #expect(before.objects(Sheep.self).count == 1)
      #expect(try realm.refresh())
      #expect(before.objects(Sheep.self).count == 2)
    }
  }

  @Test func realmOfRolledBackObjectRemainsUsable() throws {
    try withTemporaryRealm { realm, _ in
      let kept = Sheep(1)
      try realm.write { realm.add(kept) }
      let sheep = Sheep(2)
      expectCancelled {
        try realm.write {
          realm.add(sheep)
          throw Cancelled()
        }
      }
      #expect(sheep.isInvalidated)
      #expect(sheep.freeze().isInvalidated)
      #expect(sheep.realm?.objects(Sheep.self).first?.isInvalidated == false)
      try realm.write { realm.add(Sheep(2)) }
      #expect(sheep.isInvalidated)
      #expect(sheep.freeze().isInvalidated)
      #expect(sheep.freeze().thaw() == nil)
    }
  }

  @Test func everyPublicTypeIsSendable() {
    func requireSendable<T: Sendable>(_ type: T.Type) {}
    requireSendable(Realm.self)
    requireSendable(Realm.Configuration.self)
    requireSendable(Realm.Error.self)
    requireSendable(Realm.Version.self)
    requireSendable(Realm.UpdatePolicy.self)
    requireSendable(Object.self)
    requireSendable(Sheep.self)
    requireSendable(List<Sheep>.self)
    requireSendable(List<String?>.self)
    requireSendable(Map<String, Int>.self)
    requireSendable(MutableSet<Sheep>.self)
    requireSendable(Results<Sheep>.self)
    requireSendable(AnyRealmCollection<Sheep>.self)
    requireSendable(SectionedResults<Int, Sheep>.self)
    requireSendable(ResultsSection<Int, Sheep>.self)
    requireSendable(Projection<Sheep>.self)
    requireSendable(ProjectedCollection<Int>.self)
    requireSendable(LinkingObjects<Sheep>.self)
    requireSendable(SortDescriptor.self)
    requireSendable(ObjectId.self)
  }

  @Test func objectResolvesInAnotherRealm() throws {
    try withTemporaryRealm { realm, store in
      let early = try store.open()
      let sheep = Sheep(1, age: 2)
      try realm.write { realm.add(sheep) }
      #expect(early.resolve(sheep) == nil)
      try early.refresh()
      let resolved = try #require(early.resolve(sheep))
      #expect(resolved.age == 2)
      #expect(resolved == sheep)
      #expect(resolved.isSameObject(as: sheep))
    }
  }
}

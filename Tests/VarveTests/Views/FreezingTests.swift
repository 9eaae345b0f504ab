import Foundation
import Testing
import Varve

@Suite struct FreezingTests {
  private func withSheep(_ body: (Realm, Sheep, TemporaryRealm) throws -> Void) throws {
    try withTemporaryRealm { realm, store in
      let sheep = Sheep(1, age: 3, weights: [1, 2])
      sheep.name = "Dolly"
      sheep.marks["a"] = "b"
      sheep.shepherd = Shepherd(value: ["name": "Ann"])
      sheep.friends.append(Sheep(2, age: 4))
      try realm.write { realm.add(sheep) }
      try body(realm, sheep, store)
    }
  }

  /// Changes every property of the sheep.
  private func change(_ realm: Realm, _ sheep: Sheep) throws {
    try realm.write {
      sheep.name = "Changed"
      sheep.age = 30
      sheep.weights.append(3)
      sheep.marks["a"] = "c"
      sheep.friends[0].age = 40
      sheep.shepherd = nil
    }
  }

  private func expectUnchanged(_ frozen: Sheep) {
    #expect(frozen.isFrozen)
    #expect(!frozen.isInvalidated)
    #expect(frozen.name == "Dolly")
    #expect(frozen.age == 3)
    #expect(Array(frozen.weights) == [1, 2])
    #expect(frozen.marks["a"] == "b")
    #expect(frozen.friends.map(\.age) == [4])
    #expect(frozen.shepherd?.name == "Ann")
    #expect(frozen.shepherd?.sheep.map(\.id) == [1])
    #expect(frozen.weights.isFrozen)
    #expect(frozen.marks.isFrozen)
    #expect(frozen.friends[0].isFrozen)
    #expect(frozen.shepherd?.isFrozen == true)
    #expect(frozen.shepherd?.sheep.isFrozen == true)
    #expect(frozen.realm?.isFrozen == true)
  }

  @Test func frozenObjectDoesNotChange() throws {
    try withSheep { realm, sheep, _ in
      let frozen = sheep.freeze()
      #expect(!sheep.isFrozen)
      try change(realm, sheep)
      expectUnchanged(frozen)
      #expect(frozen.freeze() === frozen)
      #expect(sheep.age == 30)
    }
  }

  @Test func frozenRealmDoesNotChange() throws {
    try withSheep { realm, sheep, _ in
      let frozen = realm.freeze()
      let version = realm.version
      try change(realm, sheep)
      #expect(frozen.isFrozen)
      #expect(!realm.isFrozen)
      #expect(frozen.freeze() === frozen)
      #expect(frozen.version == version)
      #expect(try frozen.refresh() == false)
      expectUnchanged(try #require(frozen.object(ofType: Sheep.self, forPrimaryKey: 1)))
      expectUnchanged(try #require(frozen.objects(Sheep.self).first))
      expectUnchanged(try #require(frozen.resolve(sheep)))
      #expect(try frozen.thaw().objects(Sheep.self).first?.age == 30)
    }
  }

  @Test func frozenCollectionsDoNotChange() throws {
    try withSheep { realm, sheep, _ in
      let weights = sheep.weights.freeze()
      let marks = sheep.marks.freeze()
      let friends = sheep.friends.freeze()
      let results = realm.objects(Sheep.self).where { $0.age == 3 }.freeze()
      let sorted = realm.objects(Sheep.self).sorted(by: \.age, ascending: false).freeze()
      let links = try #require(sheep.shepherd?.sheep.freeze())
      try change(realm, sheep)
      #expect(weights.isFrozen && marks.isFrozen && friends.isFrozen)
      #expect(results.isFrozen && sorted.isFrozen && links.isFrozen)
      #expect(Array(weights) == [1, 2])
      #expect(weights.freeze() === weights)
      #expect(marks["a"] == "b")
      #expect(marks.freeze() === marks)
      #expect(friends.map(\.age) == [4])
      #expect(results.map(\.id) == [1])
      #expect(results.count == 1)
      #expect(results.freeze().map(\.age) == [3])
      #expect(sorted.map(\.age) == [4, 3])
      #expect(links.map(\.id) == [1])
      #expect(links.count == 1)
      #expect(results.where { $0.name == "Dolly" }.count == 1)
    }
  }

  @Test func frozenHandlesOutliveDeletion() throws {
    try withSheep { realm, sheep, _ in
      let frozen = sheep.freeze()
      let weights = sheep.weights.freeze()
      let results = realm.objects(Sheep.self).freeze()
      let links = try #require(sheep.shepherd?.sheep.freeze())
      try realm.write { realm.deleteAll() }
      #expect(sheep.isInvalidated)
      expectUnchanged(frozen)
      #expect(Array(weights) == [1, 2])
      #expect(!weights.isInvalidated)
      #expect(results.count == 2)
      #expect(links.first?.name == "Dolly")
      #expect(!links.isInvalidated)
      #expect(frozen.thaw() == nil)
      #expect(weights.thaw() == nil)
      #expect(frozen.marks.thaw() == nil)
      #expect(links.thaw() == nil)
      #expect(results.thaw()?.isEmpty == true)
      #expect(results.first?.thaw() == nil)
    }
  }

  @Test func freezingDeletedObjectIsInvalidated() throws {
    try withSheep { realm, sheep, _ in
      let links = try #require(sheep.shepherd?.sheep)
      let weights = sheep.weights
      try realm.write { realm.deleteAll() }
      #expect(sheep.freeze().isInvalidated)
      #expect(sheep.freeze().age == 0)
      #expect(weights.isInvalidated)
      #expect(weights.freeze().isInvalidated)
      #expect(links.isInvalidated)
      #expect(links.freeze().isInvalidated)
      #expect(links.isEmpty)
      #expect(!realm.objects(Sheep.self).isInvalidated)
    }
  }

  @Test func thawReturnsLiveObjectOfOriginalRealm() throws {
    try withSheep { realm, sheep, store in
      let frozen = sheep.freeze()
      let weights = sheep.weights.freeze()
      let marks = sheep.marks.freeze()
      let results = realm.objects(Sheep.self).where { $0.age > 3 }.freeze()
      let links = try #require(sheep.shepherd?.sheep.freeze())
      let live = try #require(frozen.thaw())
      let liveWeights = try #require(weights.thaw())
      let liveResults = try #require(results.thaw())
      let liveLinks = try #require(links.thaw())
      #expect(!live.isFrozen && !liveWeights.isFrozen && !liveResults.isFrozen)
      #expect(live.thaw() === live)
      #expect(liveWeights.thaw() === liveWeights)
      #expect(live == sheep)
      // The thawed handles move with their live realm only.
      try onlyWrite(store)
      #expect(live.age == 3)
      #expect(liveLinks.count == 1)
      try realm.refresh()
      #expect(live.age == 50)
      #expect(liveWeights.last == 50)
      #expect(try #require(marks.thaw())["a"] == "50")
      #expect(liveResults.count == 2)
      #expect(liveLinks.isEmpty)
      try realm.write { live.age = 51 }
      #expect(sheep.age == 51)
    }
  }

  private func onlyWrite(_ store: TemporaryRealm) throws {
    let other = try store.open()
    try other.write {
      let sheep = try #require(other.object(ofType: Sheep.self, forPrimaryKey: 1))
      sheep.age = 50
      sheep.weights.append(50)
      sheep.marks["a"] = "50"
      sheep.shepherd = nil
    }
  }

  @Test func thawOpensNewRealmAfterOriginalIsReleased() throws {
    try withSheep { realm, sheep, store in
      let frozen = try #require(
        store.open().object(ofType: Sheep.self, forPrimaryKey: 1)?.freeze())
      let frozenRealm = try store.open().freeze()
      try change(realm, sheep)
      expectUnchanged(frozen)
      #expect(try #require(frozen.thaw()).age == 30)
      #expect(try #require(frozen.weights.thaw()).count == 3)
      #expect(try frozenRealm.thaw().version == realm.version)
    }
  }

  @Test func freezingInsideWriteReturnsPreviousVersion() throws {
    try withSheep { realm, sheep, _ in
      try realm.write {
        sheep.name = "Changed"
        sheep.age = 30
        sheep.weights.append(3)
        sheep.marks["a"] = "c"
        sheep.shepherd?.name = sheep.shepherd?.name ?? ""
        sheep.friends[0].age = 40
        let added = realm.create(Sheep.self, value: ["id": 9])
        expectUnchanged(sheep.freeze())
        #expect(Array(sheep.weights.freeze()) == [1, 2])
        #expect(sheep.marks.freeze()["a"] == "b")
        #expect(realm.objects(Sheep.self).freeze().count == 2)
        #expect(realm.objects(Sheep.self).where { $0.age == 3 }.freeze().map(\.id) == [1])
        #expect(realm.freeze().objects(Sheep.self).count == 2)
        #expect(sheep.shepherd?.sheep.freeze().first?.age == 3)
        #expect(added.freeze().isInvalidated)
        // Values frozen before or during the write thaw into the write.
        #expect(sheep.freeze().thaw()?.age == 30)
        #expect(sheep.weights.freeze().thaw()?.count == 3)
        #expect(realm.objects(Sheep.self).freeze().thaw()?.count == 3)
      }
    }
  }

  @Test func resultsOfAListFreezeAndThaw() throws {
    try withSheep { realm, sheep, _ in
      let old = sheep.friends.where { $0.age >= 4 }
      let frozen = old.freeze()
      try realm.write {
        sheep.friends.append(Sheep(3, age: 5))
        #expect(old.count == 2)
        #expect(old.freeze().count == 1)
        #expect(frozen.count == 1)
        #expect(frozen.thaw()?.count == 2)
      }
      #expect(frozen.count == 1)
      #expect(frozen.thaw()?.map(\.id) == [2, 3])
      try realm.write { realm.delete(sheep) }
      #expect(frozen.count == 1)
      #expect(!frozen.isInvalidated)
      #expect(old.isInvalidated)
      #expect(old.isEmpty)
    }
  }

  @Test func frozenObjectsCompareByClassIdAndVersion() throws {
    try withTemporaryRealm { realm, _ in
      let bell = Bell(value: ["tone": 1])
      try realm.write { realm.add(bell) }
      let first = bell.freeze()
      let again = bell.freeze()
      #expect(first == again)
      #expect(first.hashValue == again.hashValue)
      #expect(first.isSameObject(as: again))
      #expect(first != bell)
      #expect(!first.isSameObject(as: bell))
      try realm.write { bell.tone = 2 }
      #expect(bell.freeze() != first)
      #expect(!bell.freeze().isSameObject(as: first))
    }
  }

  @Test func frozenObjectsAreReadConcurrently() throws {
    try withSheep { realm, sheep, _ in
      let frozen = sheep.freeze()
      try change(realm, sheep)
      onThreads(4) { _ in
        for _ in 0..<50 { expectUnchanged(frozen) }
      }
    }
  }

  @Test func readOnlyStoreCanBeFrozen() throws {
    try withSheep { realm, sheep, store in
      try Realm.close(store.configuration)
      var configuration = store.configuration
      configuration.readOnly = true
      let reader = try Realm(configuration: configuration)
      let frozen = try #require(reader.objects(Sheep.self).first).freeze()
      expectUnchanged(frozen)
      #expect(frozen.thaw()?.age == 3)
      #expect(try reader.freeze().thaw() == reader)
      try Realm.close(configuration)
    }
  }

  @Test func frozenHandlesOutliveClose() throws {
    try withSheep { realm, sheep, store in
      let frozen = sheep.freeze()
      try change(realm, sheep)
      try Realm.close(store.configuration)
      expectUnchanged(frozen)
      let live = try #require(store.open().object(ofType: Sheep.self, forPrimaryKey: 1))
      #expect(live.age == 30)
      expectUnchanged(frozen)
    }
  }
}

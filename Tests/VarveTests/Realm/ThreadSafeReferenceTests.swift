import Foundation
import Testing
import Varve

@Suite struct ThreadSafeReferenceTests {
  private func withBuoys(_ body: (Realm, Realm, Buoy) throws -> Void) throws {
    try withTemporaryRealm { realm, store in
      let buoy = try realm.write {
        realm.create(
          Buoy.self,
          value: [
            "id": 1, "bearings": [1], "notes": ["a": "b"], "colours": ["red"],
            "neighbour": ["id": 2],
          ])
      }
      try body(realm, try store.open(), buoy)
    }
  }

  @Test func everyTypeResolvesInAnotherRealm() throws {
    try withBuoys { realm, other, buoy in
      try realm.write {
        buoy.depth = 5
        buoy.bearings.append(2)
      }
      let resolved = try #require(other.resolve(ThreadSafeReference(to: buoy)))
      // The reference resolves in the version of the other realm.
      #expect(resolved.depth == 0 && buoy.depth == 5)
      let list = try #require(other.resolve(ThreadSafeReference(to: buoy.bearings)))
      #expect(Array(list) == [1])
      let map = try #require(other.resolve(ThreadSafeReference(to: buoy.notes)))
      #expect(map["a"] == "b")
      let set = try #require(other.resolve(ThreadSafeReference(to: buoy.colours)))
      #expect(set.contains("red"))
      let results = realm.objects(Buoy.self).where { $0.depth > 1 }
      let found = try #require(other.resolve(ThreadSafeReference(to: results)))
      #expect(found.isEmpty && results.count == 1)
      let neighbour = try #require(buoy.neighbour)
      let linking = try #require(other.resolve(ThreadSafeReference(to: neighbour.neighbours)))
      #expect(linking.first?.depth == 0)
      try other.refresh()
      #expect(resolved.depth == 5 && list.count == 2 && found.count == 1)
      #expect(linking.first?.depth == 5)
    }
  }

  @Test func referenceResolvesAnyNumberOfTimes() throws {
    try withBuoys { realm, other, buoy in
      let reference = ThreadSafeReference(to: buoy)
      #expect(!reference.isInvalidated)
      for _ in 0..<3 { #expect(other.resolve(reference)?.id == 1) }
      onAnotherThread {
        let third = try Realm(configuration: other.configuration)
        #expect(third.resolve(reference)?.id == 1)
      }
    }
  }

  @Test func deletedObjectResolvesToNil() throws {
    try withBuoys { realm, other, buoy in
      let neighbour = try #require(buoy.neighbour)
      let references = (
        ThreadSafeReference(to: buoy), ThreadSafeReference(to: buoy.bearings),
        ThreadSafeReference(to: buoy.notes), ThreadSafeReference(to: neighbour.neighbours)
      )
      try realm.write { realm.delete([buoy, neighbour]) }
      // The objects still exist in the older version.
      #expect(other.resolve(references.0) != nil)
      try other.refresh()
      #expect(other.resolve(references.0) == nil && references.0.isInvalidated)
      #expect(other.resolve(references.1) == nil && other.resolve(references.2) == nil)
      #expect(other.resolve(references.3) == nil)
    }
  }

  @Test func unmanagedOrForeignReferenceResolvesToNil() throws {
    try withBuoys { realm, other, buoy in
      #expect(other.resolve(ThreadSafeReference(to: Buoy(1))) == nil)
      #expect(other.resolve(ThreadSafeReference(to: List<Int>())) == nil)
      try withTemporaryRealm { foreign, _ in
        #expect(foreign.resolve(ThreadSafeReference(to: buoy)) == nil)
        #expect(foreign.resolve(ThreadSafeReference(to: buoy.bearings)) == nil)
        #expect(foreign.resolve(ThreadSafeReference(to: realm.objects(Buoy.self))) == nil)
      }
    }
  }

  @Test func frozenValueResolvesToLiveValue() throws {
    try withBuoys { realm, other, buoy in
      let frozen = buoy.freeze()
      try realm.write { buoy.depth = 6 }
      try other.refresh()
      let resolved = try #require(other.resolve(ThreadSafeReference(to: frozen)))
      #expect(!resolved.isFrozen && resolved.depth == 6 && frozen.depth == 0)
      let again = try #require(other.freeze().resolve(ThreadSafeReference(to: buoy)))
      #expect(again.isFrozen)
    }
  }

  @Test func threadSafeWrapperReturnsNilAfterDeletion() throws {
    try withBuoys { realm, _, buoy in
      @ThreadSafe var kept = buoy
      onAnotherThread { [_kept] in #expect(_kept.wrappedValue?.id == 1) }
      try realm.write { realm.delete(buoy) }
      #expect(kept == nil)
      kept = Buoy(8)
      #expect(kept?.id == 8)
    }
  }

  @Test func threadConfinedWorksInGenericCode() throws {
    func frozen<T: ThreadConfined>(_ value: T) -> T? {
      guard value.realm != nil, !value.isInvalidated, !value.isFrozen else { return nil }
      let frozen = value.freeze()
      return frozen.isFrozen && frozen.thaw()?.isFrozen == false ? frozen : nil
    }
    try withBuoys { realm, _, buoy in
      #expect(frozen(buoy)?.id == 1)
      #expect(frozen(buoy.bearings)?.count == 1)
      #expect(frozen(buoy.notes)?.count == 1)
      #expect(frozen(buoy.colours)?.count == 1)
      #expect(frozen(AnyRealmCollection(buoy.bearings))?.count == 1)
      #expect(frozen(realm.objects(Buoy.self))?.count == 2)
      let neighbour = try #require(buoy.neighbour)
      #expect(frozen(neighbour.neighbours)?.count == 1)
      #expect(frozen(Buoy(5)) == nil)
    }
  }
}

import Foundation
import Observation
import Testing
import Varve

/// Identity and equality of objects, and their invalidation.
@Suite struct IdentityTests {
  @Test func instancesOfOneObjectAreSameObject() throws {
    try withTemporaryRealm { realm, store in
      let (item, stamp) = (Item("a"), Stamp(1))
      #expect(item.isSameObject(as: item) && !item.isSameObject(as: Item("a")))
      try realm.write {
        realm.add([item]); realm.add(stamp)
      }
      let second = try #require(realm.object(ofType: Item.self, forPrimaryKey: "a"))
      let third = try #require(try store.open().object(ofType: Item.self, forPrimaryKey: "a"))
      #expect(item !== second && item.isSameObject(as: second) && item.isSameObject(as: third))
      // For a class with a primary key, `==` equals `isSameObject(as:)`.
      #expect(item == second && item == third && item.hashValue == second.hashValue)
      #expect(item != Item("a") && item != item.freeze() && Item("a") != Item("a"))
      #expect(item.freeze() == second.freeze())
      // For a class without a primary key, `==` compares instances.
      let same = try #require(realm.objects(Stamp.self).first)
      #expect(same.isSameObject(as: stamp) && same != stamp && stamp == stamp)
      #expect(stamp.freeze() == same.freeze() && !stamp.isSameObject(as: stamp.freeze()))
      #expect(!stamp.isSameObject(as: item) && !stamp.isSameObject(as: nil))
    }
  }

  @Test func swiftSetKeepsAddedObject() throws {
    try withTemporaryRealm { realm, _ in
      let (keyed, plain) = (Item("a"), Stamp(1))
      let items: Set<Item> = [keyed]
      let stamps: Set<Stamp> = [plain]
      try realm.write {
        realm.add(keyed)
        realm.add(plain)
      }
      #expect(items.contains(keyed) && stamps.contains(plain))
      #expect(items.contains(try #require(realm.objects(Item.self).first)))
      #expect(!stamps.contains(try #require(realm.objects(Stamp.self).first)))
      #expect(!items.contains(keyed.freeze()))
    }
  }

  @Test func deletedObjectKeepsItsHash() throws {
    try withTemporaryRealm { realm, _ in
      let (first, second) = (Item("a"), Item("b"))
      var counts: [Item: Int] = [first: 1, second: 1]
      try realm.write {
        realm.add([first, second])
        let again = realm.objects(Item.self).where { $0.name == "a" }.first
        realm.delete(first)
        // The write continues.
        #expect(first != again && first != second && counts[first] == 1)
      }
      try realm.write { realm.delete(second) }
      for _ in 0..<3 {
        counts[first, default: 0] += 1
        counts[second, default: 0] += 1
      }
      #expect(counts.count == 2 && counts[first] == 4 && counts[second] == 4)
      #expect(first != second && first.isInvalidated)
    }
  }

  @Test func redundantFreezeAndThawReturnSelf() throws {
    try withTemporaryRealm { realm, store in
      let item = Item("a")
      #expect(item.thaw() == nil)
      try realm.write { realm.add(item) }
      let frozen = item.freeze()
      #expect(frozen.freeze() === frozen && item.thaw() === item)
      #expect(frozen.isFrozen && !item.isFrozen && frozen.thaw()?.isSameObject(as: item) == true)
      // The object was created after the version that the live realm reads: it cannot be resolved
      // until the realm advances.
      let old = try store.open()
      let newer = Item("b")
      try realm.write { realm.add(newer) }
      #expect(old.resolve(newer) == nil)
      try old.refresh()
      #expect(old.resolve(newer)?.name == "b")
      try realm.write { realm.delete(item) }
      #expect(frozen.thaw() == nil && frozen.name == "a")
    }
  }

  @Test func unmanagedCollectionsAreNeverInvalidated() throws {
    try withTemporaryRealm { realm, _ in
      let (numbers, notes) = (List<Int>(), Map<String, String>())
      numbers.append(1)
      notes["a"] = "A"
      let crate = Crate(1)
      (crate.numbers, crate.notes) = (numbers, notes)
      try realm.write { realm.add(crate) }
      let (managed, managedNotes) = (crate.numbers, crate.notes)
      #expect(!managed.isInvalidated && !managedNotes.isInvalidated)
      try realm.write { realm.delete(crate) }
      #expect(managed.isInvalidated && managedNotes.isInvalidated)
      #expect(!numbers.isInvalidated && !notes.isInvalidated && Array(numbers) == [1])
      #expect(!LinkingObjects<Crate>().isInvalidated && !Crate(2).isInvalidated)
    }
  }

  @Test func collectionInvalidationIsTracked() throws {
    try withTemporaryRealm({ $0.tracksObservation = true }) { realm, _ in
      let crate = Crate(1, numbers: [1])
      try realm.write { realm.add(crate) }
      let notified = EventRecorder<String>()
      let (numbers, notes) = (crate.numbers, crate.notes)
      withObservationTracking {
        _ = numbers.isInvalidated
      } onChange: {
        notified.note("list")
      }
      withObservationTracking {
        _ = notes.isInvalidated
      } onChange: {
        notified.note("map")
      }
      withObservationTracking {
        _ = crate.isInvalidated
      } onChange: {
        notified.note("object")
      }
      try realm.write { realm.delete(crate) }
      #expect(notified.wait(for: 3).sorted() == ["list", "map", "object"])
    }
  }

  @Test func deletedMapIsEmptyAndFailsWrite() throws {
    try withTemporaryRealm { realm, _ in
      let crate = try realm.write {
        realm.create(
          Crate.self, value: ["id": 1, "notes": ["a": "A"], "places": ["p": ["name": "x"]]])
      }
      let (notes, places) = (crate.notes, crate.places)
      try realm.write { realm.delete(crate) }
      #expect(notes.isInvalidated && notes.count == 0 && notes.keys.isEmpty && notes.values.isEmpty)
      #expect(
        notes["a"] == nil && notes.object(forKey: "a") == nil
          && places.where { $0.name == "x" }.isEmpty)
      expectError(.invalidatedObject) { try realm.write { notes["a"] = "B" } }
      expectError(.invalidatedObject) { try realm.write { _ = notes.count } }
      expectError(.invalidatedObject) { try realm.write { notes.removeAll() } }
      #expect(crate.label == "" && crate.id == 1)
    }
  }
}

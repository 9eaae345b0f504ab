import Foundation
import Testing
import Varve

@Suite struct ForeignObjectTests {
  /// Every use of an item that a write must reject.
  private func uses(of item: Item, _ crate: Crate, _ realm: Realm) -> [() -> Void] {
    [
      { crate.best = item }, { crate.items.append(item) }, { crate.items[0] = item },
      { crate.items.insert(item, at: 0) }, { crate.items.append(objectsIn: [item]) },
      { crate.places["a"] = item }, { crate.places.updateValue(item, forKey: "a") },
      { realm.add(item) }, { realm.add(item, update: .all) }, { realm.delete(item) },
      { realm.add(Crate(value: ["id": 2, "best": item])) },
      { realm.add(Crate(value: ["id": 2, "items": [item]])) },
      {
        let other = Crate(2)
        other.places["a"] = item
        realm.add(other)
      },
    ]
  }

  @Test func objectOfAnotherStoreIsRejected() throws {
    let foreign = try TemporaryRealm()
    defer { foreign.end() }
    try withTemporaryRealm { realm, _ in
      let other = try foreign.open()
      let stranger = Item("stranger", count: 5)
      try other.write { other.add(stranger) }
      let crate = Crate(1)
      try realm.write {
        realm.add(crate)
        crate.items.append(Item("own"))
      }
      for use in uses(of: stranger, crate, realm) {
        let error = thrownError { try realm.write { use() } }
        #expect(error?.code == .foreignObject)
        // The class that owns the property, if there is one.
        let isPut = error?.propertyName != nil && error?.value == "object of class Item"
        #expect(error?.className == (isPut ? "Crate" : "Item"))
      }
      #expect(crate.items.map(\.name) == ["own"])
      #expect(realm.objects(Crate.self).count == 1)
      #expect(stranger.count == 5 && stranger.realm == other)
      // Reading the object in this store's write reads its own committed version.
      try realm.write { crate.weight = Double(stranger.count) }
      #expect(crate.weight == 5)
    }
  }

  /// Changing an object of another store requires a write of that store.
  @Test func objectOfAnotherStoreCannotBeChanged() throws {
    let foreign = try TemporaryRealm()
    defer { foreign.end() }
    try withTemporaryRealm { realm, _ in
      let other = try foreign.open()
      let stranger = Crate(1, numbers: [1, 2])
      try other.write { other.add(stranger) }
      let item = Item("own")
      try realm.write { realm.add(item) }
      let changes: [(String, () -> Void)] = [
        ("value", { stranger.label = "x" }), ("key", { stranger.id = 1 }),
        ("link", { stranger.best = item }), ("new", { stranger.best = Item("new") }),
        ("nil", { stranger.best = nil }), ("append", { stranger.numbers.append(3) }),
        ("objects", { stranger.items.append(item) }), ("remove", { stranger.numbers.removeAll() }),
        ("replace", { stranger.numbers[0] = 5 }), ("list", { stranger.words = List() }),
        ("map", { stranger.notes["a"] = "b" }), ("place", { stranger.places["a"] = item }),
        ("frozen", { stranger.freeze().label = "x" }),
      ]
      for (name, change) in changes {
        var hasGoneOn = false
        let error = thrownError {
          try realm.write {
            change()
            item.count += 1
            hasGoneOn = true
          }
        }
        #expect(hasGoneOn && error?.code == .foreignObject, "\(name)")
        #expect(error?.className == "Crate" && error?.path == foreign.path)
      }
      #expect(stranger.label == "" && Array(stranger.numbers) == [1, 2] && stranger.best == nil)
      #expect(item.count == 0 && realm.objects(Crate.self).isEmpty)
    }
  }

  @Test func realmOfAnotherStoreCannotBeWritten() throws {
    let foreign = try TemporaryRealm()
    defer { foreign.end() }
    try withTemporaryRealm { realm, _ in
      let other = try foreign.open()
      let stranger = Crate(1)
      try other.write { other.add(stranger) }
      for use in [
        { other.add(Crate(2)) }, { other.add(Crate(2), update: .all) }, { other.delete(stranger) },
        { other.deleteAll() }, { _ = other.create(Crate.self, value: ["id": 3]) },
      ] {
        let error = thrownError { try realm.write { use() } }
        #expect(error?.code == .notInWriteTransaction && error?.path == foreign.path)
      }
      #expect(other.objects(Crate.self).map(\.id) == [1] && realm.isEmpty)
    }
  }

  @Test func twoStoresCanBeWrittenTogether() throws {
    let foreign = try TemporaryRealm()
    defer { foreign.end() }
    try withTemporaryRealm { realm, _ in
      let other = try foreign.open()
      try realm.write {
        try other.write {
          realm.add(Item("here"))
          other.add(Item("there"))
        }
        #expect(other.isInWriteTransaction == false)
        #expect(realm.isInWriteTransaction)
      }
      #expect(realm.objects(Item.self).map(\.name) == ["here"])
      #expect(other.objects(Item.self).map(\.name) == ["there"])
    }
  }

  @Test func frozenObjectCannotBeChanged() throws {
    try withTemporaryRealm { realm, _ in
      let crate = Crate(1, numbers: [1])
      try realm.write {
        realm.add(crate)
        crate.notes["a"] = "b"
      }
      let frozen = try #require(realm.freeze().object(ofType: Crate.self, forPrimaryKey: 1))
      for use in [
        { frozen.label = "x" }, { frozen.id = 1 }, { frozen.best = Item("a") },
        { frozen.numbers.append(1) }, { frozen.numbers[0] = 2 }, { frozen.numbers.removeAll() },
        { frozen.notes["a"] = "c" }, { frozen.notes.removeAll() },
        { frozen.notes.set([(key: "x", value: "y")]) }, { realm.delete(frozen) },
        { frozen.items.append(Item("a")) }, { crate.numbers.freeze().append(1) },
      ] {
        let error = thrownError { try realm.write { use() } }
        #expect(error?.code == .frozen)
        #expect(error?.className == "Crate")
      }
      #expect(frozen.label == "" && Array(frozen.numbers) == [1] && frozen.notes["a"] == "b")
      #expect(realm.objects(Item.self).isEmpty)
    }
  }

  @Test func frozenRealmCannotBeWritten() throws {
    try withTemporaryRealm { realm, store in
      let crate = Crate(1)
      try realm.write { realm.add(crate) }
      let frozen = realm.freeze()
      let inside = try store.open()
      for use in [
        { frozen.add(Crate(2)) }, { frozen.add([Crate(2)]) }, { frozen.delete(crate) },
        { frozen.delete([crate]) }, { frozen.deleteAll() },
        { #expect(frozen.create(Crate.self, value: ["id": 3]).realm == nil) },
      ] {
        let error = thrownError { try inside.write { use() } }
        #expect(error?.code == .frozen)
      }
      #expect(realm.objects(Crate.self).map(\.id) == [1])
    }
  }

  @Test func frozenObjectOfSameStoreCanBeLinked() throws {
    try withTemporaryRealm { realm, _ in
      let crate = Crate(1)
      try realm.write {
        realm.add(crate)
        realm.add(Item("a"))
      }
      let frozen = try #require(realm.freeze().object(ofType: Item.self, forPrimaryKey: "a"))
      try realm.write { crate.best = frozen }
      #expect(crate.best?.name == "a")
      #expect(crate.best?.isFrozen == false)
    }
  }

  @Test func unmanagedObjectCannotBeDeleted() throws {
    try withTemporaryRealm { realm, _ in
      let error = thrownError { try realm.write { realm.delete(Item("a")) } }
      #expect(error?.code == .unmanaged)
      #expect(error?.className == "Item")
    }
  }

  @Test func invalidObjectPreventsDeletionOfOthers() throws {
    try withTemporaryRealm { realm, _ in
      let item = Item("a")
      try realm.write { realm.add(item) }
      let code = errorCode {
        try realm.write {
          realm.delete([item, Item("b")])
          #expect(realm.objects(Item.self).count == 1)
        }
      }
      #expect(code == .unmanaged)
      #expect(item.isInvalidated == false)
    }
  }
}

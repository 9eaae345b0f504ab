import Foundation
import Testing
import Varve

/// `create` and `add` with an existing object.
@Suite struct CreateOrUpdateTests {
  private let value: [String: Any] = [
    "id": 1, "label": "one", "weight": 1.5, "numbers": [1, 2], "notes": ["a": "A"],
    "best": ["name": "i", "count": 5], "items": [["name": "j", "count": 7]],
    "places": ["p": ["name": "k"]],
  ]

  private func withCrate(_ body: (Realm, Crate, TemporaryRealm) throws -> Void) throws {
    try withTemporaryRealm { realm, store in
      let crate = try realm.write { realm.create(Crate.self, value: value) }
      try body(realm, crate, store)
      try store.check()
    }
  }

  private func changed(_ realm: Realm, _ body: () throws -> Void) throws -> [String: [String]] {
    let before = realm.freeze()
    try realm.write(body)
    let changes = try realm.changes(since: before)
    var names: [String: [String]] = [:]
    for change in try changes.objects(Crate.self).modifications {
      names["Crate \(change.new.id)"] = change.properties.map(\.name)
    }
    for change in try changes.objects(Item.self).modifications {
      names["Item \(change.new.name)"] = change.properties.map(\.name)
    }
    return names
  }

  @Test func modifiedUpdateReportsOnlyDifferences() throws {
    try withCrate { realm, crate, _ in
      let names = try changed(realm) {
        realm.create(
          Crate.self,
          value: [
            "id": 1, "label": "one", "weight": 2, "numbers": [1, 2], "notes": ["a": "B"],
            "best": ["name": "i", "count": 6], "items": [["name": "j", "count": 7]],
          ], update: .modified)
      }
      #expect(names == ["Crate 1": ["weight", "notes"], "Item i": ["count"]])
      #expect(crate.weight == 2 && crate.notes["a"] == "B" && crate.best?.count == 6)
    }
  }

  @Test func updateWithoutDifferenceWritesNothing() throws {
    try withCrate { realm, crate, store in
      let version = realm.version
      let bytes = try Data(contentsOf: URL(filePath: store.path))
      try realm.write {
        realm.create(Crate.self, value: value, update: .modified)
        realm.create(Crate.self, value: ["id": 1], update: .modified)
        realm.create(Crate.self, value: ["id": 1], update: .all)
        realm.add(Crate(value: crate), update: .modified)
      }
      #expect(realm.version == version)
      #expect(try Data(contentsOf: URL(filePath: store.path)) == bytes)
    }
  }

  @Test func updateAllReportsEveryGivenProperty() throws {
    try withCrate { realm, crate, _ in
      let names = try changed(realm) {
        realm.create(
          Crate.self,
          value: [
            "id": 1, "label": "one", "numbers": [1, 2], "notes": ["a": "A"],
            "best": ["name": "i", "count": 5],
          ], update: .all)
      }
      #expect(names["Crate 1"] == ["label", "numbers", "notes", "best"])
      #expect(names["Item i"] == ["count"])
      #expect(crate.best?.count == 5 && crate.items.count == 1 && crate.weight == 1.5)
    }
  }

  @Test func missingValueIsKeptAndNullIsSet() throws {
    try withCrate { realm, crate, _ in
      for update in [Realm.UpdatePolicy.all, .modified] {
        try realm.write {
          realm.create(Crate.self, value: ["id": 1, "weight": 3], update: update)
        }
        // Default values apply only to new objects.
        #expect(crate.label == "one" && crate.weight == 3 && crate.best?.name == "i")
      }
      try realm.write {
        realm.create(
          Crate.self, value: ["id": 1, "best": NSNull(), "numbers": [3]], update: .modified)
      }
      #expect(crate.best == nil && Array(crate.numbers) == [3])
      try realm.write {
        realm.create(
          Crate.self, value: ["id": 1, "notes": ["b": "B"], "numbers": NSNull()], update: .all)
      }
      #expect(crate.notes.keys == ["b"] && crate.numbers.isEmpty)
    }
  }

  @Test func nestedObjectsAreUpdatedByKeyOrCreated() throws {
    try withCrate { realm, crate, _ in
      try realm.write {
        realm.create(
          Crate.self,
          value: ["id": 1, "items": [["name": "j", "code": "J"], ["name": "new", "count": 1]]],
          update: .modified)
      }
      #expect(crate.items.map(\.name) == ["j", "new"] && crate.items.map(\.count) == [7, 1])
      #expect(crate.items[0].code == "J" && realm.objects(Item.self).count == 4)
      // Without a primary key, each object is a new object.
      let stamp = try realm.write { realm.create(Stamp.self, value: ["number": 1]) }
      #expect(stamp.number == 1 && realm.objects(Stamp.self).count == 1)
    }
  }

  @Test func updateRequiresPrimaryKey() throws {
    try withTemporaryRealm { realm, _ in
      for update in [Realm.UpdatePolicy.all, .modified] {
        let error = thrownError {
          try realm.write { realm.create(Stamp.self, value: ["number": 1], update: update) }
        }
        #expect(error?.code == .noPrimaryKey && error?.className == "Stamp")
        #expect(error?.message == "The class has no primary key and cannot be updated.")
      }
      #expect(realm.objects(Stamp.self).isEmpty)
    }
  }

  @Test func liveObjectAsValueIsReturned() throws {
    try withCrate { realm, crate, _ in
      let version = realm.version
      try realm.write {
        for update in [Realm.UpdatePolicy.all, .modified] {
          #expect(realm.create(Crate.self, value: crate, update: update) === crate)
        }
        realm.add(crate)
        realm.add(crate, update: .all)
      }
      #expect(realm.version == version)
      expectError(.duplicatePrimaryKey) {
        try realm.write { realm.create(Crate.self, value: crate) }
      }
      // A frozen version of the object restores its old values.
      let frozen = crate.freeze()
      try realm.write { crate.label = "two" }
      try realm.write { realm.create(Crate.self, value: frozen, update: .modified) }
      #expect(crate.label == "one")
    }
  }

  @Test func objectOfAnotherStoreIsCopiedWithItsLinks() throws {
    try withCrate { realm, crate, _ in
      try withTemporaryRealm { other, store in
        expectError(.foreignObject) { try other.write { other.add(crate) } }
        let best = try #require(crate.best)
        try realm.write { crate.items.append(best) }
        let copy = try other.write { other.create(Crate.self, value: crate) }
        #expect(copy.realm == other && copy.best?.realm == other && copy.best?.count == 5)
        #expect(copy.items.map(\.name) == ["j", "i"] && copy.places["p"]??.name == "k")
        #expect(other.objects(Item.self).count == 3)
        let second = try other.write {
          other.create(
            Crate.self, value: ["id": 2, "best": best, "items": crate.items], update: .modified)
        }
        #expect(second.best?.isSameObject(as: copy.best) == true && second.items.count == 2)
        try store.check()
      }
    }
  }

  @Test func cyclesOfAnotherStoreAreCopied() throws {
    try withTemporaryRealm { realm, _ in
      let (a, b) = (Card(1, "a"), Card(2, "b"))
      (a.next, b.next, b.cover) = (b, a, Cover(value: ["color": "red"]))
      (a.extra, b.extra) = (.object(b), .int(7))
      a.cards.append(objectsIn: [a, b])
      try realm.write { realm.add(a) }
      try withTemporaryRealm { other, store in
        let copy = try other.write { other.create(Card.self, value: ["id": 3, "next": a]) }
        #expect(copy.next?.next?.next?.title == "a" && copy.next?.cards.map(\.id) == [1, 2])
        #expect(copy.next?.extra.object(Card.self)?.id == 2 && copy.next?.next?.extra == .int(7))
        #expect(copy.next?.next?.cover?.color == "red" && other.objects(Card.self).count == 3)
        try store.check()
      }
    }
  }
}

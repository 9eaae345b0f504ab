import Foundation
import Testing
import Varve
import VarveCore
import VarveLocks

@Suite struct MigrationObjectTests {
  @Test func blockReadsOldAndNewObjects() throws {
    try withMigratedFile { store in
      try store.fillShop()
      let realm = try store.open(
        Shop2.Person.self, Shop2.Place.self, version: 1
      ) { migration, _ in
        migration.enumerateObjects(ofType: "Person") { old, new in
          guard let old, let new else {
            Issue.record("both are there")
            return
          }
          new["fullName"] = "\(old["firstName"] ?? "") \(old.lastName ?? "")"
          new["years"] = old["age"]
          // The property's type has changed: old and new object are read under the same name.
          new["photo"] = "\((old["photo"] as? Data)?.count ?? -1) bytes"
          let places = (old["visited"] as? List<DynamicObject>)?.map { $0["name"] as? String }
          #expect(places == ["Bern", "Oslo", "Bern"])
          try? #expect(old.dynamicMap("counts", of: Int.self)["x"] == old["id"] as? Int)
          #expect((old["best"] as? DynamicObject)?["lastName"] != nil)
          #expect((new["best"] as? DynamicObject)?["fullName"] != nil)
          new["seen"] = old["visited"]
        }
      }
      let people = realm.objects(Shop2.Person.self)
      #expect(people.map(\.fullName) == ["F0 L0", "F1 L1", "F2 L2"])
      #expect(people.map(\.years) == [20, 21, 22])
      #expect(people.map(\.photo) == ["0 bytes", "600 bytes", "1200 bytes"])
      #expect(
        people.map { $0.seen.map(\.name) } == Array(repeating: ["Bern", "Oslo", "Bern"], count: 3))
    }
  }

  /// The types of the class have changed, and its objects are found by look-ups and queries.
  @Test func blockFindsObjectsByRealm() throws {
    try withMigratedFile { store in
      try store.fillShop()
      let realm = try store.open(
        Shop2.Person.self, Shop2.Place.self, version: 1
      ) { migration, _ in
        try migration.enumerateObjects(ofType: "Person") { old, new in
          guard let old, let new, let realm = new.realm, let id = old["id"] as? Int else {
            Issue.record("both are there")
            return
          }
          new["photo"] = "photo \(id)"
          let next = (id + 1) % 3
          let found = try realm.dynamicObject(ofType: "Person", forPrimaryKey: next)
          #expect(found?.isInvalidated == false && found?["id"] as? Int == next)
          let isPassed = next < id
          #expect(found?["photo"] as? String == (isPassed ? "photo \(next)" : ""))
          let all = try realm.dynamicObjects("Person")
          #expect(all.map { $0["id"] as? Int } == [0, 1, 2])
          #expect(all.first?.isInvalidated == false)
          let typed = realm.objects(Shop2.Person.self)
          #expect(typed.map(\.id) == [0, 1, 2] && typed.first?.isInvalidated == false)
          #expect(
            realm.object(ofType: Shop2.Person.self, forPrimaryKey: id)?.photo == "photo \(id)")
          if let found { try new.dynamicList("friends").append(found) }
          new["best"] = all.last
        }
      }
      let people = realm.objects(Shop2.Person.self)
      #expect(people.map(\.photo) == ["photo 0", "photo 1", "photo 2"])
      #expect(people.map { $0.friends.count } == [4, 4, 4])
      #expect(people.map { $0.friends.last?.id } == [1, 2, 0])
      #expect(people.map { $0.best?.id } == [2, 2, 2])
    }
  }

  @Test func createdObjectsAreNotEnumerated() throws {
    try withMigratedFile { store in
      try store.fillShop(people: 50)
      let seen = Lock<[Int]>([])
      let realm = try store.open(
        Shop2.Person.self, Shop2.Place.self, version: 1
      ) { migration, _ in
        migration.enumerateObjects(ofType: "Person") { old, new in
          let id = old?["id"] as? Int ?? -1
          seen.withLock { $0.append(id) }
          migration.create("Person", value: ["id": 1000 + id])
          migration.create("Person", value: ["id": -1 - id])
          // The next object is deleted and therefore not enumerated.
          if id % 10 == 0 { migration.delete(new!.best as! MigrationObject) }
        }
      }
      let expected = (0..<50).filter { $0 % 10 != 1 }
      #expect(seen.withLock { $0 } == expected)
      #expect(realm.objects(Shop2.Person.self).count == 3 * expected.count)
    }
  }

  @Test func createdObjectsGetDeclaredDefaults() throws {
    try withMigratedFile { store in
      try store.fillShop()
      let realm = try store.open(
        Shop2.Person.self, Shop2.Place.self, version: 1
      ) { migration, _ in
        let made = migration.create("Person", value: ["id": 8, "home": ["name": "Rome"]])
        #expect(made["level"] as? Int == 4)
        migration.create("Person", value: ["id": 9, "friends": [made], "level": 1])
        migration.enumerateObjects(ofType: "Note") { old, new in
          migration.create("Place", value: ["name": "Note \((old!["text"] as! String).count)"])
          migration.delete(new!)
        }
      }
      let eight = try #require(realm.object(ofType: Shop2.Person.self, forPrimaryKey: 8))
      #expect(eight.level == 4)
      #expect(eight.token != UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
      #expect(eight.home?.name == "Rome")
      let nine = try #require(realm.object(ofType: Shop2.Person.self, forPrimaryKey: 9))
      #expect(nine.friends.map(\.id) == [8] && nine.level == 1)
      #expect(realm.object(ofType: Shop2.Place.self, forPrimaryKey: "Note 1000") != nil)
      #expect(try realm.dynamicObjects("Note").isEmpty)
    }
  }

  @Test func deleteDataRemovesClassAndObjects() throws {
    try withMigratedFile { store in
      try store.fillShop()
      let texts = Lock<[Int]>([])
      let realm = try store.open(
        Shop2.Person.self, Shop2.Place.self, version: 1
      ) { migration, _ in
        migration.enumerateObjects(ofType: "Note") { old, new in
          #expect(new != nil)
          texts.withLock { $0.append((old!["text"] as! String).count) }
        }
        #expect(migration.deleteData(forType: "Note"))
        #expect(!migration.deleteData(forType: "Cat"))
        // Old objects of a class that is no longer declared are still readable.
        migration.enumerateObjects(ofType: "Note") { old, new in
          #expect(new == nil && old?["text"] is String)
        }
        #expect(migration.deleteData(forType: "Place"))
        migration.enumerateObjects(ofType: "Place") { _, _ in Issue.record("is deleted") }
      }
      #expect(texts.withLock { $0 } == [1000])
      #expect(realm.schema["Note"] == nil)
      #expect(realm.objects(Shop2.Place.self).isEmpty)
      #expect(realm.objects(Shop2.Person.self).map { $0.byCity.keys }.first == ["home", "none"])
      // A class may be added again under the same name.
      _ = try store.open(Shop1.Note.self, version: 1)
      #expect(try store.open(version: 1).dynamicObjects("Note").isEmpty)
    }
  }

  @Test func newClassIsEnumerated() throws {
    try withMigratedFile { store in
      try store.fillShop()
      _ = try store.open(Release1.Gadget.self, version: 1) { migration, _ in
        for id in 0..<3 { migration.create("Gadget", value: ["id": id]) }
        var ids: [Int?] = []
        migration.enumerateObjects(ofType: "Gadget") { old, new in
          #expect(old == nil)
          ids.append(new?["id"] as? Int)
          migration.create("Gadget", value: ["id": 100 + ids.count])
        }
        #expect(ids == [0, 1, 2])
      }
    }
  }

  @Test func oldObjectIsFrozen() throws {
    try withMigratedFile { store in
      try store.fillShop()
      expectError(.frozen) {
        try store.open(Shop2.Person.self, version: 1) { migration, _ in
          migration.enumerateObjects(ofType: "Person") { old, _ in old?["age"] = 3 }
        }
      }
    }
  }

  @Test func rolledBackMigrationInvalidatesObjects() throws {
    try withMigratedFile { store in
      try store.fillShop()
      let kept = Lock<[DynamicObject]>([])
      expectCancelled {
        try store.open(Shop2.Person.self, version: 1) { migration, _ in
          migration.enumerateObjects(ofType: "Person") { _, new in
            kept.withLock { $0.append(new!) }
          }
          throw Cancelled()
        }
      }
      #expect(kept.withLock { $0.map(\.isInvalidated) } == [true, true, true])
    }
  }
}

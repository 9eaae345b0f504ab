import Foundation
import Testing
import Varve
import VarveCore
import VarveStorage

@Suite struct MigrationRenamingTests {
  @Test func renamedPropertyKeepsValues() throws {
    try withMigratedFile { store in
      try store.fillShop()
      let nodes = try store.count(.lists)
      let realm = try store.open(
        Shop2.Person.self, Shop2.Place.self, version: 1
      ) { migration, _ in
        migration.enumerateObjects(ofType: "Person") { old, new in
          new?["fullName"] = old?["firstName"]
          new?["years"] = 99
        }
        // Renames after objects were changed, as in a migration over several versions.
        migration.renameProperty(onType: "Person", from: "age", to: "years")
        migration.renameProperty(onType: "Person", from: "visited", to: "seen")
      }
      let people = realm.objects(Shop2.Person.self)
      #expect(people.map(\.years) == [20, 21, 22])
      #expect(people.where { $0.years == 21 }.map(\.fullName) == ["F1"])
      #expect(people.map { $0.seen.map(\.name) }.last == ["Bern", "Oslo", "Bern"])
      #expect(try store.count(.lists) == nodes, "the lists were not copied")
    }
  }

  @Test func createdObjectsKeepGivenValuesAfterRenaming() throws {
    try withMigratedFile { store in
      try store.fillShop()
      let realm = try store.open(
        Shop2.Person.self, Shop2.Place.self, version: 1
      ) { migration, _ in
        migration.create("Person", value: ["id": 7, "years": 70, "seen": [["name": "Rome"]]])
        migration.create("Person", value: ["id": -7, "years": -70])
        migration.renameProperty(onType: "Person", from: "age", to: "years")
        migration.renameProperty(onType: "Person", from: "visited", to: "seen")
        migration.create("Person", value: ["id": 8, "years": 80])
      }
      #expect(realm.objects(Shop2.Person.self).map(\.years) == [-70, 20, 21, 22, 70, 80])
      let seven = realm.object(ofType: Shop2.Person.self, forPrimaryKey: 7)
      #expect(seven?.seen.map(\.name) == ["Rome"])
    }
  }

  @Test func renamedPropertyMayChangeNullability() throws {
    try withMigratedFile { store in
      try store.fillShop()
      let realm = try store.open(Renamed.Person.self, version: 1) { m, _ in
        // Values set before the rename are overwritten.
        m.enumerateObjects(ofType: "Person") { _, new in
          new?["alias"] = String(repeating: "lost", count: 400)
          new?["mass"] = 7.0
          new?["texts"] = [String(repeating: "lost", count: 400)]
          new?["numbers"] = ["lost": 1]
        }
        m.renameProperty(onType: "Person", from: "nickname", to: "alias")
        m.renameProperty(onType: "Person", from: "weight", to: "mass")
        m.renameProperty(onType: "Person", from: "words", to: "texts")
        m.renameProperty(onType: "Person", from: "counts", to: "numbers")
      }
      let people = realm.objects(Renamed.Person.self)
      #expect(people.map(\.alias) == ["none", "N1", "none"])
      #expect(people.map(\.mass) == [0, 0.5, 1])
      #expect(
        people.map { $0.texts.map { $0?.count ?? -1 } } == Array(repeating: [2, 700], count: 3))
      #expect(people.map { $0.numbers["x"] } == [0, 1, 2])
      #expect(people.map(\.numbers.count) == [1, 1, 1])
    }
  }

  @Test func renamedPrimaryKeyRemainsUnique() throws {
    try withMigratedFile { store in
      try store.fillShop()
      let realm = try store.open(RenamedKey.Person.self, RenamedKey.Place.self, version: 1) {
        m, _ in
        m.renameProperty(onType: "Person", from: "id", to: "number")
        m.renameProperty(onType: "Place", from: "name", to: "title")
      }
      let people = realm.objects(RenamedKey.Person.self)
      #expect(people.map(\.number) == [0, 1, 2])
      #expect(people.map { $0.friends.map(\.number) }.first == [0, 1, 2])
      let oslo = realm.object(ofType: RenamedKey.Place.self, forPrimaryKey: "Oslo")
      #expect(oslo?.people.map(\.number) == [1])
      expectError(.duplicatePrimaryKey) {
        try realm.write { realm.create(RenamedKey.Place.self, value: ["title": "Oslo"]) }
      }
    }
  }

  @Test func renamedPropertyMayBecomePrimaryKey() throws {
    try withMigratedFile { store in
      try store.fillShop()
      let realm = try store.open(KeyByRenaming.Person.self, KeyByRenaming.Place.self, version: 1) {
        m, _ in
        m.renameProperty(onType: "Person", from: "lastName", to: "name")
        m.renameProperty(onType: "Person", from: "id", to: "number")
        m.renameProperty(onType: "Place", from: "name", to: "title")
      }
      let one = realm.object(ofType: KeyByRenaming.Person.self, forPrimaryKey: "L1")
      #expect(one?.number == 1)
      #expect(one?.friends.map(\.name) == ["L0", "L1", "L2"])
      #expect(realm.objects(KeyByRenaming.Place.self).map(\.title) == ["Bern", "Oslo"])
      #expect(realm.objects(KeyByRenaming.Place.self).last?.people.map(\.name) == ["L1"])
    }
  }

  @Test func renamedClassKeepsObjectsAndLinks() throws {
    try withMigratedFile { store in
      try store.fillShop()
      let realm = try store.open(RenamedClass.Person.self, version: 1) { migration, _ in
        migration.renameClass(from: "Place", to: "City")
        migration.renameProperty(onType: "City", from: "people", to: "citizens")
        var names: [String?] = []
        migration.enumerateObjects(ofType: "City") { old, new in
          names.append(old?["name"] as? String)
          #expect(old?.objectSchema.className == "Place" && new?.objectSchema.className == "City")
          new?["size"] = 5
        }
        #expect(names == ["Bern", "Oslo"])
        // Links read from old objects resolve to the class under its new name.
        migration.enumerateObjects(ofType: "Person") { old, new in
          let home = old?["home"]
          new?["home"] = nil
          new?["home"] = home
        }
        migration.enumerateObjects(ofType: "Place") { _, _ in names.append(nil) }
        #expect(names.count == 4, "the old name is known as well")
      }
      let people = realm.objects(RenamedClass.Person.self)
      #expect(people.map { $0.home?.name } == ["Bern", "Oslo", "Bern"])
      #expect(people.map { $0.visited.map(\.size) }.first == [5, 5, 5])
      #expect(realm.objects(RenamedClass.City.self).first?.citizens.map(\.id) == [0, 2])
      #expect(realm.schema["Place"] == nil)
    }
  }

  @Test func primaryKeyCannotBeRenamedAfterCreation() throws {
    try withMigratedFile { store in
      try store.fillShop()
      expectError(.invalidInput) {
        try store.open(RenamedKey.Person.self, RenamedKey.Place.self, version: 1) { m, _ in
          m.create("Place", value: ["title": "Rome"])
          m.renameProperty(onType: "Place", from: "name", to: "title")
        }
      }
    }
  }
}

private enum Renamed {
  @Model final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var alias = "none"
    @Persisted(indexed: true) var mass: Double?
    @Persisted var texts: List<String?>
    @Persisted var numbers: Map<String, Int?>
  }
}

private enum RenamedKey {
  @Model final class Person: Object {
    @Persisted(primaryKey: true) var number: Int
    @Persisted var friends: List<Person>
    @Persisted var home: Place?
  }
  @Model final class Place: Object {
    @Persisted(primaryKey: true) var title: String
    @Persisted var people: List<Person>
  }
}

private enum KeyByRenaming {
  @Model final class Person: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted(indexed: true) var number: Int
    @Persisted var friends: List<Person>
  }
  @Model final class Place: Object {
    @Persisted(indexed: true) var title: String
    @Persisted var people: List<Person>
  }
}

private enum RenamedClass {
  @Model final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var home: City?
    @Persisted var visited: List<City>
    @Persisted var byCity: Map<String, City?>
  }
  @Model final class City: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var size: Int
    @Persisted var citizens: List<Person>
  }
}

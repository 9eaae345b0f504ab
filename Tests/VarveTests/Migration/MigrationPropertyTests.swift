import Foundation
import Testing
import Varve
import VarveCore
import VarveStorage

@Suite struct MigrationPropertyTests {
  @Test func nullabilityMayChange() throws {
    try withMigratedFile { store in
      try store.fillShop()
      let realm = try store.open(Shop2.Person.self, Shop2.Place.self, version: 1)
      let people = realm.objects(Shop2.Person.self)
      #expect(people.map(\.nickname) == ["", "N1", ""])
      #expect(people.map(\.weight) == [0, 0.5, 1])
      #expect(people.map { $0.words.map { $0?.count ?? -1 } }.last == [2, 700])
      #expect(people.map { $0.counts["x"] } == [0, 1, 2])
      try realm.write {
        people[0].weight = nil
        people[0].words.append(nil)
        people[0].counts["none"] = .some(nil)
      }
      let again = try store.open(Shop1.Person.self, Shop1.Place.self, version: 2)
      let old = again.objects(Shop1.Person.self)
      #expect(old.map(\.weight) == [0, 0.5, 1])
      #expect(old.map { $0.words.map(\.count) }.first == [2, 700, 0])
      #expect(old.first?.counts["none"] == 0)
      #expect(old.map(\.nickname) == ["", "N1", ""])
    }
  }

  @Test func nullsBecomePerObjectDefaults() throws {
    try withMigratedFile { store in
      var realm = try store.open(Tokens1.Ticket.self, version: 0)
      let kept = UUID()
      try realm.write {
        for id in 0..<3 { realm.create(Tokens1.Ticket.self, value: ["id": id]) }
        realm.create(Tokens1.Ticket.self, value: ["id": 3, "token": kept, "size": 7])
      }
      realm = try store.open(Tokens2.Ticket.self, version: 1)
      let tickets = Array(realm.objects(Tokens2.Ticket.self))
      #expect(tickets.map(\.size) == [4, 4, 4, 7])
      #expect(tickets.last?.token == kept)
      #expect(Set(tickets.map(\.token)).count == 4)
      let nothing = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
      #expect(!tickets.map(\.token).contains(nothing))
    }
  }

  @Test func removedPropertiesFreeTheirStorage() throws {
    try withMigratedFile { store in
      try store.fillShop(people: 5)
      #expect(try store.count(.blobs) > 0)
      let realm = try store.open(Bare.Person.self, Bare.Place.self, version: 1) { migration, _ in
        migration.deleteData(forType: "Note")
      }
      #expect(realm.objects(Bare.Person.self).map(\.id) == [0, 1, 2, 3, 4])
      for table in [Table.blobs, .lists, .dictionaries, .collections, .backlinks] {
        #expect(try store.count(table) == 0, "\(table.name)")
      }
      #expect(try store.count(.indexes) == 2, "the keys of the places")
      // Rows written before the migration can be changed and deleted.
      try realm.write {
        realm.create(Bare.Person.self, value: ["id": 9])
        realm.delete(realm.objects(Bare.Person.self).first!)
      }
      try store.check()
    }
  }

  @Test func linkTargetClassMayChange() throws {
    try withMigratedFile { store in
      try store.fillShop()
      let realm = try store.open(Other.Person.self, Other.City.self, version: 1) { migration, _ in
        migration.enumerateObjects(ofType: "Place") { old, _ in
          migration.create("City", value: ["name": old!["name"]!])
        }
        migration.enumerateObjects(ofType: "Person") { old, new in
          #expect(new?["home"] == nil)
          let home = (old?["home"] as? DynamicObject)?["name"]
          new?["visited"] = [["name": "\(home ?? "")2"]]
        }
      }
      let people = realm.objects(Other.Person.self)
      #expect(people.map { $0.home?.name } == [nil, nil, nil])
      #expect(people.map { $0.visited.map(\.name) } == [["Bern2"], ["Oslo2"], ["Bern2"]])
      #expect(
        realm.objects(Other.City.self).map(\.name) == ["Bern", "Oslo", "Bern2", "Oslo2", "Bern2"])
    }
  }

  @Test func indexesAreAddedAndRemoved() throws {
    try withMigratedFile { store in
      try store.fillShop(people: 40)
      var realm = try store.open(Indexed.Person.self, version: 1)
      #expect(try store.count(.indexes) == 2 + 2 * 40)
      #expect(realm.objects(Indexed.Person.self).where { $0.firstName == "F7" }.map(\.id) == [7])
      let keyCount = try store.count(.indexes) - 80
      realm = try store.open(Bare.Person.self, version: 2)
      #expect(try store.count(.indexes) == keyCount)
      _ = realm
    }
  }

  @Test func repeatedMigrationsLeaveNoResidue() throws {
    try withMigratedFile { store in
      try store.fillShop()
      for version: UInt64 in 1...6 {
        let realm =
          version.isMultiple(of: 2)
          ? try store.open(Shop1.Person.self, Shop1.Place.self, version: version)
          : try store.open(Shop2.Person.self, Shop2.Place.self, version: version)
        try realm.write {
          let id = Int(version) * 10
          if version.isMultiple(of: 2) {
            realm.create(Shop1.Person.self, value: ["id": id, "age": id, "words": ["x"]])
          } else {
            realm.create(Shop2.Person.self, value: ["id": id, "years": id, "weight": 2.0])
          }
        }
        try store.check("version \(version)")
      }
      let people = try store.open(version: 6).dynamicObjects("Person")
      #expect(people.map { $0["id"] as? Int } == [0, 1, 2, 10, 20, 30, 40, 50, 60])
      #expect(people.map { $0["weight"] as? Double } == [0, 0.5, 1, 2, 0, 2, 0, 2, 0])
    }
  }
}

private enum Bare {
  @Model final class Person: Object { @Persisted(primaryKey: true) var id: Int }
  @Model final class Place: Object { @Persisted(primaryKey: true) var name: String }
}

private enum Other {
  @Model final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var home: City?
    @Persisted var visited: List<City>
    @Persisted var byCity: Map<String, City?>
  }
  @Model final class City: Object { @Persisted(indexed: true) var name: String }
}

private enum Indexed {
  @Model final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var firstName: String
    @Persisted var age: Int
    @Persisted(indexed: true) var score: Double?
  }
}

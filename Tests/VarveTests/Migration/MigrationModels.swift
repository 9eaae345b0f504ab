import Foundation
import Testing
import Varve

/// The classes of the first release.
enum Shop1 {
  @Model final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var firstName: String
    @Persisted var lastName: String
    @Persisted(indexed: true) var age: Int
    @Persisted var nickname: String?
    @Persisted var weight: Double
    @Persisted var photo: Data
    @Persisted var home: Place?
    @Persisted var visited: List<Place>
    @Persisted var words: List<String>
    @Persisted var friends: List<Person>
    @Persisted var best: Person?
    @Persisted var byCity: Map<String, Place?>
    @Persisted var counts: Map<String, Int>
  }

  @Model final class Place: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var people: List<Person>
  }

  @Model final class Note: Object { @Persisted var text = "" }
}

/// The classes of the second release: the names are joined, the age has another name, the photo is
/// a string, and weights may be null.
enum Shop2 {
  @Model final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var fullName: String
    @Persisted(indexed: true) var years: Int
    @Persisted var nickname: String
    @Persisted var weight: Double?
    @Persisted var photo: String
    @Persisted var token = UUID()
    @Persisted var level = 4
    @Persisted var home: Place?
    @Persisted var seen: List<Place>
    @Persisted var words: List<String?>
    @Persisted var friends: List<Person>
    @Persisted var best: Person?
    @Persisted var byCity: Map<String, Place?>
    @Persisted var counts: Map<String, Int?>
  }

  @Model final class Place: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var people: List<Person>
  }
}

extension TemporaryRealm {
  /// Fills the file with the first release.
  func fillShop(people: Int = 3) throws {
    let realm = try open(Shop1.Person.self, Shop1.Place.self, Shop1.Note.self, version: 0)
    try realm.write {
      let places = ["Bern", "Oslo"].map {
        realm.create(Shop1.Place.self, value: ["name": $0])
      }
      for id in 0..<people {
        let person = realm.create(
          Shop1.Person.self,
          value: [
            "id": id, "firstName": "F\(id)", "lastName": "L\(id)", "age": 20 + id,
            "weight": Double(id) / 2, "photo": Data(repeating: UInt8(id & 255), count: 600 * id),
            "home": places[id % 2], "words": ["a\(id)", String(repeating: "w", count: 700)],
            "counts": ["x": id],
          ])
        if id % 2 == 1 { person.nickname = "N\(id)" }
        person.visited.append(objectsIn: [places[0], places[1], places[0]])
        person.byCity["home"] = places[id % 2]
        person.byCity["none"] = .some(nil)
        places[id % 2].people.append(person)
      }
      let all = realm.objects(Shop1.Person.self)
      for person in all {
        person.friends.append(objectsIn: all)
        person.best = all[(person.id + 1) % people]
      }
      realm.create(Shop1.Note.self, value: ["text": String(repeating: "n", count: 1000)])
    }
  }
}

/// Nullable properties, which have defaults in `Tokens2`.
enum Tokens1 {
  @Model final class Ticket: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var token: UUID?
    @Persisted var size: Int?
  }
}

enum Tokens2 {
  @Model final class Ticket: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var token = UUID()
    @Persisted var size = 4
  }
}

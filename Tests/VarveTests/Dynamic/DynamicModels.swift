import Foundation
import Varve

/// The classes of the program that wrote the files; tests read them by name.
enum Kennel {
  @Model final class Dog: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name: String
    @Persisted var age = 3
    @Persisted var owner: Owner?
    @Persisted var friends: List<Dog>
    @Persisted var tags: List<String>
    @Persisted var byRole: Map<String, Owner?>
    @Persisted var scores: Map<String, Double>
    @Persisted var known: MutableSet<Dog>
    @Persisted var home: Home?
  }

  @Model final class Owner: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted(originProperty: "owner") var dogs: LinkingObjects<Dog>
  }

  @Model final class Home: EmbeddedObject { @Persisted var street: String }

  @Model final class Note: Object { @Persisted var text = "" }
}

/// A file that was written by another program, opened without its classes.
func withKennel(_ body: (Realm, TemporaryRealm) throws -> Void) throws {
  let store = try TemporaryRealm { $0.isDynamic = true }
  defer { store.end() }
  try { (realm: Realm) in
    try realm.write {
      let ann = realm.create(Kennel.Owner.self, value: ["name": "Ann"])
      let rex = realm.create(
        Kennel.Dog.self,
        value: [
          "id": 1, "name": "Rex", "age": 7, "owner": ann, "tags": ["big", "brown"],
          "byRole": ["vet": ann, "none": NSNull()], "scores": ["run": 1.5],
        ])
      let ada = realm.create(Kennel.Dog.self, value: ["id": 2, "name": "Ada", "friends": [rex]])
      rex.friends.append(objectsIn: [ada, rex])
      rex.known.insert(rex)
      rex.home = Kennel.Home(value: ["street": "Hauptgasse"])
      realm.create(Kennel.Note.self, value: ["text": "x"])
    }
  }(try store.open())
  try store.close()
  try body(try store.open(), store)
}

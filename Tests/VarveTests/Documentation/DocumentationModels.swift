import Foundation
import Varve

/// The models of the articles.
enum DocumentationModels {
  @Model final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var age = 0
    @Persisted var dogs: List<Dog>
    @Persisted var notes: Map<String, String>
  }

  @Model final class Dog: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
  }

  @Model final class Ticket: Object {
    @Persisted(primaryKey: true, autoIncrement: true) var id: Int  // 1, 2, 3, …
    @Persisted var title: String
  }

  @Model final class Upload: Object {
    @Persisted(primaryKey: true) var id = UUID()  // or ObjectId.generate()
    @Persisted var name: String
  }

  /// Stores Ada, who is 36 and has a dog, and Ben, who is 17.
  static func addPeople(to realm: Realm) throws {
    try realm.write {
      realm.create(
        Person.self, value: ["id": 1, "name": "Ada", "age": 36, "dogs": [["name": "Rex"]]])
      realm.create(Person.self, value: ["id": 2, "name": "Ben", "age": 17])
    }
  }
}

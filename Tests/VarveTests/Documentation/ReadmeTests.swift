import Testing
import Varve

/// The examples of `README.md`.
@Suite struct ReadmeTests {
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

  @Test func exampleCanRunRepeatedly() async throws {
    var printed = Printed()
    func print(_ items: Any...) { printed.add(items) }

    func celebrate() async throws {
      let realm = try await Realm.open()  // the file default.varve in the working directory
      try await realm.write {
        realm.add(
          Person(id: 1, name: "Ada", age: 36, dogs: [Dog(name: "Rex")], notes: ["phone": "555"]),
          update: .modified)
      }

      let adults = realm.objects(Person.self).where { $0.age >= 18 }.sorted(by: \.name)
      let before = adults.freeze()  // pins this version until it is released
      try await realm.write { adults.first?.age += 1 }

      print(before[0].age, adults[0].age)  // 36 37
      print(realm.object(ofType: Dog.self, forPrimaryKey: "Rex")?.owners.count ?? 0)  // 1
    }

    try await withDefaultRealm {
      for _ in 0..<3 {
        try await celebrate()
        let realm = try Realm()
        #expect(realm.objects(Person.self).map { $0.notes["phone"] } == ["555"])
      }
    }
    #expect(printed.lines == ["36 37", "1", "36 37", "1", "36 37", "1"])
  }
}

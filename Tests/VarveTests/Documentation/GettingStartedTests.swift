import Foundation
import Testing
import Varve

/// The examples of the article “Getting started”.
@Suite struct GettingStartedTests {
  private typealias Person = DocumentationModels.Person
  private typealias Dog = DocumentationModels.Dog
  private typealias Ticket = DocumentationModels.Ticket

  @Test func articleStepsRunInOrder() async throws {
    let store = try TemporaryRealm(name: "people.varve")
    let directory = store.directory
    defer { store.remove() }
    let standard = Realm.Configuration.defaultConfiguration
    defer { Realm.Configuration.defaultConfiguration = standard }
    var printed = Printed()
    func print(_ items: Any...) { printed.add(items) }

    var configuration = Realm.Configuration(fileURL: directory.appending(path: "people.varve"))
    configuration.objectTypes = [Person.self, Dog.self]
    Realm.Configuration.defaultConfiguration = configuration
    let realm = try await Realm.open()
    _ = try await Realm.open()
    #expect(FileManager.default.fileExists(atPath: store.path))

    let ada = try await realm.write {
      let person = Person(id: 1, name: "Ada", age: 36, dogs: [Dog(name: "Rex")])
      realm.add(person)
      realm.add(Person(id: 2, name: "Ben", age: 17))
      return person
    }
    let ticket = try await realm.write {
      realm.create(Ticket.self, value: ["title": "Printer is on fire"])
    }
    print(ticket.id)  // 1

    try await realm.write {
      realm.insert((1...1000).lazy.map { Ticket.New(title: "Letter \($0)") })
    }
    #expect(realm.objects(Ticket.self).max(of: \.id) == 1001)

    try await realm.write {
      ada.age += 1
      ada.notes["phone"] = "555"
    }
    #expect(ada.notes["phone"] == "555")

    let people = realm.objects(Person.self)
    let adults = people.where { $0.age >= 18 && $0.name.starts(with: "A") }
    for person in adults.sorted(by: \.name) { print(person.name, person.age) }  // Ada 37

    let oldest = people.max(of: \.age)
    let ben = realm.object(ofType: Person.self, forPrimaryKey: 2)
    print(people.count, oldest ?? 0, ben?.name ?? "nobody")  // 2 37 Ben

    let rex = realm.object(ofType: Dog.self, forPrimaryKey: "Rex")
    print(ada.dogs.first?.name ?? "none", rex?.owners.first?.name ?? "nobody")  // Rex Ada

    try await realm.write { realm.delete(ada.dogs) }
    print(ada.dogs.count, rex?.isInvalidated ?? true)  // 0 true

    let before = people.freeze()
    try await realm.write { realm.deleteAll() }
    print(before.count, people.count)  // 2 0

    #expect(printed.lines == ["1", "Ada 37", "2 37 Ben", "Rex Ada", "0 true", "2 0"])
    try Realm.close(configuration)
  }
}

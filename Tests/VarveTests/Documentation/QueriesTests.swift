import Testing
import Varve

/// The examples of the article “Queries”.
@Suite struct QueriesTests {
  @Model final class Person: Object {
    @Persisted(indexed: true) var email: String
    @Persisted var name: String
    @Persisted var age: Int
    @Persisted var dogs: List<Dog>
  }

  @Model final class Dog: Object {
    @Persisted var age: Int
  }

  private func withPeople(_ body: (Realm) throws -> Void) throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        for (number, name) in ["Ann", "Bob", "anna", "Émile", "Zoe"].enumerated() {
          let person = Person(value: [
            "email": "\(name.lowercased())@example.com", "name": name, "age": 15 + 5 * number,
          ])
          person.dogs.append(Dog(value: ["age": number * 2 + 2]))
          realm.add(person)
        }
      }
      try body(realm)
    }
  }

  private func print(_ items: Any...) {}

  @Test func filterAndSort() throws {
    func example(_ realm: Realm) throws {
      let people = realm.objects(Person.self)
      let grownUps = people.where { $0.age >= 18 }
      let byName = grownUps.sorted(by: \.name)
      print(byName.count, byName.first?.name ?? "nobody")
      #expect(byName.map(\.name) == ["Bob", "Zoe", "anna", "Émile"])
      let anns = try people.filter("name BEGINSWITH[c] %@ AND ANY dogs.age > %@", "an", 3)
      #expect(anns.map(\.name) == ["anna"])
    }
    try withPeople(example)
  }

  @Test func explainPrintsPlan() throws {
    func example(_ realm: Realm) throws {
      let people = realm.objects(Person.self)
      let few = people.where { $0.email == "ann@example.com" && $0.age > 18 }
      print(few.explain())
      // index email == "ann@example.com" (about 1)
      // filter age > 18
      #expect(
        few.explain().description == """
          index email == "ann@example.com" (about 1)
          filter age > 18
          """)
      #expect(few.explain().steps == [.index(property: "email"), .filter])
      #expect(!few.explain().scansClass)
    }
    try withPeople(example)
  }

  @Test func allObjectsOfQueryAreChanged() throws {
    func example(_ realm: Realm) throws {
      let grownUps = realm.objects(Person.self).where { $0.age >= 18 }
      try realm.write {
        for person in grownUps { person.age += 1 }
        try grownUps.setValue("nobody@example.com", forKey: "email")
      }
      #expect(grownUps.map(\.age) == [21, 26, 31, 36])
      #expect(grownUps.where { $0.email == "nobody@example.com" }.count == 4)
    }
    try withPeople(example)
  }

  @Test func sectionsAreCollections() throws {
    var printed = Printed()
    func print(_ items: Any...) { printed.add(items) }
    try withPeople { realm in
      let people = realm.objects(Person.self)
      let letters = people.sectioned(by: { String($0.name.prefix(1)) }, sortDescriptors: ["name"])
      for section in letters {
        print(section.key, section.map(\.name))  // A ["Ann"], B ["Bob"], …
      }
    }
    #expect(printed.lines.prefix(2) == [#"A ["Ann"]"#, #"B ["Bob"]"#])
  }

  private func pageByCursors(_ people: Results<Person>) throws {
    func answer(_ cursor: PageCursor?) throws -> (names: [String], next: String?) {
      let sorted = people.sorted(by: \.name).freeze()
      let page = try sorted.page(after: cursor, count: 50)
      let next = try page.last.map { try sorted.cursor(of: $0) }
      return (page.map(\.name), next?.description)
    }
    let first = try answer(nil)
    #expect(first.names == people.sorted(by: \.name).map(\.name))
    let cursor = try #require(first.next.flatMap { PageCursor($0) })
    #expect(try answer(cursor).names.isEmpty)
  }

  @Test func limitsAndPages() throws {
    func example(_ realm: Realm) throws {
      let people = realm.objects(Person.self)
      let oldest = people.sorted(by: \.age, ascending: false).limit(10)
      let oldestAnns = oldest.where { $0.name.starts(with: "Ann") }
      #expect(oldestAnns.map(\.name) == ["Ann"])
      let sorted = people.sorted(by: \.name)
      var page = sorted.page(after: nil, count: 50)
      while let last = page.last {
        page = sorted.page(after: last, count: 50)
      }
      #expect(page.isEmpty)
      try pageByCursors(people)
      let readable = people.sorted(by: \.name, collation: .unicode)
      #expect(readable.map(\.name) == ["Ann", "anna", "Bob", "Émile", "Zoe"])
    }
    try withPeople(example)
  }
}

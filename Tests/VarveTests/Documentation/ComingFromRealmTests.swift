import Foundation
import Testing
import Varve

/// The examples of “Coming from the Realm Swift SDK”.
@Suite struct ComingFromRealmTests {
  @Model final class Reader: Object, Codable {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted(indexed: true) var name: String
    @Persisted var address: ReaderAddress?
    @Persisted var books: List<String>
    @Persisted var notes: Map<String, AnyRealmValue>
  }

  @Model final class ReaderAddress: EmbeddedObject, Codable {
    @Persisted var city: String
  }

  typealias Person = DocumentationModels.Person

  @Test func codableClassIsDecoded() throws {
    let text = #"{"id":"0123456789abcdef01234567","name":"Ada","address":{"city":"London"}}"#
    let reader = try JSONDecoder().decode(Reader.self, from: Data(text.utf8))
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.add(reader) }
      #expect(realm.objects(Reader.self).first?.address?.city == "London")
    }
  }

  @Test func objectIsUsedInAnotherThread() async throws {
    try await withDefaultRealm {
      try DocumentationModels.addPeople(to: try Realm())

      let realm = try await Realm.open()
      let person = realm.object(ofType: Person.self, forPrimaryKey: 1)
      try await Task.detached {
        try await realm.write { person?.age += 1 }  // the object itself, in another thread
      }.value

      #expect(person?.age == 37)
    }
  }

  @Test func misuseFailsWrite() async throws {
    try await withDefaultRealm {
      let realm = try Realm()
      try DocumentationModels.addPeople(to: realm)
      let person = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
      var printed = Printed()
      func print(_ items: Any...) { printed.add(items) }

      do {
        try await realm.write {
          person.age += 1
          person.notes["no.dots"] = "x"
          person.name = "not kept either"
        }
      } catch let error as Realm.Error where error.code == .invalidKey {
        print(person.age, error.className ?? "", error.propertyName ?? "")  // 36 Person notes
      }

      #expect(printed.lines == ["36 Person notes"] && person.name == "Ada")
    }
  }

  @Test func observerAcceptsKeyPaths() throws {
    try withDefaultRealm {
      let realm = try Realm()
      try DocumentationModels.addPeople(to: realm)
      let texts = EventRecorder<String>()
      @Sendable func report(_ text: String) { texts.note(text) }

      let token = try realm.objects(Person.self).observe(keyPaths: [\Person.name]) { change in
        if case .update(let people, _, let insertions, _) = change {
          report("\(people.count) people, new at \(insertions)")
        }
      }

      // The first call may follow a commit; later commits are then delivered.
      var id = 9
      while texts.all.isEmpty {
        id += 1
        try realm.write { realm.create(Person.self, value: ["id": id]) }
        Thread.sleep(forTimeInterval: 0.01)
      }
      #expect(texts.all.first?.contains("people, new at [") == true)
      token.invalidate()
    }
  }

  final class PersonView: Projection<Person>, @unchecked Sendable {
    @Projected(\Person.name) var name
    @Projected(\Person.dogs.projectTo.name) var dogNames: ProjectedCollection<String>
  }

  @Test func projectionsAndSectionsAreRead() throws {
    try withDefaultRealm {
      let realm = try Realm()
      try DocumentationModels.addPeople(to: realm)
      var printed = Printed()
      func print(_ items: Any...) { printed.add(items) }

      for person in realm.objects(PersonView.self).where({ $0.age > 30 }) {
        print(person.name, Array(person.dogNames))  // Ada ["Rex"]
      }
      for section in realm.objects(Person.self).sectioned(by: \.age) {
        print(section.key, section.map(\.name))  // 17 ["Ben"], then 36 ["Ada"]
      }

      #expect(printed.lines == [#"Ada ["Rex"]"#, #"17 ["Ben"]"#, #"36 ["Ada"]"#])
    }
  }

  @Test func filtersAreClosuresOrStrings() throws {
    try withDefaultRealm {
      let realm = try Realm()
      try DocumentationModels.addPeople(to: realm)
      var printed = Printed()
      func print(_ items: Any...) { printed.add(items) }

      let old: (Query<Person>) -> Query<Bool> = { $0.age > 30 }
      print(realm.objects(Person.self).where(old).count)  // 1
      let found = try realm.objects(Person.self).filter(
        "name BEGINSWITH[c] %@ AND age > %@", "a", 5)
      print(found.count)  // 1

      #expect(printed.lines == ["1", "1"])
    }
  }
}

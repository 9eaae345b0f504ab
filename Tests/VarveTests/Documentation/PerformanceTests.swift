import Foundation
import Testing
import Varve

/// The examples of the article “Performance”.
@Suite struct PerformanceTests {
  typealias Person = DocumentationModels.Person
  typealias Ticket = DocumentationModels.Ticket

  @Test func planIsPrinted() throws {
    try withDefaultRealm {
      let realm = try Realm()
      try DocumentationModels.addPeople(to: realm)
      var printed = Printed()
      func print(_ items: Any...) { printed.add(items) }

      let adults = realm.objects(Person.self).where { $0.age >= 18 }
      print(adults.explain())

      #expect(printed.lines == ["scan Person (2 objects)\nfilter age >= 18"])
    }
  }

  @Test func durationIsMeasured() async throws {
    try await withDefaultRealm {
      let realm = try Realm()
      func print(_ items: Any...) {}

      let clock = ContinuousClock()
      let start = clock.now
      try await realm.write {
        realm.insert((0..<10_000).lazy.map { Ticket.New(title: "Letter \($0)") })
      }
      print((clock.now - start) / 10_000, "for each object")

      #expect(realm.objects(Ticket.self).count == 10_000)
    }
  }
}

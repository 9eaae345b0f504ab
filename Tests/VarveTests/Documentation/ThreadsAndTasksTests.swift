import Foundation
import Testing
import Varve

/// The examples of the article “Threads and tasks”.
@Suite struct ThreadsAndTasksTests {
  private typealias Person = DocumentationModels.Person

  private actor Shop {
    private var realm: Realm?

    func open() async throws { realm = try await Realm(actor: self) }
    func count() -> Int { realm?.objects(Person.self).count ?? 0 }
  }

  @Test func unitOfWorkOpensItsOwnRealm() throws {
    @Sendable func name(ofPerson id: Int) throws -> String {
      let realm = try Realm()
      return realm.object(ofType: Person.self, forPrimaryKey: id)?.name ?? "nobody"
    }

    try withDefaultRealm {
      try DocumentationModels.addPeople(to: try Realm())
      #expect(try name(ofPerson: 1) == "Ada")
      #expect(try name(ofPerson: 3) == "nobody")
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func actorRealmFollowsCommits() async throws {
    try await withDefaultRealm {
      let shop = Shop()
      try await shop.open()
      #expect(await shop.count() == 0)
      try DocumentationModels.addPeople(to: try Realm())
      while await shop.count() < 2 { await Task.yield() }
    }
  }

  @Test func frozenResultsAgreeAcrossTasks() async throws {
    try await withDefaultRealm {
      try DocumentationModels.addPeople(to: try Realm())
      var printed = Printed()
      func print(_ items: Any...) { printed.add(items) }

      let people = try Realm().objects(Person.self).freeze()
      async let total: Int = people.sum(of: \.age)
      async let names = people.map(\.name)
      print(await total, await names)  // 53 ["Ada", "Ben"]
      #expect(printed.lines == [#"53 ["Ada", "Ben"]"#])
    }
  }

  @Test func taskWriteReturnsResult() async throws {
    try await withDefaultRealm {
      try DocumentationModels.addPeople(to: try Realm())
      let realm = try Realm()
      let age = try await realm.write {
        let ada = realm.object(ofType: Person.self, forPrimaryKey: 1)
        ada?.age += 1
        return ada?.age ?? 0
      }
      #expect(age == 37)
    }
  }

  @Test func valueWithoutSendableIsCaptured() async throws {
    try await withDefaultRealm {
      let realm = try Realm()
      let body = Data(#"{"id": 3, "name": "Cleo"}"#.utf8)
      nonisolated(unsafe) let values = try JSONSerialization.jsonObject(with: body)
      try await realm.write { _ = realm.create(Person.self, value: values, update: .modified) }
      #expect(realm.object(ofType: Person.self, forPrimaryKey: 3)?.name == "Cleo")
    }
  }

  @Test func cancelledTaskRollsItsWriteBack() async throws {
    try await withDefaultRealm {
      _ = try Realm().objects(Person.self)
      let imported = Task {
        try await Realm().write {
          let realm = try Realm()
          for id in 100..<200_000 {
            try Task.checkCancellation()
            realm.create(Person.self, value: ["id": id], update: .modified)
          }
        }
      }
      imported.cancel()
      await expectCancellation(of: imported)
      #expect(try Realm().objects(Person.self).isEmpty)
    }
  }

  private actor Counter {
    private var visits = 0

    func visit(_ person: Person) async throws {
      visits += try await Realm().write {
        person.age += 1
        return 1
      }
    }
  }

  @Test func actorCanWrite() async throws {
    try await withDefaultRealm {
      try DocumentationModels.addPeople(to: try Realm())
      let ada = try #require(Realm().object(ofType: Person.self, forPrimaryKey: 1))
      let counter = Counter()
      try await counter.visit(ada)
      #expect(ada.age == 37)
    }
  }

  @Test func copyReportsProgress() async throws {
    try await withTemporaryRealm { realm, store in
      try DocumentationModels.addPeople(to: realm)
      let backup = store.directory.appending(path: "backup.varve")
      let printed = EventRecorder<String>()
      @Sendable func print(_ text: String) { printed.note(text) }

      try await realm.writeCopy(toFile: backup) { progress in
        print("\(progress.completedBytes) of \(progress.totalBytes) bytes")
      }

      #expect(printed.all.first?.hasPrefix("0 of ") == true)
      #expect(FileManager.default.fileExists(atPath: backup.path))
    }
  }
}

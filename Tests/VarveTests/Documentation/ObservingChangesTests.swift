import Observation
import Testing
import Varve

/// The examples of the article “Observing changes”.
@Suite struct ObservingChangesTests {
  private typealias Person = DocumentationModels.Person

  @Test func blockReceivesStateThenChanges() throws {
    try withDefaultRealm {
      let realm = try Realm()
      try DocumentationModels.addPeople(to: realm)
      let texts = EventRecorder<String>()
      @Sendable func report(_ text: String) { texts.note(text) }

      let adults = realm.objects(Person.self).where { $0.age >= 18 }
      let token = try adults.observe { change in
        switch change {
        case .initial(let people): report("\(people.count) people")
        case .update(let people, let deletions, let insertions, let modifications):
          report("\(people.count) people, \(deletions) \(insertions) \(modifications)")
        case .error: break
        }
      }

      let count = adults.count
      #expect(texts.wait(for: 1) == ["\(count) people"])
      try realm.write { realm.create(Person.self, value: ["id": 9, "age": 50]) }
      #expect(texts.wait(for: 2).last == "\(count + 1) people, [] [\(count)] []")
      token.invalidate()
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func sequenceDeliversStateThenChanges() async throws {
    try await withDefaultRealm {
      let realm = try Realm()
      try DocumentationModels.addPeople(to: realm)
      let texts = EventRecorder<String>()
      @Sendable func report(_ text: String) {
        texts.note(text)
        if texts.all.count == 1 {
          Task { try await Realm().write { _ = try Realm().create(Person.self, value: ["id": 9]) } }
        }
      }

      for await change in realm.objects(Person.self).changes {
        report("\(change.collection.count) people")
        if change.collection.count == 3 { break }
      }

      #expect(texts.all == ["2 people", "3 people"])
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func elementContainsCollectionAndChanges() async throws {
    try await withDefaultRealm {
      let realm = try Realm()
      try DocumentationModels.addPeople(to: realm)
      let texts = EventRecorder<String>()
      @Sendable func report(_ text: String) {
        texts.note(text)
        guard texts.all.count == 1 else { return }
        Task {
          try await Realm().asyncWrite {
            let realm = try Realm()
            realm.create(Person.self, value: ["id": 9, "name": "Cleo"])
            realm.object(ofType: Person.self, forPrimaryKey: 2)?.age += 1
          }
        }
      }

      for await change in realm.objects(Person.self).sorted(by: \.id).changes {
        switch change {
        case .initial(let people, reason: _):
          report("\(people.count) people")
        case .update(let people, let changes):
          for index in changes.insertions { report("\(people[index].name) is new") }
          for index in changes.newModifications { report("\(people[index].name) has changed") }
          report("\(changes.deletions.count) are gone")
        }
        if change.collection.count > 2 { break }
      }

      #expect(texts.all == ["2 people", "Cleo is new", "Ben has changed", "0 are gone"])
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func realmVersionsIncludeEveryChange() async throws {
    try await withDefaultRealm {
      let realm = try Realm()
      try DocumentationModels.addPeople(to: realm)
      let names = EventRecorder<[String]>()
      @Sendable func report(_ some: [String]) { names.note(some) }
      // A commit that adds people, followed by commits that do not.
      let writer = Task {
        while names.all.isEmpty {
          let id = Int.random(in: 10...1_000_000)
          try await realm.asyncWrite {
            _ = realm.create(Person.self, value: ["id": id, "name": "Dora"], update: .modified)
          }
        }
        while !Task.isCancelled {
          let name = "dog \(Int.random(in: 0...1_000_000_000))"
          try await realm.asyncWrite {
            _ = realm.create(DocumentationModels.Dog.self, value: ["name": name], update: .modified)
          }
        }
      }

      var before = realm.freeze()
      for await now in realm.changes {
        let people = try now.changes(since: before).objects(Person.self)
        report(people.insertions.map(\.name))
        before = now
        if people.isEmpty { break }
      }

      writer.cancel()
      _ = await writer.result
      #expect(names.all.first?.contains("Dora") == true)
      #expect(names.all.last == [])
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func countIsObservedWithoutKeyPaths() async throws {
    try await withDefaultRealm {
      let realm = try Realm()
      try DocumentationModels.addPeople(to: realm)
      let adults = realm.objects(Person.self).where { $0.age >= 18 }
      let texts = EventRecorder<String>()
      @Sendable func report(_ text: String) {
        texts.note(text)
        guard texts.all.count == 1 else { return }
        Task {
          try await Realm().write {
            try Realm().objects(Person.self).setValue("Eve", forKey: "name")
          }
          try await Realm().write {
            _ = try Realm().create(Person.self, value: ["id": 9, "age": 40])
          }
        }
      }

      for await change in try adults.changes(keyPaths: [String]()) {
        report("\(change.collection.count) adults")
        if change.collection.count == 2 { break }
      }

      #expect(texts.all == ["1 adults", "2 adults"])
    }
  }

  @Test func twoVersionsAreCompared() async throws {
    try await withDefaultRealm {
      let realm = try Realm()
      try DocumentationModels.addPeople(to: realm)
      var texts: [String] = []
      var ages: [Int] = []
      func report(_ names: [String], _ properties: [PropertyChange]) {
        texts = names + properties.map(\.name)
      }
      func report(_ old: Int, _ new: Int) { ages += [old, new] }

      let before = realm.freeze()
      try await realm.write {
        realm.add(Person(id: 3, name: "Cleo", age: 29))
        realm.object(ofType: Person.self, forPrimaryKey: 1)?.age += 1
      }
      let changes = try realm.changes(since: before)
      let people = try changes.objects(Person.self)
      report(people.insertions.map(\.name), people.modifications.flatMap(\.properties))
      for person in people.modifications { report(person.old.age, person.new.age) }

      #expect(texts == ["Cleo", "age"])
      #expect(ages == [36, 37])
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func observationsDeliverCurrentAndNewValues() async throws {
    try await withDefaultRealm {
      try DocumentationModels.addPeople(to: try Realm())
      let texts = EventRecorder<[String]>()
      @Sendable func report(_ names: [String]) {
        texts.note(names)
        if texts.all.count == 1 {
          Task {
            try await Realm().write {
              _ = try Realm().create(Person.self, value: ["id": 9, "name": "Cleo", "age": 29])
            }
          }
        }
      }

      var configuration = Realm.Configuration.defaultConfiguration
      configuration.tracksObservation = true
      let realm = try Realm(configuration: configuration)
      let adults = realm.objects(Person.self).where { $0.age >= 18 }

      for await names in Observations({ adults.map(\.name) }) {
        report(names)
        if names.count == 2 { break }
      }

      #expect(texts.all.first == ["Ada"])
      #expect(texts.all.last == ["Ada", "Cleo"])
    }
  }

  @Test func onChangeIsCalledBeforeRealmMoves() async throws {
    try await withDefaultRealm {
      var configuration = Realm.Configuration.defaultConfiguration
      configuration.tracksObservation = true
      let realm = try Realm(configuration: configuration)
      try DocumentationModels.addPeople(to: realm)
      let texts = EventRecorder<String?>()
      @Sendable func report(_ text: String?) { texts.note(text) }

      let ada = realm.object(ofType: Person.self, forPrimaryKey: 1)
      withObservationTracking {
        report(ada?.name)
      } onChange: {
        report(ada?.name)
      }
      try await realm.write { ada?.name = "Ada Lovelace" }
      report(ada?.name)

      #expect(texts.all == ["Ada", "Ada", "Ada Lovelace"])
    }
  }
}

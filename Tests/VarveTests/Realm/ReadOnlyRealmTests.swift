import Foundation
import Testing
import Varve
import VarveTestSupport

@Suite struct ReadOnlyRealmTests {
  /// Runs a body with a read-only realm of a closed store with one object.
  private func withReadOnly(
    _ body: (Realm, TemporaryRealm) async throws -> Void
  ) async throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let writing = try store.open()
    try await writing.write { writing.create(Tally.self, value: ["id": 1, "value": 5]) }
    try store.close()
    var configuration = store.configuration
    configuration.readOnly = true
    try await body(try Realm(configuration: configuration), store)
    try Realm.close(configuration)
  }

  private func increment(_ store: TemporaryRealm) {
    let process = TestProcess(["viewIncrement", store.path, "1", "1"])
    _ = process.line()
    process.go()
    #expect(process.line() == "done")
    process.wait()
  }

  @Test func writesThrow() async throws {
    try await withReadOnly { realm, _ in
      let error = thrownError { try realm.write { realm.deleteAll() } }
      #expect(error?.code == .readOnly)
      #expect(realm.objects(Tally.self).count == 1)
    }
  }

  @Test func freezingIsAllowed() async throws {
    try await withReadOnly { realm, store in
      let frozen = realm.freeze()
      increment(store)
      try realm.refresh()
      #expect(frozen.objects(Tally.self).first?.value == 5)
      #expect(realm.objects(Tally.self).first?.value == 6)
    }
  }

  @Test func observersReceiveOnlyInitialState() async throws {
    try await withReadOnly { realm, store in
      let results = realm.objects(Tally.self)
      let events = EventRecorder<String>()
      let token = try results.observe { change in
        switch change {
        case .initial(let results): events.note("initial \(results.count)")
        default: events.note("more")
        }
      }
      let realmToken = try realm.observe { _, _ in events.note("realm") }
      let object = try #require(results.first)
      let objectToken = try object.observe { _ in events.note("object") }
      #expect(events.wait(for: 1) == ["initial 1"])
      increment(store)
      // Earlier observers would be called before this new one.
      let last = EventRecorder<Int>()
      let witness = try results.observe { _ in last.note(1) }
      _ = last.wait(for: 1)
      usleep(50_000)
      #expect(events.all == ["initial 1"])
      for token in [token, realmToken, objectToken, witness] { token.invalidate() }
    }
  }

  @Test func sequencesEndAfterInitialState() async throws {
    try await withReadOnly { realm, store in
      increment(store)
      var elements = 0
      for await _ in realm.objects(Tally.self).changes { elements += 1 }
      #expect(elements == 1)
      for await _ in realm.changes { elements += 1 }
      #expect(elements == 1)
    }
  }

  @Test func queueRealmIsNotRefreshed() async throws {
    try await withReadOnly { realm, store in
      let queue = DispatchQueue(label: "test")
      let watching = try Realm(configuration: realm.configuration, queue: queue)
      let before = watching.version
      increment(store)
      #expect(try realm.refresh())
      queue.sync {}
      #expect(watching.version == before)
    }
  }

  @Test func missingFileIsNeitherCreatedNorSeeded() throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    _ = try store.open()
    var configuration = store.configuration
    configuration.fileURL = store.directory.appending(path: "missing.varve")
    configuration.readOnly = true
    configuration.seedFilePath = store.configuration.fileURL
    expectError(.fileNotFound) { try Realm(configuration: configuration) }
    #expect(!Realm.fileExists(for: configuration))
  }
}

import Foundation
import Synchronization
import Testing
import Varve

/// Several processes of the server on one store.
@Suite struct ProcessesTests {
  @Test func eventReachesTheStreamOfAnotherProcess() async throws {
    struct Deleted: Decodable { let id: Int }
    try await withTemporaryStore { store in
      let first = try await ServerProcess(store: store)
      let second = try await ServerProcess(store: store)
      var events = try await second.events()

      let task = try await first.create("Buy milk")
      let created = try #require(try await events.next())
      #expect(created.name == "created")
      #expect(try created.decode(TaskAnswer.self).id == task.id)

      _ = try await first.send(.PATCH, "/tasks/\(task.id)", ["isDone": true])
      let changed = try #require(try await events.next())
      #expect(changed.name == "changed")
      #expect(try changed.decode(TaskAnswer.self).isDone)

      _ = try await first.send(.DELETE, "/tasks/\(task.id)")
      let deleted = try #require(try await events.next())
      #expect(deleted.name == "deleted")
      #expect(try deleted.decode(Deleted.self).id == task.id)
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func terminationEndsOpenStreams() async throws {
    try await withTemporaryStore { store in
      let server = try await ServerProcess(store: store)
      var events = try await server.events()
      _ = try await server.create("Buy milk")
      #expect(try await events.next()?.name == "created")
      server.terminate()
      // The stream ends as a complete response.
      #expect(try await events.next() == nil)
      #expect(try await server.waitForEnd() == 0)
    }
  }

  @Test func quietStreamContainsComments() async throws {
    try await withTemporaryStore { store in
      let server = try await ServerProcess(store: store, ["--heartbeat", "1"])
      var events = try await server.events()
      #expect(try await events.nextComment() != nil)
      #expect(try await events.nextComment() != nil)
      _ = try await server.create("Buy milk")
      #expect(try await events.next()?.name == "created")
    }
  }

  @Test func leftStreamsAreReleased() async throws {
    try await withTemporaryStore { store in
      let server = try await ServerProcess(store: store, ["--metrics-interval", "1"])
      let task = Task {
        var events = try await server.events()
        while try await events.next() != nil {}
      }
      try await wait { try await server.observerCount() == 1 }
      task.cancel()
      _ = await task.result
      try await wait { try await server.observerCount() == 0 }
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func clientThatDoesNotReadIsDisconnected() async throws {
    try await withTemporaryStore { store in
      let server = try await ServerProcess(store: store, ["--metrics-interval", "1"])
      let events = try await server.events()
      try await wait { try await server.observerCount() == 1 }
      // More than the buffers of the connection contain.
      var created = 0
      while try await server.observerCount() == 1 {
        try #require(created < 20_000)
        try await server.createLargeTasks(200)
        created += 200
      }
      withExtendedLifetime(events) {}
      // The other clients are served.
      #expect(try await server.create("last").title == "last")
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func clientThatDoesNotReadDelaysTheEndByTheLimit() async throws {
    try await withTemporaryStore { store in
      let server = try await ServerProcess(store: store, ["--shutdown-limit", "1"])
      let events = try await server.events()
      try await server.createLargeTasks(600)
      server.terminate()
      _ = try await server.waitForEnd()
      withExtendedLifetime(events) {}
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func largeCommitReachesTheClient() async throws {
    try await withTemporaryStore { store in
      let server = try await ServerProcess(store: store)
      var events = try await server.events()
      // One commit of another process.
      let realm = try await Realm.open(
        configuration: Realm.Configuration(fileURL: store, schemaVersion: 1))
      try await realm.write {
        for number in 1...20_000 {
          realm.dynamicCreate("TaskItem", value: ["id": number, "title": "task \(number)"])
        }
      }
      for _ in 1...20_000 { #expect(try await events.next()?.name == "created") }
      try Realm.close(realm.configuration)
    }
  }

  @Test func killedProcessDoesNotStopAnother() async throws {
    try await withTemporaryStore { store in
      let victim = try await ServerProcess(store: store)
      let survivor = try await ServerProcess(store: store)
      let acknowledged = Titles()
      // The requests to the victim fail from its end on.
      let load = Task {
        await withTaskGroup(of: Void.self) { tasks in
          for client in 1...4 {
            tasks.addTask {
              var number = 0
              while true {
                number += 1
                guard let task = try? await victim.create("victim \(client) \(number)") else {
                  return
                }
                acknowledged.add(task.title)
              }
            }
          }
        }
      }
      try await wait { acknowledged.all.count > 20 }
      victim.kill()
      for number in 1...20 {
        acknowledged.add(try await survivor.create("survivor \(number)").title)
      }
      await load.value
      #expect(try await victim.waitForEnd() == nil)
      #expect(try await titles(in: survivor).isSuperset(of: acknowledged.all))
    }
  }

  @Test func rollingRestartWithANewPropertyLosesNoRequest() async throws {
    try await withTemporaryStore { store in
      let rotation = Rotation([
        try await ServerProcess(store: store), try await ServerProcess(store: store),
      ])
      let acknowledged = Titles()
      try await withThrowingTaskGroup(of: Void.self) { tasks in
        for client in 1...4 {
          tasks.addTask {
            var number = 0
            while await !rotation.isOver {
              number += 1
              let title = "\(client) \(number)"
              let created = try await rotation.use { try await $0.create(title) }
              acknowledged.add(title)
              let read = try await rotation.use { try await $0.send(.GET, "/tasks/\(created.id)") }
              #expect(try read.decode(TaskAnswer.self).title == title)
            }
          }
        }
        for place in 0..<2 {
          let count = acknowledged.all.count
          try await wait { acknowledged.all.count > count + 20 }
          let old = await rotation.remove(place)
          old.terminate()
          #expect(try await old.waitForEnd() == 0)
          let new = try await ServerProcess(.next, store: store)
          #expect(try await new.send(.GET, "/health").status == 200)
          await rotation.insert(new, at: place)
        }
        let count = acknowledged.all.count
        try await wait { acknowledged.all.count > count + 20 }
        await rotation.end()
        try await tasks.waitForAll()
      }
      let server = await rotation.remove(0)
      #expect(try await titles(in: server) == acknowledged.all)
      let due = "2027-01-01T00:00:00Z"
      _ = try await server.send(.PATCH, "/tasks/1", ["due": due])
      let task: TaskAnswer = try await server.send(.GET, "/tasks/1").decode()
      #expect(task.due == due)
    }
  }

  /// Returns the titles of all tasks.
  private func titles(in server: ServerProcess) async throws -> Set<String> {
    var titles: Set<String> = []
    var after: Int? = 0
    while let last = after {
      let page: PageAnswer = try await server.send(.GET, "/tasks?limit=500&after=\(last)").decode()
      titles.formUnion(page.tasks.map(\.title))
      after = page.next
    }
    return titles
  }
}

/// The titles of the tasks whose creation was acknowledged.
private final class Titles: Sendable {
  private let titles = Mutex<Set<String>>([])
  var all: Set<String> { titles.withLock { $0 } }
  func add(_ title: String) { titles.withLock { _ = $0.insert(title) } }
}

/// The servers that receive requests, as in a proxy. A server that is removed finishes its requests.
private actor Rotation {
  private var servers: [ServerProcess?]
  private var running: [ObjectIdentifier: Int] = [:]
  private var turn = 0
  private(set) var isOver = false

  init(_ servers: [ServerProcess]) { self.servers = servers }

  func end() { isOver = true }

  func use<R: Sendable>(_ request: @Sendable (ServerProcess) async throws -> R) async throws -> R {
    let present = servers.compactMap { $0 }
    turn += 1
    let server = present[turn % present.count]
    running[ObjectIdentifier(server), default: 0] += 1
    defer { running[ObjectIdentifier(server), default: 0] -= 1 }
    return try await request(server)
  }

  /// Removes a server, and waits for the end of its requests.
  func remove(_ place: Int) async -> ServerProcess {
    guard let server = servers[place] else { preconditionFailure("The place is empty.") }
    servers[place] = nil
    while running[ObjectIdentifier(server), default: 0] > 0 { await Task.yield() }
    return server
  }

  func insert(_ server: ServerProcess, at place: Int) { servers[place] = server }
}

import Foundation
import Logging
import ServiceLifecycle
import Synchronization
import Testing
import Varve
import VarveServer
import VarveTesting

/// The examples of the article “Servers”.
@Suite(.temporaryRealm) struct ServersTests {
  private struct Server: Service {
    let configuration: Realm.Configuration
    let counts: Counts

    func run() async throws {
      let notes = try Realm(configuration: configuration).objects(Note.self)
      func send(_ count: Int) { counts.append(count) }
      for await change in notes.changes.cancelOnGracefulShutdown() {
        send(change.collection.count)
      }
    }
  }

  final class Counts: Sendable {
    private let counts = Mutex<[Int]>([])
    var all: [Int] { counts.withLock { $0 } }
    func append(_ count: Int) { counts.withLock { $0.append(count) } }
  }

  @Test func serverOpensAndClosesItsStores() async throws {
    let configuration = Realm.Configuration.defaultConfiguration
    let logger = Logger(label: "test")
    let counts = Counts()
    let server = Server(configuration: configuration, counts: counts)
    let task = Task {
      let stores = VarveService(configuration)
      try await stores.open()
      let group = ServiceGroup(
        services: [stores, server], gracefulShutdownSignals: [.sigterm], logger: logger)
      try await group.run()
    }
    try await wait { counts.all == [0] }
    let health = await StoreHealth.check(configuration, timeout: .seconds(1))
    if !health.isHealthy { logger.error("\(health)") }
    #expect(health.isHealthy)
    kill(getpid(), SIGTERM)
    try await task.value
    #expect(await !StoreHealth.check(configuration).isHealthy)
  }

  @Test func writeWithASpan() async throws {
    let realm = try await Realm.open()
    let note = Note(id: 1)
    try await realm.write { realm.add(note) }
    try await realm.write(span: "rename note") { note.text = "Groceries" }
    #expect(note.text == "Groceries")
  }
}

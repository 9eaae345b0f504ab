import Foundation
import Logging
import ServiceLifecycle
import Synchronization
import Testing
import Varve
import VarveServer
import VarveTesting

/// Runs a body beside a service group, and shuts the group down gracefully afterwards.
///
/// - Parameter ending: Runs after the shutdown was requested.
private func running(
  _ services: any Service..., body: () async throws -> Void,
  ending: () async throws -> Void = {}
) async throws {
  let group = ServiceGroup(
    configuration: .init(services: services, logger: Logger(label: "test")))
  try await withThrowingTaskGroup(of: Void.self) { tasks in
    tasks.addTask { try await group.run() }
    try await body()
    await group.triggerGracefulShutdown()
    try await ending()
    try await tasks.waitForAll()
  }
}

/// A service that iterates a sequence of changes for as long as it runs.
private struct Follower: Service {
  let configuration: Realm.Configuration
  let counts = Counts()

  final class Counts: Sendable {
    private let counts = Mutex<[Int]>([])
    var all: [Int] { counts.withLock { $0 } }
    func append(_ count: Int) { counts.withLock { $0.append(count) } }
  }

  func run() async throws {
    let notes = try await Realm.open(configuration: configuration).objects(Note.self)
    for await change in notes.changes.cancelOnGracefulShutdown() {
      counts.append(change.collection.count)
    }
  }
}

@Suite struct VarveServiceTests {
  private func inMemory() -> Realm.Configuration {
    var configuration = Realm.Configuration.defaultConfiguration
    configuration.inMemoryIdentifier = "service-\(UUID().uuidString)"
    configuration.objectTypes = [Note.self]
    return configuration
  }

  @Test func storesAreOpenWhileTheServiceRuns() async throws {
    let configuration = inMemory()
    let stores = VarveService(configuration)
    #expect(await !StoreHealth.check(configuration).isHealthy)
    try await stores.open()
    try await running(stores) {
      #expect(await StoreHealth.check(configuration).isHealthy)
    }
    let after = await StoreHealth.check(configuration)
    #expect((after.readError as? Realm.Error)?.code == .closed)
  }

  @Test func waitingWritesAreCommittedBeforeTheStoreIsClosed() async throws {
    let configuration = inMemory()
    let realm = try await Realm.open(configuration: configuration)
    let gate = Gate()
    let metrics = RecordedMetrics()
    let service = VarveService(
      configuration, metricsInterval: .milliseconds(5), factory: metrics)
    let refusal = Gate()
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      try await running(service) {
        tasks.addTask {
          try await realm.write(grouping: false) {
            gate.pass()
            realm.add(Note(id: 1, text: "first"))
          }
        }
        try await gate.waitUntilReached()
        for id in 2...20 {
          tasks.addTask { try await realm.write { realm.add(Note(id: id, text: "waiting")) } }
        }
        try await wait { metrics.last("varve_waiting_writers") == 19 }
      } ending: {
        // New writes are refused, while the others are waited for.
        try await wait {
          Task {
            do {
              try await realm.write {}
            } catch let error as Realm.Error where error.code == .closed {
              refusal.open()
            }
          }
          return refusal.isOpen
        }
        gate.open()
      }
      try await tasks.waitForAll()
    }
    #expect(realm.objects(Note.self).count == 20)
    #expect(await !StoreHealth.check(configuration).isHealthy)
  }

  @Test func sequencesOfChangesEndWithTheShutdown() async throws {
    let configuration = inMemory()
    let follower = Follower(configuration: configuration)
    try await running(VarveService(configuration), follower) {
      try await wait { follower.counts.all == [0] }
      let realm = try await Realm.open(configuration: configuration)
      try await realm.write { realm.add(Note(id: 1)) }
      try await wait { follower.counts.all == [0, 1] }
    }
    #expect(follower.counts.all == [0, 1])
    #expect(await !StoreHealth.check(configuration).isHealthy)
  }

  @Test func storeThatCannotBeClosedLeavesNoOtherOpen() async throws {
    let busy = inMemory()
    let other = inMemory()
    let metrics = RecordedMetrics()
    let stores = VarveService(busy, other, factory: metrics)
    try await stores.open()
    let gate = Gate()
    let write = Task { try await Realm(configuration: busy).write(grouping: false) { gate.pass() } }
    try await gate.waitUntilReached()
    let run = Task { try await stores.run() }
    try await wait { metrics.all("varve_file_bytes").count >= 2 }
    run.cancel()
    let error = await #expect(throws: Realm.Error.self) { try await run.value }
    #expect(error?.code == .busy)
    #expect((await StoreHealth.check(other).readError as? Realm.Error)?.code == .closed)
    gate.open()
    try await write.value
    try Realm.close(busy)
  }

  @Test func cancellationClosesTheStores() async throws {
    let configuration = inMemory()
    let metrics = RecordedMetrics()
    let stores = VarveService(configuration, factory: metrics)
    let task = Task { try await stores.run() }
    try await wait { metrics.last("varve_file_bytes") != nil }
    task.cancel()
    try await task.value
    #expect(await !StoreHealth.check(configuration).isHealthy)
  }

  @Test func metricsOfEqualFileNamesAreApart() async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    let configurations = try ["a", "b"].map { tenant in
      let folder = directory.appending(path: tenant)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      return Realm.Configuration(
        fileURL: folder.appending(path: "data.varve"), objectTypes: [Note.self])
    }
    let metrics = RecordedMetrics()
    let stores = VarveService(configurations[0], configurations[1], factory: metrics)
    try await stores.open()
    #expect(
      metrics.allDimensions(of: "varve_commits")
        == configurations.map { ["store=\($0.fileURL?.path ?? "")"] })
    let task = Task { try await stores.run() }
    task.cancel()
    _ = await task.result
  }

  @Test func openingAfterTheEndIsRefused() async throws {
    let configuration = inMemory()
    let stores = VarveService(configuration)
    try await running(stores) { try await stores.open() }
    await #expect(throws: CancellationError.self) { try await stores.open() }
    #expect(await !StoreHealth.check(configuration).isHealthy)
  }

  @Test func cancelledOpeningLeavesNoStoreOpen() async throws {
    let configuration = inMemory()
    let stores = VarveService(configuration)
    try await stores.open()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await stores.run()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(await !StoreHealth.check(configuration).isHealthy)
  }
}

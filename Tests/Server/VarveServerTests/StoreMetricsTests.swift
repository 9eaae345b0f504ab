import Foundation
import ServiceLifecycle
import Testing
import Varve
import VarveServer
import VarveTesting

@Suite struct StoreMetricsTests {
  private struct Refused: Error {}

  /// Runs a body while a service reports the metrics of a new store in a file.
  private func reporting(_ body: (Realm, RecordedMetrics) async throws -> Void) async throws {
    var configuration = Realm.Configuration.defaultConfiguration
    configuration.objectTypes = [Note.self]
    try await withTemporaryRealm(in: .directory, configuration: configuration) { realm in
      let metrics = RecordedMetrics()
      let service = VarveService(
        realm.configuration, metricsInterval: .milliseconds(5), factory: metrics)
      let task = Task { try await service.run() }
      defer { task.cancel() }
      try await wait { metrics.last("varve_file_bytes") != nil }
      try await body(realm, metrics)
      task.cancel()
      try await task.value
    }
  }

  @Test func commitsAreCountedAndTimed() async throws {
    try await reporting { realm, metrics in
      for id in 1...3 { try await realm.write { realm.add(Note(id: id)) } }
      #expect(metrics.sum("varve_commits") == 3)
      #expect(metrics.all("varve_commit_duration").count == 3)
      #expect(metrics.all("varve_commit_duration").allSatisfy { $0 > 0 })
      #expect(
        metrics.dimensions(of: "varve_commits") == [
          "store=\(realm.configuration.fileURL?.path ?? "")"
        ])
    }
  }

  @Test func commitsBetweenOpeningAndRunningAreCounted() async throws {
    var configuration = Realm.Configuration.defaultConfiguration
    configuration.inMemoryIdentifier = "metrics-\(UUID().uuidString)"
    configuration.objectTypes = [Note.self]
    let metrics = RecordedMetrics()
    let service = VarveService(configuration, factory: metrics)
    try await service.open()
    try await service.open()
    let realm = try await Realm.open(configuration: configuration)
    try await realm.write { realm.add(Note(id: 1)) }
    #expect(metrics.sum("varve_commits") == 1)
    let task = Task { try await service.run() }
    try await wait { metrics.last("varve_file_bytes") != nil }
    try await realm.write { realm.add(Note(id: 2)) }
    #expect(metrics.sum("varve_commits") == 2)
    task.cancel()
    try await task.value
  }

  @Test func writesWithoutChangesAreNoCommits() async throws {
    try await reporting { realm, metrics in
      try await realm.write {}
      await #expect(throws: Refused.self) {
        try await realm.write {
          realm.add(Note(id: 1))
          throw Refused()
        }
      }
      #expect(metrics.sum("varve_commits") == 0)
      #expect(metrics.sum("varve_commit_failures") == 0)
    }
  }

  @Test func failedOperationIsNoFailedCommit() async throws {
    try await reporting { realm, metrics in
      try await realm.write { realm.add(Note(id: 1)) }
      await #expect(throws: Realm.Error.self) {
        try await realm.write(grouping: false) { realm.add(Note(id: 1)) }
      }
      #expect(throws: Realm.Error.self) { try writeBlocking(realm) { realm.add(Note(id: 1)) } }
      #expect(metrics.sum("varve_commits") == 1)
      #expect(metrics.sum("varve_commit_failures") == 0)
    }
  }

  @Test func failedCommitIsCounted() async throws {
    try await reporting { realm, metrics in
      try await realm.write { realm.add(Note(id: 1)) }
      await #expect(throws: Realm.Error.self) {
        try await withFileSizeLimit { try await realm.write { realm.add(Note(id: 2)) } }
      }
      #expect(metrics.sum("varve_commits") == 1)
      #expect(metrics.sum("varve_commit_failures") == 1)
    }
  }

  /// Runs a closure while no file of the process can be written.
  private func withFileSizeLimit(_ body: () async throws -> Void) async throws {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    var small = limit
    small.rlim_cur = 0
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &small)
    defer { setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) }
    try await body()
  }

  /// Writes with the synchronous form, which asynchronous code cannot call.
  private func writeBlocking(_ realm: Realm, _ block: () throws -> Void) throws {
    try realm.write(block)
  }

  @Test func waitingWritersAreShown() async throws {
    try await reporting { realm, metrics in
      let gate = Gate()
      try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask {
          try await realm.write(grouping: false) {
            gate.pass()
          }
        }
        try await gate.waitUntilReached()
        for id in 1...3 { tasks.addTask { try await realm.write { realm.add(Note(id: id)) } } }
        // A thread waits for the write lock; an asynchronous write does not.
        Thread.detachNewThread { try? realm.write { realm.add(Note(id: 4)) } }
        try await wait { metrics.last("varve_waiting_writers") == 4 }
        gate.open()
        try await tasks.waitForAll()
      }
      try await wait { realm.objects(Note.self).count == 4 }
      try await wait { metrics.last("varve_waiting_writers") == 0 }
      #expect(metrics.all("varve_write_wait").count == 5)
    }
  }

  @Test func observersAndDeliveriesAreCounted() async throws {
    try await reporting { realm, metrics in
      let notes = realm.objects(Note.self)
      let task = Task { for await _ in notes.changes {} }
      let token = try notes.observe { _ in }
      try await wait { metrics.last("varve_observers") == 2 }
      try await wait { metrics.sum("varve_deliveries") == 2 }
      try await realm.write { realm.add(Note(id: 1)) }
      try await wait { metrics.sum("varve_deliveries") == 4 }
      token.invalidate()
      task.cancel()
      await task.value
      withExtendedLifetime(token) {}
    }
  }

  @Test func pinnedBytesAreShown() async throws {
    try await reporting { realm, metrics in
      try await realm.write { for id in 1...1000 { realm.add(Note(id: id, text: "old")) } }
      let frozen = realm.freeze()
      try await realm.write { for note in realm.objects(Note.self) { note.text = "new" } }
      try await wait { (metrics.last("varve_pinned_bytes") ?? 0) > 10_000 }
      let report = try realm.storageReport()
      try await wait { metrics.last("varve_file_bytes") == Int64(report.totalBytes) }
      try await wait { metrics.last("varve_live_bytes") == Int64(report.liveBytes) }
      #expect(frozen.objects(Note.self).count == 1000)
    }
  }
}

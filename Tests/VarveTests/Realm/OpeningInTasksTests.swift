import Dispatch
import Foundation
import Testing
import Varve
import VarveStorage
import VarveTestSupport

/// Asynchronous opening, including compaction.
@Suite struct OpeningInTasksTests {
  private struct Refusal: Error {}

  /// A closed store whose file is mostly free pages with some mebibytes in use, and a configuration
  /// that compacts it.
  private func emptied() throws -> (TemporaryRealm, Realm.Configuration) {
    let store = try TemporaryRealm()
    let realm = try store.open()
    try grow(realm, versions: 5, bytes: 3 << 20)
    try store.close()
    var configuration = store.configuration
    configuration.shouldCompactOnLaunch = { _, _ in true }
    return (store, configuration)
  }

  private func size(_ store: TemporaryRealm) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: store.path)[.size] as? Int ?? 0
  }

  private func hasOnlyItsFiles(_ store: TemporaryRealm) throws -> Bool {
    try FileManager.default.contentsOfDirectory(atPath: store.directory.path)
      .allSatisfy { $0.hasPrefix("test.varve") }
  }

  @Test func compactionReportsProgress() async throws {
    let (store, configuration) = try emptied()
    defer { store.end() }
    let before = try size(store)
    let events = EventRecorder<Realm.CopyProgress>()
    let realm = try await Realm.open(configuration: configuration) { events.note($0) }
    #expect(events.all.first?.fractionCompleted == 0 && events.all.last?.fractionCompleted == 1)
    #expect(events.all.count >= 4)
    #expect(try size(store) < before / 2)
    #expect(realm.objects(Buoy.self).map(\.id) == [1])
    // The store is already open, so no compaction runs.
    _ = try await Realm.open(configuration: configuration) { _ in Issue.record("It is open.") }
  }

  @Test func compactionFilesAreCloseOnExec() async throws {
    let (store, configuration) = try emptied()
    defer { store.end() }
    let events = EventRecorder<String>()
    _ = try await Realm.open(configuration: configuration) { _ in
      for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
        guard let descriptor = Int32(name), fcntl(descriptor, F_GETFD) & FD_CLOEXEC == 0,
          let file = try? FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/self/fd/\(name)"), file.hasPrefix(store.directory.path)
        else { continue }
        events.note(file)
      }
    }
    #expect(events.all.isEmpty)
  }

  @Test(.timeLimit(.minutes(1)))
  func cancelledCompactionLeavesFileUnchanged() async throws {
    let (store, configuration) = try emptied()
    defer { store.end() }
    let before = try size(store)
    let turnstile = Turnstile()
    let opening = Task {
      try await Realm.open(configuration: configuration) {
        if $0.completedBytes > 0 { turnstile.pass() }
      }
    }
    while turnstile.reached < 1 { await Task.yield() }
    #expect(try !hasOnlyItsFiles(store))
    opening.cancel()
    turnstile.open(1)
    await expectCancellation(of: opening)
    #expect(try hasOnlyItsFiles(store) && size(store) == before)
    #expect(try store.open().objects(Buoy.self).map(\.id) == [1])
  }

  @Test func progressClosureErrorStopsCompaction() async throws {
    let (store, configuration) = try emptied()
    defer { store.end() }
    let before = try size(store)
    await expectThrown(Refusal.self) {
      _ = try await Realm.open(configuration: configuration) { _ in throw Refusal() }
    }
    #expect(try hasOnlyItsFiles(store) && size(store) == before)
    #expect(try store.open().objects(Buoy.self).map(\.id) == [1])
  }

  @Test func seedCopyReportsProgress() async throws {
    try await withTemporaryRealm { realm, store in
      try grow(realm, versions: 1, bytes: 3 << 20)
      var configuration = store.configuration
      configuration.fileURL = store.directory.appending(path: "new.varve")
      configuration.seedFilePath = store.configuration.fileURL
      await expectThrown(Refusal.self) {
        _ = try await Realm.open(configuration: configuration) { _ in throw Refusal() }
      }
      #expect(!Realm.fileExists(for: configuration))
      let events = EventRecorder<Double>()
      let new = try await Realm.open(configuration: configuration) {
        events.note($0.fractionCompleted)
      }
      #expect(events.all.first == 0 && events.all.last == 1)
      #expect(new.objects(Buoy.self).map(\.id) == [1])
      try Realm.close(configuration)
    }
  }

  /// One opening waits at the turnstile, and the others wait for it.
  @Test(.timeLimit(.minutes(1)))
  func openingsDoNotBlockPoolThreads() async throws {
    let (store, configuration) = try emptied()
    defer { store.end() }
    let others = try (0..<8 * ProcessInfo.processInfo.activeProcessorCount).map { _ in
      try TemporaryRealm()
    }
    defer { for other in others { other.end() } }
    let turnstile = Turnstile()
    let opening = Task {
      try await Realm.open(configuration: configuration) {
        if $0.completedBytes == 0 { turnstile.pass() }
      }
    }
    while turnstile.reached < 1 { await Task.yield() }
    let waiting = others.map { other in
      Task { try await Realm.open(configuration: other.configuration).isEmpty }
    }
    for _ in 0..<1000 { await Task.yield() }
    #expect(await Task.detached { 1 }.value == 1)
    turnstile.open(1)
    #expect(try await opening.value.objects(Buoy.self).count == 1)
    for other in waiting { #expect(try await other.value) }
  }

  // MARK: Cancellation

  @Test(.timeLimit(.minutes(1)))
  func cancelledOpeningLeavesFileClosed() async throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    for _ in 0..<20 {
      let gate = OpeningGate()
      let configuration = gate.holding(store.configuration)
      let opening = Task { try await Realm.open(configuration: configuration) }
      while !gate.isReached { await Task.yield() }
      opening.cancel()
      gate.open()
      await expectCancellation(of: opening)
      try Realm.close(store.configuration)
      #expect(try Realm.deleteFiles(for: store.configuration))
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func cancelledOpeningKeepsAlreadyOpenFileOpen() async throws {
    try await withTemporaryRealm { realm, store in
      let write = OpenWrite(store.configuration)
      var configuration = store.configuration
      configuration.objectTypes = [Buoy.self]
      let classes = configuration
      let opening = Task { try await Realm.open(configuration: classes) }
      try await Task.sleep(for: .milliseconds(20))
      opening.cancel()
      // The write still owns the lock that registering the class needs.
      await expectCancellation(of: opening)
      write.end()
      try await realm.write { realm.add(Buoy(1)) }
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func waitForAnotherOpeningIsCancelledImmediately() async throws {
    let store = try TemporaryRealm()
    let other = try TemporaryRealm()
    defer {
      store.end()
      other.remove()
    }
    let gate = OpeningGate()
    let configuration = gate.holding(store.configuration)
    let opening = Task { try await Realm.open(configuration: configuration) }
    while !gate.isReached { await Task.yield() }
    let waiting = Task { try await Realm.open(configuration: other.configuration) }
    try await Task.sleep(for: .milliseconds(20))
    waiting.cancel()
    await expectCancellation(of: waiting)
    #expect(!Realm.fileExists(for: other.configuration))
    gate.open()
    #expect(try await opening.value.isEmpty)
  }

  @Test(.timeLimit(.minutes(1)))
  func waitForAnotherProcessIsCancelledImmediately() async throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    try fillAndClose(store)
    let process = TestProcess(["openSlowly", store.path])
    #expect(process.line() == "opening")
    let opening = Task { try await Realm.open(configuration: store.configuration) }
    try await Task.sleep(for: .milliseconds(20))
    opening.cancel()
    await expectCancellation(of: opening)
    process.go()
    #expect(process.line() == "ok")
    process.wait()
    #expect(try store.open().objects(Buoy.self).map(\.id) == [1])
  }

  @Test(.timeLimit(.minutes(1)))
  func cancelledMigrationIsRolledBack() async throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    try fillAndClose(store)
    var later = store.configuration
    later.schemaVersion = 1
    for migrate: @Sendable (Realm.Configuration) async throws -> Void in [
      { try await Realm.performMigration(for: $0) },
      { _ = try await Realm.open(configuration: $0) },
    ] {
      let turnstile = Turnstile()
      later.migrationBlock = { migration, _ in
        migration.create("Buoy", value: ["id": 2])
        turnstile.pass()
      }
      let configuration = later
      let migrating = Task { try await migrate(configuration) }
      while turnstile.reached < 1 { await Task.yield() }
      migrating.cancel()
      turnstile.open(1)
      await expectCancellation(of: migrating)
      #expect(try schemaVersionAtURL(try #require(later.fileURL)) == 0)
    }
    #expect(try store.open().objects(Buoy.self).map(\.id) == [1])
    try store.close()
    #expect(try Realm.deleteFiles(for: later))
  }
}

import Foundation
import Testing
import Varve
import VarveLocks
import VarveTestSupport

/// The closures of awaited operations that take long are parts of the task that awaits them.
@Suite struct LongOperationTaskTests {
  /// What the closures saw.
  private let seen = EventRecorder<Int>()

  /// Runs `operation` in a task with a value, and expects that its closures have seen the value.
  private func expectValue(
    _ location: SourceLocation = #_sourceLocation, _ operation: () async throws -> Void
  ) async throws {
    let before = seen.all.count
    try await SeenTask.$number.withValue(7, operation: operation)
    let new = seen.all.dropFirst(before)
    #expect(!new.isEmpty && new.allSatisfy { $0 == 7 }, sourceLocation: location)
  }

  private var note: @Sendable (Any) -> Void {
    { [seen] _ in seen.note(SeenTask.number) }
  }

  @Test func openingRunsClosuresInsideTask() async throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    try grow(try store.open(), versions: 5, bytes: 3 << 20)
    try store.close()
    let note = note
    var compacting = store.configuration
    compacting.shouldCompactOnLaunch = { _, _ in
      note(0)
      return true
    }
    try await expectValue { _ = try await Realm.open(configuration: compacting) }
    try await expectValue {
      try store.close()
      _ = try await Realm.open(configuration: compacting) { note($0) }
    }
    try store.close()
    var migrating = store.configuration
    migrating.schemaVersion = 3
    migrating.migrationBlock = { migration, _ in note(migration) }
    try await expectValue { _ = try await Realm.open(configuration: migrating) }
    try Realm.close(migrating)
    migrating.schemaVersion = 4
    try await expectValue { try await Realm.performMigration(for: migrating) }
    migrating.schemaVersion = 5
    let later = migrating
    try await expectValue {
      try await withCheckedThrowingContinuation { continuation in
        Realm.asyncOpen(configuration: later, callbackQueue: .global()) { result in
          continuation.resume(with: result.map { _ in })
        }
      }
    }
    try Realm.close(later)
  }

  @Test func migrationSeesCancellation() async throws {
    let store = try TemporaryRealm { $0.objectTypes = [Buoy.self] }
    defer { store.end() }
    _ = try store.open()
    try store.close()
    let wasCancelled = Lock<[Bool]>([])
    var later = store.configuration
    later.schemaVersion = 3
    later.migrationBlock = { _, _ in
      withUnsafeCurrentTask { $0?.cancel() }
      wasCancelled.withLock { $0.append(Task.isCancelled) }
    }
    let opening = Task { [later] in try await Realm.open(configuration: later) }
    await expectCancellation(of: opening)
    #expect(wasCancelled.withLock { $0 } == [true])
    let url = try #require(later.fileURL)
    #expect(try schemaVersionAtURL(url) == 0)
  }

  @Test func copyCheckAndSalvageReportProgressInsideTask() async throws {
    try await withTemporaryRealm { realm, store in
      try grow(realm, versions: 1, bytes: 3 << 20)
      let note = note
      let copy = store.directory.appending(path: "copy.varve")
      try await expectValue { try await realm.writeCopy(toFile: copy) { note($0) } }
      try await expectValue { _ = try await realm.check { note($0) } }
      let rescued = store.directory.appending(path: "rescued.varve")
      try await expectValue { _ = try await Realm.salvage(from: copy, to: rescued) { note($0) } }
    }
  }
}

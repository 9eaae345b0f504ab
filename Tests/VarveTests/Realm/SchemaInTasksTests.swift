import Foundation
import Testing
import Varve
import VarveCore

/// Asynchronous migration and class registration.
@Suite struct SchemaInTasksTests {
  private struct Refusal: Error {}

  @Test func asyncPerformMigrationMigratesFile() async throws {
    let store = try TemporaryRealm { $0.objectTypes = [Buoy.self] }
    defer { store.end() }
    _ = try store.open()
    try store.close()
    var later = store.configuration
    later.schemaVersion = 3
    try await Realm.performMigration(for: later)
    let url = try #require(later.fileURL)
    #expect(try schemaVersionAtURL(url) == 3)
    later.migrationBlock = { _, _ in throw Refusal() }
    later.schemaVersion = 4
    await expectThrown(Refusal.self) { try await Realm.performMigration(for: later) }
    #expect(try Realm.deleteFiles(for: later))
  }

  @Test func asyncRegisterAddsClasses() async throws {
    try await withTemporaryRealm { realm, store in
      let before = try store.report().classCount
      try await realm.register(Buoy.self, Tally.self)
      #expect(try store.report().classCount == before + 2)
      await expectErrorOfTask(.frozen) {
        try await realm.freeze().register(Buoy.self)
      }
    }
  }
}

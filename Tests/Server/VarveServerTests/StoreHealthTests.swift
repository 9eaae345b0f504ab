import Foundation
import Testing
import Varve
import VarveServer
import VarveTesting

@Suite(.temporaryRealm(in: .directory)) struct StoreHealthTests {
  private var configuration: Realm.Configuration { .defaultConfiguration }

  @Test func openStoreIsHealthy() async throws {
    let realm = try await Realm.open()
    let version = realm.version
    let health = await StoreHealth.check(configuration)
    #expect(health.isHealthy)
    #expect(health.description == "test.varve: healthy")
    // The check commits nothing.
    #expect(try Realm().version == version)
  }

  @Test func checkOpensNothing() async throws {
    var other = configuration
    other.fileURL = configuration.fileURL?.deletingLastPathComponent().appending(
      path: "other.varve")
    let health = await StoreHealth.check(other)
    #expect((health.readError as? Realm.Error)?.code == .closed)
    #expect(!Realm.fileExists(for: other))
  }

  @Test func writerThatDoesNotEndIsReported() async throws {
    let realm = try await Realm.open()
    let gate = Gate()
    async let write: Void = realm.write(grouping: false) {
      gate.pass()
    }
    try await gate.waitUntilReached()
    let health = await StoreHealth.check(configuration, timeout: .milliseconds(50))
    #expect(health.readError == nil)
    let error = try #require(health.writeError as? Realm.Error)
    #expect(error.code == .busy)
    #expect(error.processID == ProcessInfo.processInfo.processIdentifier)
    gate.open()
    try await write
    #expect(await StoreHealth.check(configuration).isHealthy)
  }

  @Test func deletedFileCannotBeWritten() async throws {
    _ = try await Realm.open()
    try FileManager.default.removeItem(at: #require(configuration.fileURL))
    let health = await StoreHealth.check(configuration)
    #expect(health.readError == nil)
    #expect((health.writeError as? Realm.Error)?.code == .fileAccess)
    #expect(health.description.contains("cannot be written"))
  }

  @Test func readOnlyStoreIsHealthy() async throws {
    _ = try await Realm.open()
    try Realm.close(configuration)
    var readOnly = configuration
    readOnly.readOnly = true
    _ = try await Realm.open(configuration: readOnly)
    #expect(await StoreHealth.check(readOnly).isHealthy)
    try Realm.close(readOnly)
  }
}

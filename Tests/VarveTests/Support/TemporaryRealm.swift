import Logging
import Foundation
import Testing
import Varve
import VarveCore
import VarveStorage

/// A store in a new private directory, for one test.
///
/// ``end()`` checks the structure of the file, closes it and removes the directory.
final class TemporaryRealm: Sendable {
  let directory: URL
  let configuration: Realm.Configuration

  /// - Parameters:
  ///   - name: the file in the directory.
  ///   - configure: changes the configuration before it is used.
  init(
    name: String = "test.varve", _ configure: (inout Realm.Configuration) -> Void = { _ in }
  ) throws {
    directory = FileManager.default.temporaryDirectory
      .appending(path: "varve-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    var configuration = Realm.Configuration(
      fileURL: directory.appending(path: name), durability: .none, mapReservation: 1 << 30)
    // Realms do not move while a test runs, however slow it is.
    configuration.idleLimit = .seconds(15)
    // Omits the log messages of each opening.
    var logger = Logger(label: "varve")
    logger.logLevel = .warning
    configuration.logger = logger
    configure(&configuration)
    self.configuration = configuration
  }

  /// The path of the data file.
  var path: String { configuration.fileURL?.path ?? "" }

  /// Opens a new live realm of the store.
  func open() throws -> Realm { try Realm(configuration: configuration) }

  /// Runs a full check and closes the store, if it is open.
  func close() throws {
    try StructureWalk.check(try configuration.store().newestSnapshot())
    try check("when the store was closed")
    try Realm.close(configuration)
  }

  /// Closes the store and removes the directory.
  func end() {
    do {
      try close()
    } catch {
      Issue.record(error, "The store could not be checked and closed.")
    }
    remove()
  }

  /// Removes the directory of a closed store.
  func remove() { try? FileManager.default.removeItem(at: directory) }
}

/// Runs a test with a new store.
func withTemporaryRealm<R>(
  _ configure: (inout Realm.Configuration) -> Void = { _ in },
  _ body: (Realm, TemporaryRealm) throws -> R
) throws -> R {
  let store = try TemporaryRealm(configure)
  defer { store.end() }
  return try body(try store.open(), store)
}

/// Runs an asynchronous test with a new store.
func withTemporaryRealm<R>(
  _ configure: (inout Realm.Configuration) -> Void = { _ in },
  _ body: (Realm, TemporaryRealm) async throws -> R
) async throws -> R {
  let store = try TemporaryRealm(configure)
  defer { store.end() }
  return try await body(try store.open(), store)
}

/// The error code that a call throws; nil when it throws no error of the library.
func errorCode<R>(_ call: () throws -> R) -> Realm.Error.Code? {
  thrownError(call)?.code
}

/// The error of the library that a call throws; nil when it throws nothing or another error.
func thrownError<R>(_ call: () throws -> R) -> Realm.Error? {
  do {
    _ = try call()
    return nil
  } catch {
    return error as? Realm.Error
  }
}

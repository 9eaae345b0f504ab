import Logging
import Foundation
import Testing
import Varve
import VarveCore
import VarveStorage

/// A store in a fresh private directory, for one test.
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
    // Not each opening of a store.
    var logger = Logger(label: "varve")
    logger.logLevel = .warning
    configuration.logger = logger
    configure(&configuration)
    self.configuration = configuration
  }

  /// The path of the data file.
  var path: String { configuration.fileURL?.path ?? "" }

  /// A fresh view.
  func open() throws -> Realm { try Realm(configuration: configuration) }

  /// Closes the store, if it is open, after a full check.
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

  /// Removes the directory of a store that is not open.
  func remove() { try? FileManager.default.removeItem(at: directory) }
}

/// Runs a test with a store of its own.
func withTemporaryRealm<R>(
  _ configure: (inout Realm.Configuration) -> Void = { _ in },
  _ body: (Realm, TemporaryRealm) throws -> R
) throws -> R {
  let store = try TemporaryRealm(configure)
  defer { store.end() }
  return try body(try store.open(), store)
}

/// As ``withTemporaryRealm(_:_:)``, for tests that wait.
func withTemporaryRealm<R>(
  _ configure: (inout Realm.Configuration) -> Void = { _ in },
  _ body: (Realm, TemporaryRealm) async throws -> R
) async throws -> R {
  let store = try TemporaryRealm(configure)
  defer { store.end() }
  return try await body(try store.open(), store)
}

/// The code that a call throws; nil when it throws nothing, or something else.
func errorCode<R>(_ call: () throws -> R) -> Realm.Error.Code? {
  thrownError(call)?.code
}

/// The error of the library that a call throws; nil when it throws nothing, or something else.
func thrownError<R>(_ call: () throws -> R) -> Realm.Error? {
  do {
    _ = try call()
    return nil
  } catch {
    return error as? Realm.Error
  }
}

import Foundation
public import Varve

/// The location of the store of a test.
public enum TemporaryRealmLocation: Sendable, Hashable {
  /// In memory. No file is created, and nothing remains, however the process ends.
  case memory
  /// A file in its own directory in the system's temporary directory, for tests with several
  /// processes or of the file itself. A process that is killed leaves the file behind.
  case directory
}

/// Runs a closure with its own store, which is initially empty and closed afterwards.
///
/// ```swift
/// try withTemporaryRealm { realm in
///   try realm.write { realm.add(Note()) }
///   #expect(realm.objects(Note.self).count == 1)
/// }
/// ```
///
/// In the closure, `Realm.Configuration.defaultConfiguration` is the configuration of the store, so
/// that code which calls `Realm()` uses the store. This applies to the calling task and its child
/// tasks. Detached tasks, threads and dispatch queues use the default configuration of the process.
///
/// - Parameters:
///   - place: The location of the store.
///   - configuration: The classes, the schema version and all other options of the store; its file
///     is not used. With nil, the default configuration is used.
///   - body: A closure that receives a realm of the store.
/// - Returns: The result of `body`.
/// - Throws: The error of `body`, the errors of `Realm(configuration:)`, and `Realm.Error` with
///   `.busy` when a write is still open at the end, in which case the store remains open.
public func withTemporaryRealm<R>(
  in place: TemporaryRealmLocation = .memory, configuration: Realm.Configuration? = nil,
  _ body: (Realm) throws -> R
) throws -> R {
  let store = try TemporaryStore(place, configuration)
  let result = Result {
    try DefaultConfiguration.with(store.configuration) {
      try body(try Realm(configuration: store.configuration))
    }
  }
  return try store.end(result)
}

/// Runs an asynchronous closure with its own store, on the caller's actor. See
/// ``withTemporaryRealm(in:configuration:_:)``.
public func withTemporaryRealm<R>(
  in place: TemporaryRealmLocation = .memory, configuration: Realm.Configuration? = nil,
  isolation: isolated (any Actor)? = #isolation, _ body: (Realm) async throws -> R
) async throws -> R {
  let store = try TemporaryStore(place, configuration)
  let result: Result<R, any Error>
  do {
    result = .success(
      try await DefaultConfiguration.with(store.configuration) {
        try await body(try await Realm.open(configuration: store.configuration))
      })
  } catch {
    result = .failure(error)
  }
  return try store.end(result)
}

/// The store of a test.
struct TemporaryStore: Sendable {
  let configuration: Realm.Configuration
  private let directory: URL?

  init(_ place: TemporaryRealmLocation, _ template: Realm.Configuration?) throws {
    var configuration = template ?? .defaultConfiguration
    let name = "varve-test-\(UUID().uuidString)"
    switch place {
    case .memory:
      configuration.inMemoryIdentifier = name
      directory = nil
    case .directory:
      let directory = FileManager.default.temporaryDirectory.appending(path: name)
      try FileManager.default.createDirectory(
        at: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      configuration.fileURL = directory.appending(path: "test.varve")
      self.directory = directory
    }
    self.configuration = configuration
  }

  /// Closes the store and removes its directory.
  ///
  /// - Throws: The error of the result, or the error of closing the store.
  func end<R>(_ result: Result<R, any Error>) throws -> R {
    defer {
      if let directory { try? FileManager.default.removeItem(at: directory) }
    }
    let closing = Result { try Realm.close(configuration) }
    let value = try result.get()
    try closing.get()
    return value
  }
}

import Foundation
public import Varve

/// Where the store of a test is.
public enum TemporaryRealmLocation: Sendable, Hashable {
  /// In memory: no file is made, and nothing stays, however the process ends.
  case memory
  /// A file in a directory of its own in the system's temporary directory, for tests with other processes or of the
  /// file itself. A process that is killed leaves it.
  case directory
}

/// Runs code with a store of its own, which is empty at first and closed afterwards.
///
/// ```swift
/// try withTemporaryRealm { realm in
///   try realm.write { realm.add(Note()) }
///   #expect(realm.objects(Note.self).count == 1)
/// }
/// ```
///
/// Inside, `Realm.Configuration.defaultConfiguration` is that of the store, so that code which calls `Realm()` uses it. That
/// holds for the calling task and its child tasks; a detached task, a thread and a dispatch queue have the default of the
/// process.
///
/// - Parameters:
///   - place: where the store is.
///   - configuration: the classes, the schema version and whatever else the store is opened with; its file is not used.
///     nil: the default configuration.
///   - body: gets a realm of the store.
/// - Returns: what `body` returns.
/// - Throws: what `body` throws; otherwise as `Realm(configuration:)`, and `Realm.Error` with `.busy` when a write is still
///   open at the end: the store then stays open.
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

/// As ``withTemporaryRealm(in:configuration:_:)``, for code that waits. The body runs where the caller runs.
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

/// The store of one test.
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
  /// - Throws: What the result holds, or why the store could not be closed.
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

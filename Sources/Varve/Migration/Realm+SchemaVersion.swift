public import Foundation
import VarveCore

extension Realm {
  /// Brings a file to the schema of a configuration, without a realm of it: what opening it does at first.
  ///
  /// A file that was not open is closed again. It is for synchronous code: it keeps its thread until the file is
  /// migrated. Asynchronous code gets the asynchronous form: `try await Realm.performMigration()`.
  ///
  /// - Parameter configuration: the configuration.
  /// - Throws: as ``init(configuration:)``.
  @available(
    *, noasync, message: "it blocks its thread; use 'try await' (in main.swift inside a function)"
  )
  public static func performMigration(
    for configuration: Configuration = .defaultConfiguration
  ) throws {
    _ = try Error.translating { try configuration.openStore(keeping: false) }
  }

  /// Brings a file to the schema of a configuration, on a thread of its own, while the task is suspended.
  ///
  /// A file that was not open is closed again.
  ///
  /// - Parameter configuration: the configuration.
  /// - Throws: as ``init(configuration:)``; `CancellationError` when the task is cancelled: a migration that runs then is
  ///   rolled back when its block returns.
  public static func performMigration(
    for configuration: Configuration = .defaultConfiguration
  ) async throws {
    _ = try await openStore(configuration, keeping: false)
  }
}

/// The schema version of a file, which is not opened and not changed. Nothing is made beside it either.
///
/// - Parameter fileURL: the file.
/// - Returns: the version; 0 for a file that never got one.
/// - Throws: `Realm.Error`: `.fileNotFound`, `.invalidDatabase`, `.corrupted`, `.unsupportedFileFormatVersion`.
public func schemaVersionAtURL(_ fileURL: URL) throws -> UInt64 {
  try Realm.Error.translating { try Store.schemaVersion(path: try fileURL.pathOfLocalFile()) }
}

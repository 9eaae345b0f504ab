public import Foundation
import VarveCore

extension Realm {
  /// Migrates a file to the schema of a configuration, without creating a realm.
  ///
  /// Opening a realm migrates the file in the same way. This method closes the file again, unless
  /// it was open before, and blocks the thread until the file is migrated. In asynchronous code,
  /// use `try await Realm.performMigration()`.
  ///
  /// - Parameter configuration: The configuration with the new schema.
  /// - Throws: The errors of ``init(configuration:)``.
  @available(
    *, noasync, message: "it blocks its thread; use 'try await' (in main.swift inside a function)"
  )
  public static func performMigration(
    for configuration: Configuration = .defaultConfiguration
  ) throws {
    _ = try Error.translating { try configuration.openStore(keeping: false) }
  }

  /// Migrates a file to the schema of a configuration on a dedicated thread, while the task is
  /// suspended.
  ///
  /// The file is closed again, unless it was open before.
  ///
  /// - Parameter configuration: The configuration with the new schema.
  /// - Throws: The errors of ``init(configuration:)``; `CancellationError` when the task is
  ///   cancelled. A running migration is then rolled back when its block returns.
  public static func performMigration(
    for configuration: Configuration = .defaultConfiguration
  ) async throws {
    _ = try await openStore(configuration, keeping: false)
  }
}

/// Returns the schema version of a file.
///
/// The file is not opened as a store, and no file is changed or created.
///
/// - Parameter fileURL: The URL of the file.
/// - Returns: The version; 0 for a file without a version.
/// - Throws: `Realm.Error`: `.invalidDatabase` for a file that does not exist or is not a store,
///   `.corrupted`, `.unsupportedFileFormatVersion`, `.filePermissionDenied`, `.fileAccess`.
public func schemaVersionAtURL(_ fileURL: URL) throws -> UInt64 {
  try Realm.Error.translating {
    let path = try fileURL.pathOfLocalFile()
    do throws(Failure) {
      return try Store.schemaVersion(path: path)
    } catch  where error.code == .fileNotFound {
      // The code that programs for the Realm SDK expect.
      throw Failure(.invalidDatabase, "The file does not exist.", path: path)
    }
  }
}

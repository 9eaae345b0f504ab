public import Foundation
import VarveCore

extension Realm {
  /// Brings a file to the schema of a configuration, without a realm of it: what opening it does at first.
  ///
  /// A file that was not open is closed again.
  ///
  /// - Parameter configuration: the configuration.
  /// - Throws: as ``init(configuration:)``.
  public static func performMigration(
    for configuration: Configuration = .defaultConfiguration
  ) throws {
    _ = try Error.translating { try configuration.openStore(keeping: false) }
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

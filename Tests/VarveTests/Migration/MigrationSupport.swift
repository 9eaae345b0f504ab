import Testing
import Varve
import VarveCore

/// Runs a test with a file that is opened with one model after another.
func withMigratedFile(_ body: (TemporaryRealm) throws -> Void) throws {
  let store = try TemporaryRealm { $0.isDynamic = true }
  defer { store.end() }
  try body(store)
}

extension TemporaryRealm {
  /// A configuration of the file with the given classes and schema version.
  func configuration(
    _ types: [ObjectBase.Type]?, _ version: UInt64, _ migrate: MigrationBlock? = nil
  ) -> Realm.Configuration {
    var configuration = configuration
    configuration.isDynamic = false
    configuration.objectTypes = types
    configuration.schemaVersion = version
    configuration.migrationBlock = migrate
    return configuration
  }

  /// Reopens the file, as a restarted program would, and runs a full check of it.
  func open(
    _ types: ObjectBase.Type..., version: UInt64, sourceLocation: SourceLocation = #_sourceLocation,
    migrate: MigrationBlock? = nil
  ) throws -> Realm {
    try Realm.close(configuration)
    do {
      let realm = try Realm(configuration: configuration(types, version, migrate))
      try check("in version \(version)", sourceLocation: sourceLocation)
      return realm
    } catch {
      try check("after \(error)", sourceLocation: sourceLocation)
      throw error
    }
  }

  /// The schema version of the file.
  func schemaVersion() throws -> UInt64 {
    try schemaVersionAtURL(configuration.fileURL ?? directory)
  }
}

import Synchronization
import VarveStorage

/// The schema version of the programs of the process.
extension StoreFile {
  /// Throws if another process has migrated the file to a newer version than that of this process's
  /// programs, which would read the old properties as missing, and overwrite them.
  func checkVersion(_ root: RootRecord) throws(Failure) {
    guard root.userSchemaVersion > knownVersion.load(ordering: .relaxed) else { return }
    throw versionTooLow(root.userSchemaVersion)
  }

  func versionTooLow(_ stored: UInt64) -> Failure {
    Failure(
      .schemaVersionTooLow, "The file has a newer schema version than the configuration.",
      value: "\(stored)", path: options.path)
  }
}

/// The schema version of a file that a process has claimed.
struct VersionClaim {
  var version: UInt64 = 0
  /// The number of openings that use the version, or are about to.
  var count = 0
}

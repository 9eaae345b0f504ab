import Synchronization
import VarveStorage

/// The schema version that programs of the process know.
extension StoreFile {
  /// Refuses a file that another process has migrated to a version which programs of this one do not know: they would
  /// read the old properties as missing, and overwrite them.
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

/// The schema version that a process knows of a file.
struct VersionClaim {
  var version: UInt64 = 0
  /// How many have opened the file with it, or are about to.
  var count = 0
}

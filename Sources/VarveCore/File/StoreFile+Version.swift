import Synchronization
import VarveStorage

/// The schema version of the programs of the process.
extension StoreFile {
  /// Throws if another process has migrated the file to a newer version than that of this process's
  /// programs, which would read the old properties as missing, and overwrite them.
  func checkVersion(_ root: RootRecord) throws(Failure) {
    let known = knownVersion.load(ordering: .relaxed)
    guard root.userSchemaVersion > known else { return }
    throw versionTooLow(known, stored: root.userSchemaVersion)
  }

  /// The error of a program whose schema version is less than that of the file.
  func versionTooLow(_ version: UInt64, stored: UInt64) -> Failure {
    Failure(
      .schemaVersionTooLow,
      "A newer release of the program has migrated the file; run that release, or a newer one.",
      value: "\(stored)", path: options.path,
      details: [
        "The file has the schema version \(stored), and the configuration \(version)."
      ])
  }
}

/// The schema version of a file that a process has claimed.
struct VersionClaim {
  var version: UInt64 = 0
  /// The number of openings that use the version, or are about to.
  var count = 0
}

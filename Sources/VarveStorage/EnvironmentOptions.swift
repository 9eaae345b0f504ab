/// What a commit waits for.
package enum Durability: Sendable, Hashable {
  /// The commit is on the disk when it returns.
  case full
  /// A power cut may lose the last commits, and never damages the file.
  case relaxed
  /// A power cut may leave nothing readable. For tests and caches.
  case none
}

/// How a store is opened.
///
/// Thread safety: a value.
package struct EnvironmentOptions: Sendable {
  /// The data file. For a store in memory, a name within the process.
  package var path: String
  package var isReadOnly = false
  package var durability = Durability.full
  /// The address space to reserve in bytes; nil is 16 GiB, or eight times the file when that is more.
  package var mapSize: Int?
  /// How many snapshots and transactions of all processes can exist at once. The first process decides.
  package var maximumReaders = 1024
  /// How many tables the file can have. Until it has 1024 of them, there is room for 2048 while it is open.
  package var maximumTables = 8192
  /// The permissions of new files.
  package var fileMode: UInt32 = 0o600
  /// Keeps the store in shared memory, in files without a name: they go with the store, or with the process.
  package var isInMemory = false
  /// How long opening waits for other processes that are opening the same file.
  package var openTimeout = Duration.seconds(30)

  /// The schema version that a new file gets, unless it is made of another one.
  package var schemaVersion: UInt64 = 0
  /// The data file that a new file is made of; it is read only when there is no file at `path`.
  package var seedPath: String?
  /// Asked before the file is opened, if nobody else has it open, with the bytes of the file and those in use:
  /// whether to write it anew without free pages.
  package var shouldCompact: (@Sendable (_ totalBytes: Int, _ usedBytes: Int) -> Bool)?
  /// Told when that failed: the file is then opened as it was.
  package var compactionFailed: (@Sendable (StorageError) -> Void)?
  /// Follows the writing of a compacted file, or the copy of a seed, and may stop the opening.
  package var copyObserver: CopyObserver?

  package init(path: String) {
    self.path = path
  }
}

/// The durability of a commit when it returns.
package enum Durability: Sendable, Hashable {
  /// The commit is on the disk.
  case full
  /// A power failure may make the file unreadable. For tests and caches.
  case none
}

/// The options for opening a store.
package struct EnvironmentOptions: Sendable {
  /// The path of the data file. For an in-memory store, a name within the process.
  package var path: String
  package var isReadOnly = false

  /// Whether the store is created if the file does not exist or is empty.
  package var createsFile = true
  package var durability = Durability.full
  /// The address space to reserve in bytes; nil means 16 GiB, or eight times the file size if that
  /// is more.
  package var mapSize: Int?
  /// The maximum number of snapshots and transactions of all processes. The first process decides.
  package var maximumReaders = 1024
  /// The maximum number of tables of the file. While the file has fewer than 1024, an open store
  /// has room for 2048.
  package var maximumTables = 8192
  /// The permissions of new files.
  package var fileMode: UInt32 = 0o600
  /// Whether to keep the store in shared memory, in unlinked files, which are freed with the store
  /// or the process.
  package var isInMemory = false
  /// The time to wait for other processes that are opening the same file.
  package var openTimeout = Duration.seconds(30)
  /// Whether to look for LMDB's word for the visible version. Tests set it to false, as if the
  /// system had no `/proc`.
  var findsVisibleVersion = true

  /// The schema version of a new file, unless it is created from a seed.
  package var schemaVersion: UInt64 = 0
  /// The seed: the data file that a new file is copied from. It is read only if there is no file at
  /// `path`.
  package var seedPath: String?
  /// A closure that is called before the file is opened, if no other process has it open, with the
  /// size of the file and the bytes in use. It returns whether to rewrite the file without free
  /// pages.
  package var shouldCompact: (@Sendable (_ totalBytes: Int, _ usedBytes: Int) -> Bool)?
  /// A closure that receives the error of a failed compaction. The file is then opened unchanged.
  package var compactionFailed: (@Sendable (StorageError) -> Void)?
  /// A closure that is called when the last commit of the file was not complete and has been taken
  /// back: the power had failed, or its process had ended.
  package var commitTakenBack: (@Sendable () -> Void)?
  /// Observes the writing of a compacted file, or the copy of a seed, and may stop the opening.
  package var workObserver: WorkObserver?

  package init(path: String) {
    self.path = path
  }
}

import VarveLocks

/// The files that this process has open.
///
/// LMDB's header warns: “Do not have open an LMDB database twice in the same process at the same
/// time.” The second close would clear all reader slots of the process and release its locks. A
/// file is therefore registered by device and inode, from before it is opened until LMDB has closed
/// it.
///
/// Thread safety: any thread; one file is opened at a time.
enum EnvironmentRegistry {
  private static let files = Lock(Files())

  private struct Files {
    var entries: [FileIdentity: EnvironmentEntry] = [:]
    /// LMDB's lock files, with the number of entries of each: an opening must not look at all files
    /// of a process that has many open.
    var lockFiles: [FileIdentity: Int] = [:]
    var trimming = HeapTrimming()
  }

  /// In-memory stores by name; they have no path.
  private static let named = Lock<[String: EnvironmentEntry]>([:])
  /// Held during a whole opening.
  private static let opening = Lock<Void>(())

  /// Runs one opening at a time.
  static func withOpening<Result: Sendable>(
    _ body: () throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try opening.withLock { (_) throws(StorageError) -> Result in try body() }
  }

  /// Returns the entry of a file that is open, or not closed yet.
  static func entry(of identity: FileIdentity) -> EnvironmentEntry? {
    files.withLock { $0.entries[identity] }
  }

  /// Returns the entry of an in-memory store that is open, or not closed yet.
  static func entry(inMemory name: String) -> EnvironmentEntry? { named.withLock { $0[name] } }

  /// Registers an in-memory store as open.
  static func register(_ entry: EnvironmentEntry, inMemory name: String) {
    entry.name = name
    named.withLock { $0[name] = entry }
  }

  /// Whether LMDB has a lock file open in this process. Opening and closing it would release LMDB's
  /// locks.
  static func isLockFileOpen(_ identity: FileIdentity?) -> Bool {
    guard let identity else { return false }
    return files.withLock { $0.lockFiles[identity] != nil }
  }

  /// Registers a file as open.
  static func register(_ entry: EnvironmentEntry) {
    files.withLock { files in
      files.entries[entry.file] = entry
      files.lockFiles[entry.lockFile, default: 0] += 1
      files.trimming.noteOpened()
    }
  }

  /// Removes the entry of a file that LMDB has closed: the file may be opened again.
  static func remove(_ entry: EnvironmentEntry) {
    files.withLock { files in
      if files.entries[entry.file] === entry { files.entries[entry.file] = nil }
      let count = files.lockFiles[entry.lockFile] ?? 0
      files.lockFiles[entry.lockFile] = count > 1 ? count - 1 : nil
      // The tables of many files are not kept for a few.
      if files.entries.isEmpty { files.entries = [:] }
      if files.lockFiles.isEmpty { files.lockFiles = [:] }
      files.trimming.noteClosed()
    }
    if let name = entry.name {
      named.withLock { if $0[name] === entry { $0[name] = nil } }
    }
  }

  /// Whether the heap is to be trimmed. It counts as trimmed then.
  static func takeTrimming() -> Bool { files.withLock { $0.trimming.take() } }
}

/// The registry entry of one open file. It outlives the environment until LMDB has closed the file.
///
/// Thread safety: any thread.
final class EnvironmentEntry: Sendable {
  private struct Content {
    weak var environment: Environment?
    var name: String?
  }

  private let content = Lock(Content())
  /// The data file.
  let file: FileIdentity
  let lockFile: FileIdentity

  init(file: FileIdentity, lockFile: FileIdentity) {
    self.file = file
    self.lockFile = lockFile
  }

  var environment: Environment? { content.withLock { $0.environment } }

  /// The name of an in-memory store.
  var name: String? {
    get { content.withLock { $0.name } }
    set { content.withLock { $0.name = newValue } }
  }

  func fill(_ environment: Environment) {
    content.withLock { $0.environment = environment }
  }
}

import CVarve
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
  private static let entries = Lock(Entries())

  private struct Entries {
    var all: [FileIdentity: EnvironmentEntry] = [:]
    /// The number of entries at which those of closed files are removed: an opening must not look
    /// at all files of a process that has many open.
    var limit = 16
    /// The number of stores that were closed since the heap was trimmed.
    var closedCount = 0
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
    entries.withLock { entries in
      guard let entry = entries.all[identity] else { return nil }
      if !entry.isFree { return entry }
      entries.all[identity] = nil
      return nil
    }
  }

  /// Returns the entry of an in-memory store that is open, or not closed yet.
  static func entry(inMemory name: String) -> EnvironmentEntry? {
    named.withLock { all in
      all = all.filter { !$0.value.isFree }
      return all[name]
    }
  }

  /// Registers an in-memory store as open.
  static func register(_ entry: EnvironmentEntry, inMemory name: String) {
    named.withLock { $0[name] = entry }
  }

  /// Whether LMDB has a lock file open in this process. Opening and closing it would release LMDB's
  /// locks.
  static func isLockFileOpen(_ identity: FileIdentity?) -> Bool {
    guard let identity else { return false }
    return entries.withLock { entries in
      entries.all.values.contains { !$0.isFree && $0.lockFile == identity }
    }
  }

  /// Registers a file as open.
  static func register(_ entry: EnvironmentEntry, _ identity: FileIdentity) {
    entries.withLock { entries in
      entries.all[identity] = entry
      guard entries.all.count >= entries.limit else { return }
      entries.all = entries.all.filter { !$0.value.isFree }
      entries.limit = max(16, 2 * entries.all.count)
    }
  }

  /// Records that a store was closed, and gives the heap memory of many closed stores back to the
  /// kernel when the process has none open any more: the blocks of LMDB lie between others.
  static func noteClosed() {
    let mayTrim = entries.withLock { entries in
      entries.closedCount += 1
      guard entries.closedCount >= 64, entries.all.values.allSatisfy(\.isFree) else { return false }
      entries.closedCount = 0
      return true
    }
    if mayTrim { varve_trim_heap() }
  }
}

/// The registry entry of one open file. It outlives the environment until LMDB has closed the file.
///
/// Thread safety: any thread.
final class EnvironmentEntry: Sendable {
  private struct Content {
    weak var environment: Environment?
    var isFree = false
  }

  private let content = Lock(Content())
  let lockFile: FileIdentity

  init(lockFile: FileIdentity) { self.lockFile = lockFile }

  var environment: Environment? { content.withLock { $0.environment } }

  /// Whether the file may be opened again.
  var isFree: Bool { content.withLock { $0.isFree } }

  func fill(_ environment: Environment) {
    content.withLock { $0.environment = environment }
  }

  func free() {
    content.withLock { $0.isFree = true }
  }
}

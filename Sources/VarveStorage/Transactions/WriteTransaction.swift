import CVarve
import Glibc
import VarveLocks

/// A transaction that changes the store. Only one runs at a time across all processes.
///
/// After an error of the engine (`failure`) every change throws it, and reads return the state
/// before the transaction; it can only be rolled back.
///
/// Thread safety: one thread at a time, any thread; it ends on the thread that began it. Processes:
/// holds the write lock of the store from its begin until the new version is pinned.
package final class WriteTransaction: TableReader, @unchecked Sendable {
  // Safe because only one thread uses a transaction at a time: the store passes it from thread to
  // thread through a lock or a queue.

  package let environment: Environment
  /// The newest version when the transaction began.
  package let base: Snapshot
  /// The first error of the engine.
  @exclusivity(unchecked) package private(set) var failure: StorageError? {
    didSet { failureFlag = failure != nil }
  }
  @exclusivity(unchecked) private var failureFlag = false
  /// Whether there is a failure; cheaper than reading `failure`.
  package var hasFailed: Bool { failureFlag }
  /// Whether the transaction is over.
  @exclusivity(unchecked) package private(set) var isEnded = false
  /// Whether anything was put, deleted or created.
  @exclusivity(unchecked) package internal(set) var isChanged = false

  /// The record that the commit writes, with the next version.
  package var root: RootRecord {
    get { rootRecord }
    set {
      if newValue != rootRecord { isRootChanged = true }
      rootRecord = newValue
    }
  }
  @exclusivity(unchecked) private(set) var rootRecord: RootRecord

  /// Takes the next object id from `root`.
  package func takeObjectID() -> UInt64 {
    let id = rootRecord.nextObjectID
    rootRecord.nextObjectID = id + 1
    isRootChanged = true
    return id
  }

  /// Whether the commit has to write the record even if nothing else has changed.
  var isRootChanged = false
  /// The innermost LMDB transaction.
  @exclusivity(unchecked) var current: EngineTransaction
  /// The enclosing transactions, the outermost first.
  @exclusivity(unchecked) var outer: [EngineTransaction] = []
  /// The state that a rollback of a nested transaction restores.
  var savepoints: [Savepoint] = []
  /// The handles by table index; 0 for none. 0 is LMDB's own free list.
  @exclusivity(unchecked) var handles: [EngineTable]
  /// The handles that this transaction has opened, which its commit publishes.
  var opened: [(Table, EngineTable)] = []
  @exclusivity(unchecked) var cursors: [Unmanaged<EngineCursor>] = []
  /// The state of the tables that this transaction changes, by table index. The others read as in
  /// `base`.
  @exclusivity(unchecked) var changed: [ChangedTable] = []
  /// The number of tables with an append cursor.
  @exclusivity(unchecked) var appendCursorCount = 0
  /// Checks the pages that LMDB touches; nil when all pages have been checked.
  @exclusivity(unchecked) var paths: PathCheck?
  private let thread: pthread_t
  /// Checks that memory returned by LMDB is inside its pages; nil if the location of the pages is
  /// unknown.
  let room: EngineRoom?

  struct Savepoint {
    let root: RootRecord
    let isRootChanged: Bool
    let isChanged: Bool
  }

  init(
    environment: Environment, base: Snapshot, engine: EngineTransaction, room: EngineRoom?,
    handles: [EngineTable]
  ) {
    self.room = room
    self.environment = environment
    self.base = base
    self.rootRecord = base.root
    self.current = engine
    self.thread = pthread_self()
    self.handles = handles
    self.paths = environment.checkedPages.withLock { $0 }.map { PathCheck(base, $0) }
  }

  deinit {
    if !isEnded { abort() }
  }

  /// Changes the record without marking it as changed: the change is committed only together with
  /// another one.
  package func prepareRoot(_ change: (inout RootRecord) -> Void) {
    change(&rootRecord)
  }

  /// The time that the begin waited for the write lock; nil when it was free.
  @exclusivity(unchecked) package internal(set) var wait: WriteLockWait?

  /// Throws after an error, or after the end.
  @inline(__always)
  func checkUsable() throws(StorageError) {
    if _slowPath(hasFailed), let failure { throw failure }
    if isEnded || varve_is_forked() != 0 { throw unusableError() }
  }

  private func unusableError() -> StorageError {
    varve_is_forked() != 0
      ? StorageError(.forked, "The process is a fork.", path: environment.path)
      : StorageError(.badTransaction, "The transaction is over.", path: environment.path)
  }

  /// Records the first error of the engine.
  @discardableResult
  func recordFailure(_ status: Engine.Status) -> StorageError {
    if let failure { return failure }
    let error = environment.error(status, "A write failed.")
    failure = error
    if status == Engine.mapFull { environment.state.withLock { $0.mustGrow = true } }
    return error
  }

  /// Records the error of a check of pages. If it is a damaged page, which LMDB must not touch, the
  /// file is not written any more.
  @discardableResult
  func recordFailure(ofCheck error: StorageError) -> StorageError {
    if let failure { return failure }
    failure = error
    if error.code == .corrupted { environment.refuseWrites(error) }
    return error
  }

  /// Whether the calling thread is the one that began the transaction.
  var isOnOwnThread: Bool { pthread_equal(thread, pthread_self()) != 0 }

  /// Closes the cursors, which must not outlive a change of nesting.
  func invalidateCursors() {
    let all = cursors
    cursors = []
    closeAppendCursors()
    for cursor in all { cursor.takeUnretainedValue().invalidate() }
  }

  /// Removes a cursor from the list when it closes itself.
  func forget(_ cursor: EngineCursor) {
    let pointer = Unmanaged.passUnretained(cursor).toOpaque()
    cursors.removeAll { $0.toOpaque() == pointer }
  }

  func markEnded() { isEnded = true }
}

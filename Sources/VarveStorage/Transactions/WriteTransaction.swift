import CVarve
import Glibc

/// A transaction that changes the store. All processes together have one at a time.
///
/// After an error of the engine (`failure`) every change throws it, and reads give the state before the
/// transaction; it can only be aborted.
///
/// Thread safety: one thread at a time, any thread; it ends on the thread that began it.
/// Processes: holds the write lock of the store from its begin until the new version is pinned.
package final class WriteTransaction: TableReader, @unchecked Sendable {
  // Safe because the users of a transaction take turns: the store hands it from thread to thread with a
  // lock or a queue between.

  package let environment: Environment
  /// The newest version when the transaction began.
  package let base: Snapshot
  /// The first error of the engine.
  @exclusivity(unchecked) package private(set) var failure: StorageError? {
    didSet { failureFlag = failure != nil }
  }
  @exclusivity(unchecked) private var failureFlag = false
  /// Whether there is a failure; the question is cheaper than the answer.
  package var hasFailed: Bool { failureFlag }
  /// Whether the transaction is over.
  @exclusivity(unchecked) package private(set) var isEnded = false
  /// Whether anything was put, deleted or made.
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

  /// Takes the next object id out of `root`.
  package func takeObjectID() -> UInt64 {
    let id = rootRecord.nextObjectID
    rootRecord.nextObjectID = id + 1
    isRootChanged = true
    return id
  }

  /// Whether the commit has to write the record even if nothing else has changed.
  var isRootChanged = false
  /// The innermost transaction of LMDB.
  @exclusivity(unchecked) var current: EngineTransaction
  /// Those around it, the outermost first.
  @exclusivity(unchecked) var outer: [EngineTransaction] = []
  /// What a nested transaction that is rolled back restores.
  var marks: [Mark] = []
  /// Handles by index of the table; 0 where there is none. 0 is LMDB's own free list.
  @exclusivity(unchecked) var handles: [EngineTable]
  /// What this transaction has opened, to become known with its commit.
  var opened: [(Table, EngineTable)] = []
  @exclusivity(unchecked) var cursors: [Unmanaged<EngineCursor>] = []
  /// What is known of the tables that this transaction changes, by index of the table. The others read as in `base`.
  @exclusivity(unchecked) var changed: [ChangedTable] = []
  /// How many of them have a cursor at their ends.
  @exclusivity(unchecked) var appendCursorCount = 0
  private let thread: pthread_t
  /// Tells whether LMDB hands out what lies in its pages; nil where nothing is known of them.
  let room: EngineRoom?

  struct Mark {
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
  }

  deinit {
    if !isEnded { abort() }
  }

  /// Changes the record without giving the commit a reason: the change is kept if there is another one.
  package func prepareRoot(_ change: (inout RootRecord) -> Void) {
    change(&rootRecord)
  }

  /// How long the begin waited for the write lock; nil when it was free.
  @exclusivity(unchecked) package internal(set) var wait: WriteLockWait?

  /// Refuses to go on after an error, or after the end.
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

  /// Remembers the first error of the engine.
  @discardableResult
  func recordFailure(_ status: Engine.Status) -> StorageError {
    if let failure { return failure }
    let error = environment.error(status, "A write failed.")
    failure = error
    if status == Engine.mapFull { environment.state.withLock { $0.mustGrow = true } }
    return error
  }

  /// Whether the calling thread is the one that began the transaction.
  var isOnOwnThread: Bool { pthread_equal(thread, pthread_self()) != 0 }

  /// Closes what must not outlive a change of nesting.
  func invalidateCursors() {
    let all = cursors
    cursors = []
    closeAppendCursors()
    for cursor in all { cursor.takeUnretainedValue().invalidate() }
  }

  /// Takes a cursor off the list that is closing itself.
  func forget(_ cursor: EngineCursor) {
    let pointer = Unmanaged.passUnretained(cursor).toOpaque()
    cursors.removeAll { $0.toOpaque() == pointer }
  }

  func markEnded() { isEnded = true }
}

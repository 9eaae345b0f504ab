import CVarve
import Glibc
public import Synchronization

/// One store, opened: the data file, LMDB's environment on it, and what the process shares of it.
///
/// A file is opened once a process: opening it again gives the same object, which counts how often. After
/// as many calls of `close` no new work begins, and the files are let go when the last snapshot ends; so
/// what is frozen outlives the close. Opening the file before that brings the environment back to work.
///
/// Thread safety: any thread.
/// Processes: any number may have the file open, all may write.
@usableFromInline
package final class Environment: Sendable {
  /// The data file. That of a store in memory, and of a private copy, has lost this name.
  package let path: String
  package let options: EnvironmentOptions
  package var isReadOnly: Bool { options.isReadOnly }
  /// Whether this is a copy made because the file could not be locked. It never changes.
  package let isPrivateCopy: Bool
  /// The 16 bytes that key the file's hashes.
  package let fileKey: RandomIdentity
  package let identity: FileIdentity
  package let pageSize: Int
  /// Tells when anybody commits.
  package let commitSignal: CommitSignal
  /// The longest key that a table takes, in bytes.
  package let maximumKeySize: Int

  let engine: Engine
  let mainTable: EngineTable
  let lockPath: String
  let lockFileIdentity: FileIdentity?
  /// nil where LMDB's lock file is not laid out as known: a read transaction, `probe`, then tells the same.
  let visibleVersion: VisibleVersion?
  let signalPage: SignalPage?
  let slot: EnvironmentSlot

  /// The newest snapshot that anybody asked for. Swapped under `state` only.
  let latest = HazardPointer(nil)
  let state: Lock<State>
  /// A read transaction that gives the id of the newest visible version where `visibleVersion` is nil. It is replaced
  /// under `state`, and LMDB's map is not resized under its lock.
  let probe = Lock<EngineTransaction?>(nil)
  /// The first damage met.
  let damage = Lock<StorageError?>(nil)
  /// Whether `damage` holds something.
  @usableFromInline let damageFlag = Atomic<Bool>(false)
  /// Whether the pages have been looked at that LMDB trusts when it writes.
  let isChecked = Atomic<Bool>(false)
  /// What that look has found. Writes are refused then, and reads go on.
  let writeRefusal = Lock<StorageError?>(nil)
  /// Whether LMDB could not finish a commit and refuses to go on.
  let isPanicked = Atomic<Bool>(false)
  /// The thread that is in a write transaction, as a number; 0 for none.
  private let writingThreadBits = Atomic<UInt>(0)
  var writingThread: UInt { writingThreadBits.load(ordering: .relaxed) }
  func setWritingThread(_ thread: UInt) { writingThreadBits.store(thread, ordering: .relaxed) }
  /// Where writes run that nobody's thread waits for.
  package let writer = WriterThread()

  /// What `state` guards. LMDB's calls that begin a transaction or change the map are made under it too:
  /// the map must not move while a transaction begins. The probe begins under its own lock, and the map changes under
  /// both.
  struct State {
    var mapping: ReadMapping?
    /// The mappings from before the map grew, as long as snapshots hold them.
    var olderMappings: [WeakMapping] = []
    var mapSize: Int
    /// Read transactions that were reset: renewing one is cheaper than a new one.
    var idle: [EngineTransaction] = []
    /// A read transaction put aside by a running write, to pin what it commits.
    var reserve: EngineTransaction?
    /// How many snapshots live.
    var snapshotCount = 0
    var openCount = 1
    var isClosed = false
    var isTornDown = false
    /// From just before LMDB's begin of a write transaction of this process to its end.
    var isWriting = false
    /// How many threads wait for the write lock, or hold it: its page must not go, nor be made anew, under them.
    var lockUserCount = 0
    var copyCount = 0
    /// Where LMDB's map lies; nil until a write looks for it.
    var room: EngineRoom?
    /// The last transaction filled the map.
    var mustGrow = false
    /// The handles that are known to the whole process, by index of the table; 0 where there is none (0 is
    /// LMDB's free list).
    var handles: [EngineTable]
    var lastReaderCheck: ContinuousClock.Instant?
  }

  /// A mapping that is held elsewhere, or gone.
  struct WeakMapping {
    weak var mapping: ReadMapping?
  }

  init(
    path: String, options: EnvironmentOptions, isPrivateCopy: Bool, fileKey: RandomIdentity,
    identity: FileIdentity, pageSize: Int, commitSignal: CommitSignal, engine: Engine,
    mainTable: EngineTable, handles: [(Table, EngineTable)], mapping: ReadMapping,
    lockFileIdentity: FileIdentity?, visibleVersion: VisibleVersion?, signalPage: SignalPage?,
    slot: EnvironmentSlot
  ) {
    self.path = path
    self.options = options
    self.isPrivateCopy = isPrivateCopy
    self.fileKey = fileKey
    self.identity = identity
    self.pageSize = pageSize
    self.commitSignal = commitSignal
    self.engine = engine
    self.mainTable = mainTable
    maximumKeySize = engine.maximumKeySize
    lockPath = path + "-lock"
    self.lockFileIdentity = lockFileIdentity
    self.visibleVersion = visibleVersion
    self.signalPage = signalPage
    self.slot = slot
    state = Lock(State(mapping: mapping, mapSize: mapping.byteCount, handles: []))
    publish([(.main, mainTable)] + handles)
  }

  deinit {
    // Reached without `close` only when no snapshot was ever made: `latest` holds one, and it this.
    endUse(isDropped: true) { _ in }
  }

  /// Refuses what must not touch LMDB any more.
  @inline(__always)
  func checkUsable() throws(StorageError) {
    if varve_is_forked() != 0 { throw forkedError }
    if isPanicked.load(ordering: .relaxed) { throw panickedError }
  }

  private var forkedError: StorageError {
    StorageError(.forked, "The process is a fork of the one that opened the store.", path: path)
  }

  private var panickedError: StorageError {
    StorageError(
      .panicked, "A commit could not be finished; close the store and open it again.",
      path: path, lmdbCode: Engine.panic)
  }

  /// Notes the first damage met. Writes are refused from then on.
  package func markDamaged(_ error: StorageError) {
    // What a fork finds in place of the file tells nothing of it.
    if ProcessFork.isChild { return }
    damage.withLock { if $0 == nil { $0 = error } }
    damageFlag.store(true, ordering: .releasing)
  }

  /// Whether damage was met since the store was opened. One load.
  @inlinable @inline(__always)
  package var isDamaged: Bool { damageFlag.load(ordering: .acquiring) }

  /// The first damage met since the store was opened, if any.
  package var damageError: StorageError? { isDamaged ? damage.withLock { $0 } : nil }

  /// Turns a result of LMDB into an error, and remembers what concerns later calls.
  func error(_ status: Engine.Status, _ detail: StaticString) -> StorageError {
    let error = StorageError.engine(status, path: path, detail)
    switch error.code {
    case .panicked: isPanicked.store(true, ordering: .relaxed)
    case .corrupted: markDamaged(error)
    default: break
    }
    return error
  }

  /// How many snapshots live, the one that the environment keeps included.
  package var liveSnapshotCount: Int { state.withLock { $0.snapshotCount } }

  /// The address space reserved for the file.
  package var mapSize: Int { state.withLock { $0.mapSize } }

  /// Whether the files have been let go.
  package var isTornDown: Bool { state.withLock { $0.isTornDown } }
}

import CVarve
import Glibc
public import Synchronization
import VarveLocks

/// An open store: the data file, LMDB's environment, and the state that the process shares.
///
/// A file is opened once per process: opening it again returns the same object, which counts its
/// openings. After the same number of calls of `close` no new work begins, and the files are closed
/// when the last snapshot ends, so that frozen values outlive the close. If the file is opened
/// again before that, the environment is reactivated.
///
/// Thread safety: any thread. Processes: any number may have the file open, and all may write.
@usableFromInline
package final class Environment: Sendable {
  /// The path of the data file. The file of an in-memory store, or of a private copy, has been
  /// unlinked.
  package let path: String
  package let options: EnvironmentOptions
  package var isReadOnly: Bool { options.isReadOnly }
  /// Whether this is a copy made because the file could not be locked. It never changes.
  package let isPrivateCopy: Bool
  /// The 16-byte key of the file's hashes.
  package let fileKey: RandomIdentity
  package let identity: FileIdentity
  package let pageSize: Int
  /// Signals every commit of any process.
  package let commitSignal: CommitSignal
  /// The maximum length of a key, in bytes.
  package let maximumKeySize: Int

  let engine: Engine
  /// nil if LMDB's structures are not known.
  let engineMemory: EngineMemory?
  let mainTable: EngineTable
  /// LMDB's lock file; nil if it has no name, or belongs to a copy of this process.
  let lockFile: NamedFile?
  /// nil without a signal page, and if the files have no names.
  let signalFile: NamedFile?
  /// nil if the layout of LMDB's lock file is unknown: a read transaction, `probe`, then provides
  /// the version.
  let visibleVersion: VisibleVersion?
  let signalPage: SignalPage?
  let registryEntry: EnvironmentEntry

  /// The newest snapshot that was requested. Swapped under `state` only.
  let latest = HazardPointer(nil)
  let state: Lock<State>
  /// A read transaction that provides the id of the newest visible version if `visibleVersion` is
  /// nil. It is replaced under `state`, and LMDB's map is not resized under its lock.
  let probe = Lock<EngineTransaction?>(nil)
  /// The first damage found.
  let damage = Lock<StorageError?>(nil)
  /// Whether `damage` is not nil.
  @usableFromInline let damageFlag = Atomic<Bool>(false)
  /// Whether the pages that LMDB trusts when it writes have been checked.
  let isChecked = Atomic<Bool>(false)
  /// The pages that have been checked, if not all are: LMDB may then touch only these in a write.
  /// The set belongs to the holder of the write lock.
  let checkedPages = Lock<CheckedPages?>(nil)
  /// The damage that the checks have found. Writes are then rejected, and reads continue.
  let writeRefusal = Lock<StorageError?>(nil)
  /// Whether LMDB could not finish a commit and rejects further transactions.
  let isPanicked = Atomic<Bool>(false)
  /// The thread that is in a write transaction, as a number; 0 for none.
  private let writingThreadBits = Atomic<UInt>(0)
  var writingThread: UInt { writingThreadBits.load(ordering: .relaxed) }
  func setWritingThread(_ thread: UInt) { writingThreadBits.store(thread, ordering: .relaxed) }
  /// The thread that runs asynchronous writes.
  package let writer = WriterThread()

  /// The state guarded by the lock `state`. LMDB calls that begin a transaction or change the map
  /// are made under it too, because the map must not move while a transaction begins. The probe
  /// begins under its own lock, and the map changes under both.
  struct State {
    var mapping: ReadMapping?
    /// The mappings from before the map grew, as long as snapshots retain them.
    var olderMappings: [WeakMapping] = []
    var mapSize: Int
    /// Read transactions that were reset: renewing one is cheaper than creating one.
    var idle: [EngineTransaction] = []
    /// A read transaction reserved by a running write, to pin the version that it commits.
    var reserve: EngineTransaction?
    /// The number of live snapshots.
    var snapshotCount = 0
    var openCount = 1
    var isClosed = false
    var isTornDown = false
    /// True from just before LMDB begins a write transaction of this process until it ends.
    var isWriting = false
    /// The number of threads that wait for the write lock or own it. Its page must be neither
    /// unmapped nor recreated under them.
    var lockUserCount = 0
    var copyCount = 0
    /// The address range of LMDB's map; nil until a write looks it up.
    var room: EngineRoom?
    /// Whether the last transaction filled the map.
    var mustGrow = false
    /// The table handles known to the whole process, by table index; 0 for none (0 is LMDB's free
    /// list).
    var handles: [EngineTable]
    var lastReaderCheck: ContinuousClock.Instant?
  }

  /// A mapping that is retained elsewhere, or already released.
  struct WeakMapping {
    weak var mapping: ReadMapping?
  }

  init(
    path: String, options: EnvironmentOptions, isPrivateCopy: Bool, fileKey: RandomIdentity,
    identity: FileIdentity, pageSize: Int, commitSignal: CommitSignal, engine: Engine,
    engineMemory: EngineMemory?, mainTable: EngineTable, handles: [(Table, EngineTable)],
    mapping: ReadMapping, lockFileIdentity: FileIdentity?, visibleVersion: VisibleVersion?,
    signalPage: SignalPage?, registryEntry: EnvironmentEntry
  ) {
    self.path = path
    self.options = options
    self.isPrivateCopy = isPrivateCopy
    self.fileKey = fileKey
    self.identity = identity
    self.pageSize = pageSize
    self.commitSignal = commitSignal
    self.engine = engine
    self.engineMemory = engineMemory
    self.mainTable = mainTable
    maximumKeySize = engine.maximumKeySize
    lockFile =
      options.isInMemory ? nil : lockFileIdentity.map { NamedFile(path: path + "-lock", $0) }
    signalFile =
      options.isInMemory
      ? nil : signalPage.map { NamedFile(path: $0.path, $0.identity) }
    self.visibleVersion = visibleVersion
    self.signalPage = signalPage
    self.registryEntry = registryEntry
    state = Lock(State(mapping: mapping, mapSize: mapping.byteCount, handles: []))
    publish([(.main, mainTable)] + handles)
  }

  deinit {
    // Reached without `close` only when no snapshot was ever created: `latest` owns one, which owns
    // this.
    endUse(isDropped: true) { _ in }
  }

  /// Throws if LMDB must not be called any more.
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

  /// Records the first damage found. Writes are rejected from then on.
  package func markDamaged(_ error: StorageError) {
    // The zeros that replace the file in a fork are not damage.
    if ProcessFork.isChild { return }
    damage.withLock { if $0 == nil { $0 = error } }
    damageFlag.store(true, ordering: .releasing)
  }

  /// Whether damage was found since the store was opened. One load.
  @inlinable @inline(__always)
  package var isDamaged: Bool { damageFlag.load(ordering: .acquiring) }

  /// The first damage found since the store was opened, if any.
  package var damageError: StorageError? { isDamaged ? damage.withLock { $0 } : nil }

  /// Converts an LMDB result code to an error, and records the conditions that affect later calls.
  func error(_ status: Engine.Status, _ detail: StaticString) -> StorageError {
    let error = StorageError.engine(status, path: path, detail)
    switch error.code {
    case .panicked: isPanicked.store(true, ordering: .relaxed)
    case .corrupted: markDamaged(error)
    default: break
    }
    return error
  }

  /// The number of live snapshots, including the cached one.
  package var liveSnapshotCount: Int { state.withLock { $0.snapshotCount } }

  /// The address space reserved for the file.
  package var mapSize: Int { state.withLock { $0.mapSize } }

  /// Whether ``open(_:)`` has returned this environment more than once since it was closed.
  package var isOpenedAgain: Bool { state.withLock { $0.openCount > 1 } }

  /// Whether the files have been closed.
  package var isTornDown: Bool { state.withLock { $0.isTornDown } }
}

import CVarve
import Glibc
import Synchronization

/// The page that the processes of one store share: the commit signal, the write lock, and the state
/// that must outlive a process.
///
/// The layout is drawn in `Docs/Format.md`, “Signal page”. The page is initialized again whenever
/// no process uses it. Locks on bytes of the file show the users; see ``SignalFile``.
///
/// Thread safety: any thread; the words are atomic. Processes: shared by all that have the store
/// open for writing or may write the file.
final class SignalPage: Sendable {
  static let byteCount = 4096
  static let magic: UInt32 = 0x4749_5356  // "VSIG"
  static let layoutVersion: UInt32 = 3

  enum Offset {
    static let magic = 0
    static let layoutVersion = 4
    static let mutexSize = 8
    static let isReady = 12
    static let bootIdentity = 16
    static let dataDevice = 32
    static let dataInode = 40
    static let incarnation = 48
    static let counter = 64
    static let mayLoseCommits = 72
    static let needsRenewal = 76
    static let lockDevice = 80
    static let lockInode = 88
    static let openerPid = 96
    static let isChecked = 100
    static let durableID = 104
    static let failedID = 112
    static let needsCheck = 120
    static let isBeingWritten = 124
    static let word = 128
    static let ownerPid = 192
    static let ownerSince = 200
    static let mutex = 256
    static let commits = 1024
  }

  let file: SignalFile
  var path: String { file.path }
  /// The path of the data file, by which callers know the store.
  var dataPath: String { file.dataPath }
  var identity: FileIdentity { file.identity }
  var base: UnsafeMutableRawPointer { file.base }
  /// This process. A child created by `fork` writes nothing here.
  let processID = getpid()
  /// Whether no other process used the page when it was opened.
  let isFirstUser: Bool
  /// The thread of this process that holds the write lock, as a number; 0 for none. Thread ids are
  /// unique within a PID namespace only, so the lock itself cannot identify its owner.
  let lockedBy = Atomic<UInt>(0)
  /// The number of threads of this process that wait for the write lock.
  let waitingThreads = Atomic<Int>(0)

  /// Becomes a user of the page; the first user initializes it.
  ///
  /// - Parameters:
  ///   - file: The signal file, with the opening lock held.
  ///   - dataFile: The data file that belongs to it.
  ///   - lockFile: LMDB's lock file that belongs to it; nil matches any.
  /// - Throws: `dataFileReplaced` or `lockFileReplaced` when the other users have another file
  ///   open, `unsupportedLibrary` when they use another C library, `corrupted`, or a system error.
  ///   This process is not a user then.
  init(
    _ file: SignalFile, dataFile: FileIdentity, lockFile: FileIdentity?
  ) throws(StorageError) {
    self.file = file
    isFirstUser = try file.lock(.use, isExclusive: true)
    do throws(StorageError) {
      if isFirstUser {
        try Self.initialize(file.base, path: file.path, dataFile: dataFile, lockFile: lockFile)
      }
      // From exclusive to shared atomically, or shared with the other users.
      guard try file.lock(.use, isExclusive: false) else {
        throw StorageError(.busy, "Another process is opening the store.", path: file.dataPath)
      }
      try check(dataFile: dataFile, lockFile: lockFile)
    } catch {
      file.unlock(.use)
      throw error
    }
  }

  /// Returns whether processes use the page of a file. Call it with the opening lock held.
  static func isInUse(_ file: SignalFile) throws(StorageError) -> Bool {
    try file.isLockedByOthers(.use)
  }

  /// Releases the opening lock.
  func endOpening() { file.endOpening() }

  /// Stops being a user of the page. Threads still waiting on its word retain the memory.
  func leave() {
    noteCleanEnd()
    file.unlock(.ordered)
    file.unlock(.unordered)
    file.unlock(.use)
  }

  /// Rejects a page in use that does not match the files.
  private func check(
    dataFile: FileIdentity, lockFile: FileIdentity?
  ) throws(StorageError) {
    let damage = StorageError(.corrupted, "The signal page in use is damaged.", path: path)
    guard varve_load32(base + Offset.magic) == Self.magic else { throw damage }
    guard varve_load32(base + Offset.layoutVersion) == Self.layoutVersion else {
      throw StorageError(
        .newerFormat, "A process with another version of Varve uses the store.", path: path)
    }
    guard varve_load32(base + Offset.isReady) == 1 else { throw damage }
    guard varve_load32(base + Offset.mutexSize) == varve_shared_mutex_size() else {
      throw StorageError(
        .unsupportedLibrary, "A process with another C library uses the store.", path: path)
    }
    guard varve_load64(base + Offset.dataDevice) == dataFile.device,
      varve_load64(base + Offset.dataInode) == dataFile.inode
    else { throw Self.anotherDataFile(dataPath) }
    guard let lockFile else { return }
    guard varve_load64(base + Offset.lockDevice) == lockFile.device,
      varve_load64(base + Offset.lockInode) == lockFile.inode
    else {
      throw StorageError(
        .lockFileReplaced,
        "The lock file was replaced while other processes have the store open; close it in all of them.",
        path: dataPath)
    }
  }

  static func anotherDataFile(_ path: String) -> StorageError {
    StorageError(
      .dataFileReplaced, "Other processes use another data file under this name.", path: path)
  }

  /// Initializes the page, and determines whether the history of the file may have been broken.
  private static func initialize(
    _ page: UnsafeMutableRawPointer, path: String, dataFile: FileIdentity, lockFile: FileIdentity?
  ) throws(StorageError) {
    let boot = BootIdentity.current
    let isKnown =
      varve_load32(page + Offset.magic) == magic
      && varve_load32(page + Offset.layoutVersion) == layoutVersion
      && varve_load64(page + Offset.dataDevice) == dataFile.device
      && varve_load64(page + Offset.dataInode) == dataFile.inode
    let isSameBoot =
      varve_load64(page + Offset.bootIdentity) == boot.first
      && varve_load64(page + Offset.bootIdentity + 8) == boot.second
    let mayLose = isKnown && varve_load32(page + Offset.mayLoseCommits) != 0
    let mustRenew = isKnown && varve_load32(page + Offset.needsRenewal) != 0
    if !isKnown {
      // A zero incarnation means that there is no record to compare the file with.
      varve_store64(page + Offset.incarnation, 0)
      varve_store64(page + Offset.incarnation + 8, 0)
      varve_store64(page + Offset.counter, 0)
    }
    noteHistory(page, isKnown: isKnown, isSameBoot: isSameBoot, mayLoseCommits: mayLose)
    varve_store32(page + Offset.isReady, 0)
    varve_store32(page + Offset.magic, magic)
    varve_store32(page + Offset.layoutVersion, layoutVersion)
    varve_store32(page + Offset.mutexSize, varve_shared_mutex_size())
    varve_store64(page + Offset.bootIdentity, boot.first)
    varve_store64(page + Offset.bootIdentity + 8, boot.second)
    varve_store64(page + Offset.dataDevice, dataFile.device)
    varve_store64(page + Offset.dataInode, dataFile.inode)
    varve_store64(page + Offset.lockDevice, lockFile?.device ?? 0)
    varve_store64(page + Offset.lockInode, lockFile?.inode ?? 0)
    varve_store32(page + Offset.needsRenewal, mustRenew || (mayLose && !isSameBoot) ? 1 : 0)
    varve_store32(page + Offset.mayLoseCommits, mayLose && isSameBoot ? 1 : 0)
    varve_store32(page + Offset.isChecked, 0)
    if !isKnown {
      varve_store64(page + Offset.durableID, 0)
      varve_store64(page + Offset.failedID, 0)
    }
    varve_store32(page + Offset.word, 0)
    varve_store32(page + Offset.ownerPid, 0)
    varve_store64(page + Offset.ownerSince, 0)
    memset(page + Offset.mutex, 0, Int(varve_shared_mutex_size()))
    memset(page + Offset.commits, 0, byteCount - Offset.commits)
    let result = varve_shared_mutex_initialize(page + Offset.mutex)
    try StorageError.check(result, path: path, "The write lock could not be created.")
    varve_store32(page + Offset.isReady, 1)
  }
}

import CVarve
import Glibc

/// The page that the processes of one store share: the commit signal, the write lock, and what must
/// outlive a process.
///
/// The layout is drawn in `Docs/Format.md`, “Signal page”. The page is made afresh whenever nobody uses
/// it. Two locks on bytes of the file say so (owned by the open file description, so that no stray
/// `close` drops them): byte 0 is held while a process opens the store, byte 1 is shared by all users.
///
/// Thread safety: any thread; the words are atomic.
/// Processes: shared by all that have the store open for writing or may write the file.
final class SignalPage: Sendable {
  static let byteCount = 4096
  static let magic: UInt32 = 0x4749_5356  // "VSIG"
  static let layoutVersion: UInt32 = 1

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
    static let word = 128
    static let ownerPid = 192
    static let ownerSince = 200
    static let mutex = 256
    static let commits = 1024
  }

  private enum LockByte {
    static let opening: Int64 = 0
    static let use: Int64 = 1
  }

  let path: String
  /// The path of the data file, which is what a caller knows.
  let dataPath: String
  let identity: FileIdentity
  private let descriptor: Int32
  /// This process. A child made by `fork` writes nothing here.
  let processID = getpid()
  /// Whether nobody else used the page when it was opened.
  let isFirstUser: Bool
  // Safe because the memory stays mapped as long as this object lives, and is accessed atomically or
  // under the lock on byte 0.
  nonisolated(unsafe) let base: UnsafeMutableRawPointer

  /// Opens the page, and holds the lock on opening. The caller ends that with `endOpening`.
  ///
  /// - Parameters:
  ///   - path: The signal file; made when missing.
  ///   - access: Who may open a new file.
  ///   - dataFile: The data file that goes with it.
  ///   - timeout: How long to wait for other processes that are opening the store.
  /// - Throws: `busy` when another process has been opening for longer than `timeout`,
  ///   `dataFileReplaced` when the others use another data file, `unsupportedLibrary` when their C library
  ///   is another, or what the system reports.
  init(
    path: String, access: FileAccess, dataFile: FileIdentity, timeout: Duration
  ) throws(StorageError) {
    let opened = try OpenFile(path: path, flags: O_RDWR | O_CREAT, mode: access.mode)
    let file = try opened.status(path: path)
    if file.st_size == 0 { access.apply(to: opened.descriptor) }
    try Self.lockOpening(opened.descriptor, path: path, timeout: timeout)
    guard FileIdentity(path: path) == FileIdentity(file) else {
      throw StorageError(.signalFileReplaced, "The signal file was replaced.", path: path)
    }
    let result = posix_fallocate(opened.descriptor, 0, off_t(Self.byteCount))
    guard result == 0 else {
      throw StorageError.system(result, path: path, "The signal file could not be allocated.")
    }
    let memory = mmap(
      nil, Self.byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, opened.descriptor, 0)
    guard let memory, memory != MAP_FAILED else {
      throw StorageError.system(errno, path: path, "The signal file could not be mapped.")
    }
    do throws(StorageError) {
      isFirstUser = try Self.enter(memory, opened.descriptor, path: path, dataFile: dataFile)
    } catch {
      munmap(memory, Self.byteCount)
      throw error
    }
    self.path = path
    dataPath = Self.dataPath(path)
    self.identity = FileIdentity(file)
    self.base = memory
    self.descriptor = opened.release()
  }

  deinit {
    munmap(base, Self.byteCount)
    // Drops both locks.
    close(descriptor)
  }

  /// Lets other processes open the store.
  func endOpening() {
    _ = varve_file_unlock(descriptor, LockByte.opening)
  }

  /// Stops being a user of the page. Who still waits on its word keeps the memory.
  func leave() {
    _ = varve_file_unlock(descriptor, LockByte.use)
  }

  private static func dataPath(_ path: String) -> String {
    String(path.dropLast(StorePaths.signalSuffix.count))
  }

  private static func lockOpening(
    _ descriptor: Int32, path: String, timeout: Duration
  ) throws(StorageError) {
    let deadline = ContinuousClock.now + timeout
    while true {
      let result = varve_file_lock(descriptor, LockByte.opening, 1)
      if result == 0 { return }
      guard result == EAGAIN else {
        throw StorageError.system(result, path: path, "The signal file could not be locked.")
      }
      guard ContinuousClock.now < deadline else {
        throw StorageError(.busy, "Another process is opening the store.", path: dataPath(path))
      }
      usleep(1000)
    }
  }

  /// Becomes a user of the page: the first one makes it afresh.
  ///
  /// - Returns: Whether this is the first one.
  private static func enter(
    _ page: UnsafeMutableRawPointer, _ descriptor: Int32, path: String, dataFile: FileIdentity
  ) throws(StorageError) -> Bool {
    let isFirst = varve_file_lock(descriptor, LockByte.use, 1) == 0
    if isFirst {
      try initialize(page, path: path, dataFile: dataFile)
    }
    // From exclusive to shared in one step, or shared beside the others.
    let result = varve_file_lock(descriptor, LockByte.use, 0)
    guard result == 0 else {
      throw StorageError.system(result, path: path, "The signal file could not be locked.")
    }
    guard varve_load32(page + Offset.magic) == magic,
      varve_load32(page + Offset.layoutVersion) == layoutVersion,
      varve_load32(page + Offset.isReady) == 1
    else {
      throw StorageError(.corrupted, "The signal page in use is damaged.", path: path)
    }
    guard varve_load32(page + Offset.mutexSize) == varve_shared_mutex_size() else {
      throw StorageError(
        .unsupportedLibrary, "A process with another C library uses the store.", path: path)
    }
    guard varve_load64(page + Offset.dataDevice) == dataFile.device,
      varve_load64(page + Offset.dataInode) == dataFile.inode
    else {
      throw StorageError(
        .dataFileReplaced, "Other processes use another data file under this name.", path: path)
    }
    return isFirst
  }

  /// Makes the page afresh, and finds out whether the history of the file may have been broken.
  private static func initialize(
    _ page: UnsafeMutableRawPointer, path: String, dataFile: FileIdentity
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
      // Without a record of its own, the file is compared with nothing.
      varve_store64(page + Offset.incarnation, 0)
      varve_store64(page + Offset.incarnation + 8, 0)
      varve_store64(page + Offset.counter, 0)
    }
    varve_store32(page + Offset.isReady, 0)
    varve_store32(page + Offset.magic, magic)
    varve_store32(page + Offset.layoutVersion, layoutVersion)
    varve_store32(page + Offset.mutexSize, varve_shared_mutex_size())
    varve_store64(page + Offset.bootIdentity, boot.first)
    varve_store64(page + Offset.bootIdentity + 8, boot.second)
    varve_store64(page + Offset.dataDevice, dataFile.device)
    varve_store64(page + Offset.dataInode, dataFile.inode)
    varve_store32(page + Offset.needsRenewal, mustRenew || (mayLose && !isSameBoot) ? 1 : 0)
    varve_store32(page + Offset.mayLoseCommits, mayLose && isSameBoot ? 1 : 0)
    varve_store32(page + Offset.word, 0)
    varve_store32(page + Offset.ownerPid, 0)
    varve_store64(page + Offset.ownerSince, 0)
    memset(page + Offset.mutex, 0, Int(varve_shared_mutex_size()))
    memset(page + Offset.commits, 0, byteCount - Offset.commits)
    let result = varve_shared_mutex_initialize(page + Offset.mutex)
    guard result == 0 else {
      throw StorageError.system(result, path: path, "The write lock could not be made.")
    }
    varve_store32(page + Offset.isReady, 1)
  }
}

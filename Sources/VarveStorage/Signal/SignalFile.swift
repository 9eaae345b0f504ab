import CVarve
import Glibc
import Synchronization

/// The mapped signal file, with the opening lock held: no other process opens, creates, compacts or
/// removes the store until ``endOpening()``.
///
/// Locks on bytes of the file show the active processes. They are owned by the open file
/// description, so that no stray `close` releases them. Byte 0 is locked while a process opens the
/// store, byte 1 is shared by all users. Bytes 2 and 3 are shared by the processes that write with
/// one kind of durability.
///
/// Thread safety: any thread; the words of the page are atomic.
final class SignalFile: Sendable {
  enum LockByte: Int64 {
    case opening
    case use
    /// Shared by processes whose commits reach the disk in order.
    case ordered
    /// Shared by processes whose commits reach the disk in any order.
    case unordered
  }

  let path: String
  /// The path of the data file, by which callers know the store.
  let dataPath: String
  let identity: FileIdentity
  /// Whether the file was created by this opening.
  let isNew: Bool
  private let descriptor: Int32
  // Safe because the memory stays mapped as long as this object lives, and is accessed atomically
  // or under the opening lock.
  nonisolated(unsafe) let base: UnsafeMutableRawPointer

  /// Opens the file, and takes the opening lock.
  ///
  /// - Parameters:
  ///   - paths: The files of the store.
  ///   - access: Who may open a new file.
  ///   - timeout: How long to wait for other processes that are opening the store.
  ///   - observer: What may end the wait.
  /// - Returns: The file.
  /// - Throws: `busy` with the process that has been opening for longer than `timeout`,
  ///   `cancelled`, `directoryUnsafe`, or what the system reports. A new file is then removed,
  ///   unless another process uses it.
  static func open(
    _ paths: StorePaths, access: FileAccess, timeout: Duration,
    _ observer: WorkObserver? = nil
  ) throws(StorageError) -> SignalFile {
    let deadline = ContinuousClock.now + timeout
    var isReplaced = false
    while true {
      var isNew = false
      let opened = try openOrMake(paths.signal, access, &isNew)
      let identity: FileIdentity
      let memory: UnsafeMutableRawPointer
      do throws(StorageError) {
        let file = try opened.status(path: paths.signal)
        try paths.checkOwner(file, path: paths.signal)
        if isNew { try access.apply(to: opened.descriptor, path: paths.signal) }
        try lockOpening(opened, path: paths.signal, deadline: deadline, observer)
        // The previous owner of the lock may have removed or replaced the file.
        identity = FileIdentity(file)
        guard FileIdentity(path: paths.signal) == identity else { continue }
        // Once: the attribute may have no effect.
        if !isNew, !isReplaced, try replaceIfCopied(opened, paths, access) {
          isReplaced = true
          continue
        }
        memory = try map(opened, path: paths.signal)
      } catch {
        if isNew { discard(opened, path: paths.signal) }
        throw error
      }
      return SignalFile(locked: opened, memory, identity, path: paths.signal, isNew: isNew)
    }
  }

  private init(
    locked opened: consuming OpenFile, _ memory: UnsafeMutableRawPointer, _ identity: FileIdentity,
    path: String, isNew: Bool
  ) {
    varve_store32(memory + SignalPage.Offset.openerPid, UInt32(bitPattern: getpid()))
    self.path = path
    dataPath = Self.dataPath(path)
    self.identity = identity
    self.isNew = isNew
    base = memory
    descriptor = opened.release()
  }

  private static func map(
    _ opened: borrowing OpenFile, path: String
  ) throws(StorageError) -> UnsafeMutableRawPointer {
    try SharedBlocks.allocate(
      opened, byteCount: SignalPage.byteCount, path: path, "The signal file could not be allocated."
    )
    let memory = mmap(
      nil, SignalPage.byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, opened.descriptor, 0)
    guard let memory, memory != MAP_FAILED else {
      throw StorageError.system(errno, path: path, "The signal file could not be mapped.")
    }
    return memory
  }

  deinit {
    munmap(base, SignalPage.byteCount)
    // Releases all locks.
    close(descriptor)
  }

  private static func dataPath(_ path: String) -> String {
    String(path.dropLast(StorePaths.signalSuffix.count))
  }

  /// Opens the file, or creates it.
  ///
  /// - Parameters:
  ///   - access: The owner and mode of a new file.
  ///   - isNew: Set to whether the file was created.
  /// - Throws: A system error.
  private static func openOrMake(
    _ path: String, _ access: FileAccess, _ isNew: inout Bool
  ) throws(StorageError) -> OpenFile {
    // Each failed attempt means that another process has created or removed the file in the
    // meantime.
    while true {
      do throws(StorageError) {
        return try OpenFile(path: path, flags: O_RDWR)
      } catch {
        guard error.code == .fileNotFound else { throw error }
      }
      do throws(StorageError) {
        let flags = O_RDWR | O_CREAT | O_EXCL
        let opened = try OpenFile(path: path, flags: flags, mode: access.mode)
        isNew = true
        return opened
      } catch {
        guard error.code == .fileExists else { throw error }
      }
    }
  }

  /// Replaces a file that no process uses by one with the same content, if its blocks are copied
  /// when they are written; see ``SharedBlocks``. Call it with the opening lock held.
  ///
  /// - Returns: Whether the file was replaced: processes that wait for the lock open the new one.
  /// - Throws: `diskFull`, or a system error; the file is unchanged then.
  private static func replaceIfCopied(
    _ opened: borrowing OpenFile, _ paths: StorePaths, _ access: FileAccess
  ) throws(StorageError) -> Bool {
    let status = try opened.status(path: paths.signal)
    guard status.st_size > 0, SharedBlocks.areCopied(opened),
      varve_file_lock_find(opened.descriptor, LockByte.use.rawValue, nil) == 0
    else { return false }
    let page = UnsafeMutableRawBufferPointer.allocate(
      byteCount: SignalPage.byteCount, alignment: 8)
    defer { page.deallocate() }
    let count = try opened.read(page, at: 0, path: paths.signal)
    try StoreCreation.withTemporary(paths, access) { (file, temporary) throws(StorageError) in
      try SharedBlocks.allocate(
        file, byteCount: page.count, path: temporary, "The signal file could not be allocated.")
      try file.write(UnsafeRawBufferPointer(rebasing: page[..<count]), path: temporary)
      try StorageError.check(
        rename(temporary, paths.signal) == 0, path: paths.signal,
        "The signal file could not be replaced.")
    }
    return true
  }

  private static func lockOpening(
    _ opened: borrowing OpenFile, path: String, deadline: ContinuousClock.Instant,
    _ observer: WorkObserver?
  ) throws(StorageError) {
    while true {
      let result = varve_file_lock(opened.descriptor, LockByte.opening.rawValue, 1)
      if result == 0 { return }
      try StorageError.check(
        result == EAGAIN ? 0 : result, path: path, "The signal file could not be locked.")
      guard ContinuousClock.now < deadline else {
        throw StorageError(
          .busy, "Another process is opening the store.", path: dataPath(path),
          pid: openerPid(opened, path: path))
      }
      try observer?.check(path: dataPath(path))
      usleep(1000)
    }
  }

  /// Returns the process that holds the opening lock, as recorded in the page.
  private static func openerPid(_ opened: borrowing OpenFile, path: String) -> Int32? {
    var pid: Int32 = 0
    let count = withUnsafeMutableBytes(of: &pid) {
      pread(opened.descriptor, $0.baseAddress, $0.count, off_t(SignalPage.Offset.openerPid))
    }
    return count == MemoryLayout<Int32>.size && pid > 0 ? pid : nil
  }

  /// Whether this process holds the opening lock.
  var isOpening: Bool { opening.load(ordering: .relaxed) }
  private let opening = Atomic<Bool>(true)

  /// Releases the opening lock.
  func endOpening() {
    opening.store(false, ordering: .relaxed)
    varve_store32(base + SignalPage.Offset.openerPid, 0)
    unlock(.opening)
  }

  /// Removes a new file that no process uses. Call it with the opening lock held.
  ///
  /// Another process may have opened the file, and the store, before this one acquired the lock.
  func discardIfNew() {
    guard isNew, FileIdentity(path: path) == identity,
      (try? isLockedByOthers(.use)) == false
    else { return }
    unlink(path)
  }

  /// Removes a new file that could not be used, if no other process opens or uses it.
  private static func discard(_ opened: borrowing OpenFile, path: String) {
    guard varve_file_lock(opened.descriptor, LockByte.opening.rawValue, 1) == 0,
      varve_file_lock_find(opened.descriptor, LockByte.use.rawValue, nil) == 0,
      let file = try? opened.status(path: path), FileIdentity(path: path) == FileIdentity(file)
    else { return }
    unlink(path)
  }

  /// Takes the lock on a byte.
  ///
  /// - Returns: Whether it was free.
  /// - Throws: A system error.
  func lock(_ byte: LockByte, isExclusive: Bool) throws(StorageError) -> Bool {
    let result = varve_file_lock(descriptor, byte.rawValue, isExclusive ? 1 : 0)
    try StorageError.check(
      result == EAGAIN ? 0 : result, path: path, "The signal file could not be locked.")
    return result == 0
  }

  func unlock(_ byte: LockByte) { _ = varve_file_unlock(descriptor, byte.rawValue) }

  /// Returns whether another process holds the lock on a byte.
  ///
  /// - Throws: A system error.
  func isLockedByOthers(_ byte: LockByte) throws(StorageError) -> Bool {
    let result = varve_file_lock_find(descriptor, byte.rawValue, nil)
    try StorageError.check(
      result == EAGAIN ? 0 : result, path: path, "The signal file could not be examined.")
    return result != 0
  }
}

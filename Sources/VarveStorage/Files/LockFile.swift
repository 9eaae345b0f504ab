import CVarve
import Glibc

/// The handling of LMDB's lock file outside LMDB.
///
/// Processes: LMDB holds POSIX locks on it. “close() drops all locks of the process on the file”:
/// therefore nothing here runs while this process has the environment open; the registry ensures
/// that.
enum LockFile {
  /// The size of the reader table in bytes: a header of two cache lines, the second shared with
  /// nothing, and a slot of one cache line for each reader, of which the header contains the first.
  static func byteCount(readers: Int) -> Int { (max(readers, 1) - 1) * 64 + 192 }

  /// Allocates disk space for every byte of the file, because LMDB extends it sparsely and writes
  /// through a map; see ``SharedBlocks``. Frees the reader slots left by a dead process with the id
  /// of this one.
  ///
  /// A file that already has a size is not extended, because processes that have it mapped would
  /// not see the extension.
  ///
  /// - Returns: The file, and whether it was made.
  /// - Throws: `diskFull`, `directoryUnsafe`, `lockFileReplaced` when the file is in use and was
  ///   overwritten, `processIDInUse` when a living process with this process's id has the store
  ///   open, which is possible in another PID namespace only; or what the system reports. A file
  ///   that was made is then removed.
  /// - Precondition: The lock on opening is held.
  static func prepare(
    _ paths: StorePaths, readers: Int, access: FileAccess
  ) throws(StorageError) -> (identity: FileIdentity, isNew: Bool) {
    let path = paths.lock
    let opened = try OpenFile(path: path, flags: O_RDWR | O_CREAT, mode: access.mode)
    let status = try opened.status(path: path)
    try paths.checkOwner(status, path: path)
    do throws(StorageError) {
      let size = status.st_size == 0 ? byteCount(readers: readers) : Int(status.st_size)
      if status.st_size == 0 { try access.apply(to: opened.descriptor, path: path) }
      try renewBlocks(opened, path: path)
      try SharedBlocks.allocate(
        opened, byteCount: size, path: path, "The lock file could not be allocated.")
      if status.st_size > 0 {
        try checkHead(opened, path: path)
        try freeSlots(of: getpid(), opened, byteCount: size, paths)
      }
    } catch {
      if status.st_size == 0 { unlink(path) }
      throw error
    }
    return (FileIdentity(status), status.st_size == 0)
  }

  /// Gives a file that no process uses blocks that are not copied when they are written; see
  /// ``SharedBlocks``.
  private static func renewBlocks(
    _ opened: borrowing OpenFile, path: String
  ) throws(StorageError) {
    guard SharedBlocks.areCopied(opened), varve_file_lock(opened.descriptor, 0, 1) == 0 else {
      return
    }
    defer { _ = varve_file_unlock(opened.descriptor, 0) }
    try SharedBlocks.renew(opened, path: path)
  }

  /// Rejects a file that processes use, and that is no lock file any more: they do not see each
  /// other's readers. LMDB initializes a file that no process uses.
  private static func checkHead(
    _ opened: borrowing OpenFile, path: String
  ) throws(StorageError) {
    let head = UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 4)
    defer { head.deallocate() }
    let count = try opened.read(head, at: 0, path: path)
    let magic = count == head.count ? head.load(as: UInt32.self) : 0
    // 0: the file was allocated, and its first user is initializing it.
    guard magic != PageLayout.magic, magic != 0, try isLocked(opened, path: path) else { return }
    throw StorageError(
      .lockFileReplaced,
      "The lock file was overwritten while processes have the store open; close the store in all of them, and open it again.",
      path: path)
  }

  /// Whether LMDB in another process has the file open: every user shares a lock on the first byte.
  private static func isLocked(
    _ opened: borrowing OpenFile, path: String
  ) throws(StorageError) -> Bool {
    let result = varve_file_lock_find(opened.descriptor, 0, nil)
    try StorageError.check(
      result == EAGAIN ? 0 : result, path: path, "The lock file could not be examined.")
    return result != 0
  }

  /// Ensures that the processes that have the data file open also hold their locks on the lock
  /// file.
  ///
  /// A process that opens and closes the file itself, for example to copy it, loses them. LMDB in
  /// the next process would then take the file for unused, and clear the readers of the others.
  ///
  /// - Throws: `lockFileReplaced`, or a system error.
  /// - Precondition: The lock on opening is held, and this process does not have the file open.
  static func checkUsers(_ paths: StorePaths) throws(StorageError) {
    // A process gives up the data file before the lock file, but the files of a killed process are
    // closed one after another. A child that a process forked keeps the data file.
    for _ in 0..<1000 {
      if try isLocked(try OpenFile(path: paths.lock, flags: O_RDWR), path: paths.lock) { return }
      guard try DataFile.isInUse(path: paths.data) else { return }
      usleep(1000)
    }
    throw StorageError(
      .lockFileReplaced,
      "A process that has the store open has lost its locks, because it opened and closed the lock file, for example to copy it, or it has ended and a child that it forked runs; close the store in all processes, and open it again.",
      path: paths.lock)
  }

  /// The layout of the reader table: slots of a cache line each, in which the process id follows
  /// the transaction id.
  private enum Slots {
    static let offset = 128
    static let byteCount = 64
    static let process = 8
  }

  /// Frees the slots of a process id for which no process holds the lock.
  ///
  /// LMDB's own check looks at the locks of other process ids only: it takes a dead process with
  /// the id of a living one for the living one, and the slots of the dead process would pin a
  /// version for as long as the file is open anywhere. In containers every process may have the id
  /// 1.
  private static func freeSlots(
    of processID: pid_t, _ opened: borrowing OpenFile, byteCount: Int, _ paths: StorePaths
  ) throws(StorageError) {
    // LMDB locks the byte whose number is the process id. This process has no such lock, because it
    // has not opened the file yet.
    let result = varve_file_lock_find(opened.descriptor, Int64(processID), nil)
    guard result != EAGAIN else {
      throw StorageError(
        .processIDInUse,
        "A process with the same process id, in another PID namespace, has the store open; share one namespace, or run under different ids.",
        path: paths.data, pid: processID)
    }
    try StorageError.check(result, path: paths.lock, "The lock file could not be examined.")
    let memory = mmap(
      nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, opened.descriptor, 0)
    guard let memory, memory != MAP_FAILED else {
      throw StorageError.system(errno, path: paths.lock, "The lock file could not be mapped.")
    }
    defer { munmap(memory, byteCount) }
    for offset in stride(
      from: Slots.offset, through: byteCount - Slots.byteCount, by: Slots.byteCount)
    {
      // Atomically: another process may free the slot and a third one take it.
      _ = varve_exchange32(
        memory + offset + Slots.process, UInt32(bitPattern: processID), 0)
    }
  }

  /// Runs a body with an exclusive lock on the file, which keeps LMDB in other processes from
  /// opening it. A file that does not exist is not open.
  ///
  /// - Parameter body: Receives whether no other process has the file open, so that it is locked.
  /// - Throws: A system error, or the error of the body.
  /// - Precondition: This process does not have the file open.
  static func withExclusiveLock<R>(
    path: String, _ body: (Bool) throws(StorageError) -> R
  ) throws(StorageError) -> R {
    guard FileIdentity(path: path) != nil else { return try body(true) }
    let opened = try OpenFile(path: path, flags: O_RDWR)
    defer { withExtendedLifetime(opened) {} }
    // Every user shares a lock on the first byte.
    let result = varve_file_lock(opened.descriptor, 0, 1)
    if result == EAGAIN || result == EACCES { return try body(false) }
    try StorageError.check(result, path: path, "The lock file could not be examined.")
    return try body(true)
  }

  /// Returns whether LMDB in another process has the file open.
  ///
  /// - Returns: Whether it has; false also for a file that does not exist.
  /// - Precondition: This process does not have it open.
  static func isInUse(path: String) throws(StorageError) -> Bool {
    try withExclusiveLock(path: path) { (isLocked) throws(StorageError) in !isLocked }
  }
}

import CVarve
import Glibc

/// LMDB's lock file, as far as it needs care from outside.
///
/// Processes: LMDB holds POSIX locks on it. “close() drops all locks of the process on the file”: so
/// nothing here runs while this process has the environment open; the registry sees to that.
enum LockFile {
  /// The bytes of the reader table: two cache lines of header, the second shared with nothing, and a
  /// slot of one cache line for each reader, of which the header holds the first.
  static func byteCount(readers: Int) -> Int { (max(readers, 1) - 1) * 64 + 192 }

  /// Makes sure that the disk has room for every byte of the file: LMDB extends it sparsely and writes
  /// through a map, which on a full disk is a SIGBUS.
  ///
  /// A file that has a size is not made longer: processes that have it mapped would not see the rest.
  ///
  /// - Throws: `diskFull`, `directoryUnsafe`, or what the system reports.
  static func prepare(
    path: String, readers: Int, access: FileAccess
  ) throws(StorageError) -> FileIdentity {
    let opened = try OpenFile(path: path, flags: O_RDWR | O_CREAT, mode: access.mode)
    let status = try opened.status(path: path)
    let size = status.st_size == 0 ? byteCount(readers: readers) : Int(status.st_size)
    if status.st_size == 0 { access.apply(to: opened.descriptor) }
    if Int(status.st_blocks) * 512 < size {
      let result = posix_fallocate(opened.descriptor, 0, off_t(size))
      guard result == 0 || result == EOPNOTSUPP else {
        throw StorageError.system(result, path: path, "The lock file could not be allocated.")
      }
    }
    return FileIdentity(status)
  }

  /// Whether LMDB in another process has the file open.
  ///
  /// - Returns: false also for a file that does not exist.
  /// - Precondition: This process does not have it open.
  static func isInUse(path: String) throws(StorageError) -> Bool {
    guard FileIdentity(path: path) != nil else { return false }
    let opened = try OpenFile(path: path, flags: O_RDWR)
    // Every user shares a lock on the first byte.
    let result = varve_file_lock(opened.descriptor, 0, 1)
    guard result == 0 || result == EAGAIN || result == EACCES else {
      throw StorageError.system(result, path: path, "The lock file could not be examined.")
    }
    return result != 0
  }
}

import CLMDB
import CVarve
import Glibc

extension StorageError {
  /// Returns the error for a result of LMDB.
  ///
  /// - Parameters:
  ///   - status: The result, not 0.
  ///   - path: The path of the data file.
  ///   - detail: The operation that failed.
  static func engine(_ status: Engine.Status, path: String?, _ detail: StaticString) -> StorageError
  {
    if status > 0 { return system(status, path: path, detail) }
    let code: Code =
      switch status {
      case Engine.mapFull: .mapFull
      case Engine.readersFull: .readersFull
      case Engine.tablesFull: .tablesFull
      case Engine.corrupted, Engine.pageNotFound: .corrupted
      case Engine.panic: .panicked
      case Engine.versionMismatch: .newerFormat
      case Engine.invalid: .notADatabase
      case Engine.badTransaction, Engine.badTable, Engine.incompatible: .badTransaction
      case Engine.badSize: .keyTooLong
      case MDB_TXN_FULL, MDB_CURSOR_FULL, MDB_PAGE_FULL: .io
      default: .io
      }
    return StorageError(code, sentence(status) ?? detail, path: path, lmdbCode: status)
  }

  /// The error for a file of LMDB that has no root record.
  static func noRootRecord(_ path: String) -> StorageError {
    StorageError(
      .notADatabase,
      "The file has no root record: Varve has not written it, or it went through mdb_dump and mdb_load, which leave the record out.",
      path: path)
  }

  /// Whether LMDB has found pages that are neither used nor free, so that it compacts no copy.
  package var isOfLeakedPages: Bool { lmdbCode == Engine.incompatible }

  /// Throws the error for a result of LMDB or of the system, unless it is 0.
  static func check(
    _ status: Engine.Status, path: String?, _ detail: StaticString
  ) throws(StorageError) {
    guard status == 0 else { throw engine(status, path: path, detail) }
  }

  /// Throws the error in `errno` if a system call has failed.
  static func check(
    _ hasSucceeded: Bool, path: String?, _ detail: StaticString
  ) throws(StorageError) {
    guard hasSucceeded else { throw system(Glibc.errno, path: path, detail) }
  }

  /// Returns the meaning of an LMDB result, if it is more specific than the failed operation.
  private static func sentence(_ status: Engine.Status) -> StaticString? {
    switch status {
    case Engine.mapFull: "The transaction outgrew the map; the next one has a larger map."
    case Engine.readersFull: "Too many processes and versions are reading."
    case Engine.tablesFull:
      "The file has more classes than this process configured when it opened it; close it and open it again."
    default: nil
    }
  }

  /// Returns the error for an errno.
  package static func system(
    _ number: Int32, path: String?, _ detail: StaticString
  ) -> StorageError {
    let code: Code =
      switch number {
      case ENOENT: .fileNotFound
      case EACCES, EPERM, EROFS: .permissionDenied
      case ENOSPC, EDQUOT, EFBIG: .diskFull
      case EEXIST: .fileExists
      case ENOMEM: .addressSpaceExhausted
      case ELOOP, ENOTDIR, EISDIR, ENAMETOOLONG: .invalidPath
      case EIO where room(number, path) != nil: .diskFull
      default: .io
      }
    guard let full = room(number, path) else {
      return StorageError(code, detail, path: path, errno: number)
    }
    return StorageError(code, full, path: path, errno: number == EIO ? ENOSPC : number)
  }

  /// Returns the exhausted resource if a write to the file failed for lack of space. LMDB reports a
  /// short write as EIO, also on a full disk.
  private static func room(_ number: Int32, _ path: String?) -> StaticString? {
    let device: StaticString = "No space is left on the device."
    let quota: StaticString = "The disk quota is used up."
    let size: StaticString = "The file has reached the file size limit."
    switch number {
    case EDQUOT: return quota
    case EFBIG: return size
    // LMDB reports either one for a write that reached the file size limit.
    case ENOSPC, EIO: break
    default: return nil
    }
    guard let path else { return number == ENOSPC ? device : nil }
    if hasReachedSizeLimit(path) { return size }
    if number == ENOSPC { return device }
    switch shortage(path) {
    case EDQUOT: return quota
    case 0: return nil
    default: return device
    }
  }

  private static func hasReachedSizeLimit(_ path: String) -> Bool {
    var file = stat()
    var limit = rlimit()
    return getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
      && limit.rlim_cur != rlim_t.max && stat(path, &file) == 0
      && UInt64(file.st_size) >= limit.rlim_cur
  }

  /// Returns the errno of an attempt to get as much space as LMDB writes at once, and more; 0 if
  /// there is so much. The numbers that a file system reports do not suffice: XFS keeps a part of
  /// its free space to itself.
  private static func shortage(_ path: String) -> Int32 {
    var system = statvfs()
    var directory = path[...]
    // The file of an in-memory store has been unlinked, and has no directory of its own.
    repeat {
      guard directory != "/", let slash = directory.lastIndex(of: "/") else { return 0 }
      directory = slash == directory.startIndex ? "/" : directory[..<slash]
    } while statvfs(String(directory), &system) != 0
    // Less than the smallest run of pages that a commit appends.
    if system.f_bavail * system.f_frsize < 64 << 10 { return ENOSPC }
    return varve_probe_room(String(directory), 1 << 20)
  }
}

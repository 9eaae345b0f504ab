import Glibc
import CLMDB

/// The LMDB environment, one wrapper per call.
///
/// The wrappers add nothing: their callers decide which thread may call what, and when.
///
/// Thread safety: as documented in lmdb.h; `Environment` owns the locks.
struct Engine: @unchecked Sendable {
  // Safe because it is only a pointer; its users hold the locks that LMDB requires.

  /// A result of LMDB: 0, one of its own negative codes, or an errno.
  typealias Status = Int32

  let pointer: OpaquePointer

  /// The corresponding LMDB function is `mdb_version`.
  static var libraryVersion: (major: Int32, minor: Int32, patch: Int32) {
    var major: Int32 = 0
    var minor: Int32 = 0
    var patch: Int32 = 0
    _ = mdb_version(&major, &minor, &patch)
    return (major, minor, patch)
  }

  /// The corresponding LMDB function is `mdb_strerror`.
  static func message(of status: Status) -> String {
    mdb_strerror(status).map { String(cString: $0) } ?? ""
  }

  /// The corresponding LMDB function is `mdb_env_create`.
  static func create(_ engine: inout Engine?) -> Status {
    var pointer: OpaquePointer?
    let status = mdb_env_create(&pointer)
    engine = pointer.map { Engine(pointer: $0) }
    return status
  }

  /// The corresponding LMDB function is `mdb_env_set_mapsize`.
  func setMapSize(_ size: Int) -> Status { mdb_env_set_mapsize(pointer, size) }

  /// The corresponding LMDB function is `mdb_env_set_maxreaders`.
  func setMaximumReaders(_ count: Int) -> Status {
    mdb_env_set_maxreaders(pointer, UInt32(clamping: count))
  }

  /// The corresponding LMDB function is `mdb_env_get_maxreaders`.
  var maximumReaders: Int {
    var count: UInt32 = 0
    return mdb_env_get_maxreaders(pointer, &count) == 0 ? Int(count) : 0
  }

  /// The corresponding LMDB function is `mdb_env_set_maxdbs`.
  func setMaximumTables(_ count: Int) -> Status {
    mdb_env_set_maxdbs(pointer, UInt32(clamping: count))
  }

  /// The corresponding LMDB function is `mdb_env_open`.
  func open(path: String, flags: UInt32, mode: UInt32) -> Status {
    mdb_env_open(pointer, path, flags, mode)
  }

  /// The corresponding LMDB function is `mdb_env_close`.
  func close() { mdb_env_close(pointer) }

  /// The corresponding LMDB function is `mdb_env_sync`.
  func sync() -> Status { mdb_env_sync(pointer, 1) }

  /// The corresponding LMDB function is `mdb_env_get_fd`.
  var fileDescriptor: Int32 {
    var descriptor: Int32 = -1
    return mdb_env_get_fd(pointer, &descriptor) == 0 ? descriptor : -1
  }

  /// The page size of the file. The corresponding LMDB function is `mdb_env_stat`.
  var pageSize: Int {
    var statistics = MDB_stat()
    return mdb_env_stat(pointer, &statistics) == 0 ? Int(statistics.ms_psize) : 0
  }

  /// The size of LMDB's map. The corresponding LMDB function is `mdb_env_info`.
  var mapSize: Int {
    var information = MDB_envinfo()
    return mdb_env_info(pointer, &information) == 0 ? information.me_mapsize : 0
  }

  /// The number of the last page in use, at most that of the largest file: a damaged one must not
  /// overflow. The corresponding LMDB function is `mdb_env_info`.
  var lastPage: Int {
    var information = MDB_envinfo()
    guard mdb_env_info(pointer, &information) == 0 else { return 0 }
    let number = UInt(bitPattern: information.me_last_pgno)
    return Int(min(number, UInt(DataFile.largestFile / PageLayout.smallestPage)))
  }

  /// The corresponding LMDB function is `mdb_env_get_maxkeysize`.
  var maximumKeySize: Int { Int(mdb_env_get_maxkeysize(pointer)) }

  /// The corresponding LMDB function is `mdb_env_copyfd2`.
  ///
  /// - Parameter compacting: Whether to omit free pages.
  func copy(to descriptor: Int32, compacting: Bool) -> Status {
    mdb_env_copyfd2(pointer, descriptor, compacting ? UInt32(MDB_CP_COMPACT) : 0)
  }

  /// Clears the slots of dead processes. The corresponding LMDB function is `mdb_reader_check`.
  func checkReaders(_ dead: inout Int32) -> Status { mdb_reader_check(pointer, &dead) }

  /// Returns the lines of the reader table. The corresponding LMDB function is `mdb_reader_list`.
  func readerLines() -> [String] {
    final class Lines { var all: [String] = [] }
    let lines = Lines()
    _ = mdb_reader_list(
      pointer,
      { text, context in
        guard let text, let context else { return 0 }
        Unmanaged<Lines>.fromOpaque(context).takeUnretainedValue().all.append(
          String(cString: text))
        return 0
      }, Unmanaged.passUnretained(lines).toOpaque())
    return lines.all
  }

  /// The corresponding LMDB function is `mdb_txn_begin`.
  func begin(
    parent: EngineTransaction?, readOnly: Bool, _ transaction: inout EngineTransaction?
  ) -> Status {
    var begun: OpaquePointer?
    let status = mdb_txn_begin(
      pointer, parent?.pointer, readOnly ? UInt32(MDB_RDONLY) : 0, &begun)
    transaction = begun.map { EngineTransaction(pointer: $0) }
    return status
  }
}

extension Engine {
  /// Creates an environment and opens it on a file.
  static func opened(
    _ path: String, flags: UInt32, mode: UInt32, mapSize: Int, tables: Int, readers: Int? = nil
  ) throws(StorageError) -> Engine {
    var created: Engine?
    var status = create(&created)
    guard status == 0, let engine = created else {
      throw StorageError.engine(status, path: path, "LMDB could not be started.")
    }
    status = engine.setMapSize(mapSize)
    if status == 0, let readers { status = engine.setMaximumReaders(readers) }
    if status == 0 { status = engine.setMaximumTables(tables) }
    if status == 0 { status = engine.open(path: path, flags: flags, mode: mode) }
    if status == 0 {
      // Programs that this process starts must not inherit it.
      _ = fcntl(engine.fileDescriptor, F_SETFD, FD_CLOEXEC)
      EngineMemory(engine)?.releaseUnused()
      return engine
    }
    engine.close()
    // The head of the data file was examined before, so LMDB means its lock file.
    if status == invalid, flags & noLockFlag == 0 {
      throw StorageError(
        .io, "The lock file could not be locked.", path: path + "-lock", lmdbCode: status)
    }
    if status == versionMismatch, flags & noLockFlag == 0 {
      throw StorageError(
        .unsupportedLibrary,
        "The lock file is that of another version of liblmdb; close the store in all processes, and open it again.",
        path: path + "-lock", lmdbCode: status)
    }
    throw StorageError.engine(status, path: path, "The store could not be opened.")
  }

  /// The flags of `open`, as Swift constants.
  static let openFlags = UInt32(MDB_NOSUBDIR | MDB_NOTLS)
  static let readOnlyFlag = UInt32(MDB_RDONLY)
  static let noLockFlag = UInt32(MDB_NOLOCK)
  static let noSyncFlag = UInt32(MDB_NOSYNC)

  static let success: Status = 0
  static let keyExists: Status = MDB_KEYEXIST
  static let notFound: Status = MDB_NOTFOUND
  static let pageNotFound: Status = MDB_PAGE_NOTFOUND
  static let corrupted: Status = MDB_CORRUPTED
  static let panic: Status = MDB_PANIC
  static let versionMismatch: Status = MDB_VERSION_MISMATCH
  static let invalid: Status = MDB_INVALID
  static let mapFull: Status = MDB_MAP_FULL
  static let tablesFull: Status = MDB_DBS_FULL
  static let readersFull: Status = MDB_READERS_FULL
  static let mapResized: Status = MDB_MAP_RESIZED
  static let incompatible: Status = MDB_INCOMPATIBLE
  static let badTransaction: Status = MDB_BAD_TXN
  static let badSize: Status = MDB_BAD_VALSIZE
  static let badTable: Status = MDB_BAD_DBI
}

import CVarve
import Glibc
import Synchronization
import VarveLocks

/// Creates new files.
///
/// A crash while LMDB creates a file leaves one that never opens again. The file is therefore
/// created under a temporary name with its first commit in it, synchronized, and renamed into place
/// without replacing an existing file: of several processes that create one store, one wins and the
/// others use its file. A file copied from a seed is created in the same way.
enum StoreCreation {
  /// Creates the data file, unless another process was faster. An empty file is not a store yet,
  /// and is replaced.
  ///
  /// - Precondition: The opening lock is held, and no process uses the store.
  /// - Throws: A system error, or an error of LMDB; no file is left behind.
  static func create(
    _ paths: StorePaths, _ options: EnvironmentOptions
  ) throws(StorageError) {
    removeLeftovers(paths)
    let access = FileAccess(ofDataFile: paths.data, otherwise: options.fileMode)
    if isEmpty(paths.data), unlink(paths.data) != 0 {
      throw StorageError.system(errno, path: paths.data, "The empty file could not be replaced.")
    }
    // A store that need not survive a power failure does not wait for the disk.
    let isDurable = options.durability != .none && !options.isInMemory
    try withTemporary(paths, access) { (opened, temporary) throws(StorageError) in
      if let seed = options.seedPath {
        let observer = options.workObserver
        try StoreCopy.copyVersion(of: seed, to: opened, path: temporary, observer: observer)
        // Checked before LMDB opens it, because LMDB trusts the pages it reads.
        try StoreCopy.check(temporary, tellingOf: seed, observer)
        _ = try renewIncarnation(path: temporary, isDurable: isDurable)
      } else {
        var root = RootRecord(incarnation: .random(), fileKey: .random())
        root.userSchemaVersion = options.schemaVersion
        root.hasAllDefaults = true
        try fill(temporary, root: root, isDurable: isDurable)
      }
      if isDurable { try opened.sync(path: temporary) }
      let result = varve_rename_exclusively(temporary, paths.data)
      if result == EEXIST {
        unlink(temporary)
      } else {
        try StorageError.check(result, path: paths.data, "The new store could not be renamed.")
      }
    }
    if isDurable { try paths.syncDirectory() }
  }

  /// Runs a body with a new file in the directory of a store, which the body renames into place.
  ///
  /// The lock on the file shows that its creator is alive; see `removeLeftovers`. When the body
  /// throws, the file is removed, and the error names the store: the caller does not know the
  /// temporary name.
  static func withTemporary(
    _ paths: StorePaths, _ access: FileAccess,
    _ body: (borrowing OpenFile, String) throws(StorageError) -> Void
  ) throws(StorageError) {
    let temporary = temporaryPath(paths)
    do throws(StorageError) {
      let opened = try OpenFile(
        path: temporary, flags: O_RDWR | O_CREAT | O_EXCL, mode: access.mode)
      _ = varve_file_lock(opened.descriptor, 0, 1)
      try access.apply(to: opened.descriptor, path: temporary)
      try body(opened, temporary)
    } catch {
      unlink(temporary)
      throw error.telling(paths.data, insteadOf: temporary)
    }
  }

  /// Whether a path denotes a regular file of zero bytes, as `touch` and `mktemp` create it.
  static func isEmpty(_ path: String) -> Bool {
    var file = stat()
    return lstat(path, &file) == 0 && file.st_mode & S_IFMT == S_IFREG && file.st_size == 0
  }

  /// Writes the first version: the root record and the standard tables.
  private static func fill(
    _ path: String, root: RootRecord, isDurable: Bool
  ) throws(StorageError) {
    try withPrivateEngine(path, isDurable: isDurable) { (transaction, main) throws(StorageError) in
      for table in Table.fixed {
        var handle: EngineTable = 0
        let status = transaction.open(table, create: true, &handle)
        try StorageError.check(status, path: path, "A table could not be created.")
      }
      try put(root, transaction, main, path)
    }
  }

  /// Changes the incarnation of a file that no other process has open: a copy has a history of its
  /// own.
  ///
  /// - Returns: The version of the file from then on.
  static func renewIncarnation(
    path: String, isDurable: Bool = true
  ) throws(StorageError) -> Version {
    var version: Version?
    try withPrivateEngine(path, isDurable: isDurable) { (transaction, main) throws(StorageError) in
      var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      let status = transaction.get(main, RootRecord.keyBytes, &bytes)
      try StorageError.check(status, path: path, "The root record could not be read.")
      var root = try RootRecord(decoding: bytes)
      root.incarnation = .random()
      try put(root, transaction, main, path)
      version = root.version
    }
    guard let version else { throw StorageError(.io, "The copy has no version.", path: path) }
    return version
  }

  private static func put(
    _ root: RootRecord, _ transaction: EngineTransaction, _ main: EngineTable, _ path: String
  ) throws(StorageError) {
    let status = root.withBytes { transaction.put(main, RootRecord.keyBytes, $0) }
    try StorageError.check(status, path: path, "The root record could not be written.")
  }

  /// Runs one write transaction on a file that no other process has open, without a lock file.
  private static func withPrivateEngine(
    _ path: String, isDurable: Bool,
    _ body: (EngineTransaction, EngineTable) throws(StorageError) -> Void
  ) throws(StorageError) {
    var file = stat()
    let size = stat(path, &file) == 0 ? Int(file.st_size) : 0
    let engine = try Engine.opened(
      path, flags: Engine.openFlags | Engine.noLockFlag | (isDurable ? 0 : Engine.noSyncFlag),
      mode: 0o600, mapSize: (size + 4 << 20) & ~65535, tables: 64)
    defer { engine.close() }
    var begun: EngineTransaction?
    let status = engine.begin(parent: nil, readOnly: false, &begun)
    guard status == 0, let transaction = begun else {
      throw StorageError.engine(status, path: path, "The new file could not be opened.")
    }
    do throws(StorageError) {
      var main: EngineTable = 0
      let status = transaction.open(.main, create: true, &main)
      try StorageError.check(status, path: path, "The new file could not be opened.")
      try body(transaction, main)
    } catch {
      transaction.abort()
      throw error
    }
    try StorageError.check(transaction.commit(), path: path, "The first commit failed.")
  }

  private static func prefix(_ paths: StorePaths) -> String { "." + paths.name + infix }
  private static let infix = ".new-"

  /// Returns an unused name in the directory of the store.
  static func temporaryPath(_ paths: StorePaths) -> String {
    let random = UInt64.random(in: .min ... .max)
    return paths.directory + "/" + prefix(paths) + String(random, radix: 36)
  }

  /// The age in seconds from which on a temporary file may be a leftover: a younger one may not be
  /// locked yet.
  private static let leftoverAge = 60

  /// The temporary files of all stores in the directory that was read last, and the time of that.
  private struct Reading {
    let directory: String
    let time: ContinuousClock.Instant
    let files: [String]
  }
  private static let lastReading = Lock<Reading?>(nil)
  private static let directoryReads = Atomic<Int>(0)
  /// The number of times that a directory was read. For tests.
  static var directoryReadCount: Int { directoryReads.load(ordering: .relaxed) }

  /// Returns the temporary files of a store, except files that are too young to be leftovers.
  ///
  /// A directory is read once a minute at most, because each of many stores in it is opened: no file
  /// that was created since then is old enough.
  private static func oldFiles(_ paths: StorePaths) -> [String] {
    let now = ContinuousClock.now
    let files = lastReading.withLock { last in
      if let last, last.directory == paths.directory,
        now - last.time < .seconds(leftoverAge)
      {
        return last.files
      }
      directoryReads.add(1, ordering: .relaxed)
      let files = PrivateDirectory.files(in: paths.directory, prefix: ".")
        .filter { $0.contains(infix) }
      last = Reading(directory: paths.directory, time: now, files: files)
      return files
    }
    let start = paths.directory + "/" + prefix(paths)
    return files.filter { $0.hasPrefix(start) }
  }

  /// Removes the temporary files of processes that died before the rename.
  static func removeLeftovers(_ paths: StorePaths) {
    for path in oldFiles(paths) {
      let descriptor = varve_open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      var file = stat()
      // A file that is being created may not be locked yet.
      guard fstat(descriptor, &file) == 0, time(nil) - file.st_mtim.tv_sec > leftoverAge,
        varve_file_lock(descriptor, 0, 1) == 0
      else { continue }
      unlink(path)
    }
  }
}

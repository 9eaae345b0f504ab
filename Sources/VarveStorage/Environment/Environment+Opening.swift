import CVarve
import Glibc
import Synchronization
import VarveLocks

extension Environment {
  /// Opens a store, and creates it if it does not exist.
  ///
  /// - Returns: The single environment of the file in this process.
  /// - Throws: `fileNotFound` (read-only), `notADatabase`, `corrupted`, `newerFormat`,
  ///   `directoryUnsafe`, `permissionDenied`, `diskFull`, `addressSpaceExhausted`, `alreadyOpen`
  ///   when the process has the file open read-only or with another durability, `busy` when another
  ///   process takes too long to open it, `cancelled` when the options' observer stops it,
  ///   `unsupportedLibrary`, `unsupportedFileSystem`, `forked`, or a system error. Nothing is left
  ///   open then.
  /// - Complexity: O(1) system calls, about a millisecond; a walk over the whole file when it is
  ///   shorter than its last page, or comes from elsewhere and has up to ``largestCheckedFile``
  ///   bytes.
  package static func open(
    _ options: EnvironmentOptions
  ) throws(StorageError) -> Environment {
    try retryingWhileHeld { (mayWait) throws(StorageError) -> Environment? in
      if let environment = try open(options, mayWait: mayWait) { return environment }
      try options.workObserver?.check(path: options.path)
      return nil
    }
  }

  /// Opens a store, creating it if needed, in one attempt.
  ///
  /// - Parameter mayWait: Whether the caller retries while values with another durability are
  ///   retained; they are an error otherwise.
  /// - Returns: The single environment of the file in this process; nil while such values are
  ///   retained, or while the environment is being closed.
  /// - Throws: The errors of ``open(_:)``.
  package static func open(
    _ options: EnvironmentOptions, mayWait: Bool
  ) throws(StorageError) -> Environment? {
    if varve_is_forked() != 0 {
      throw StorageError(.forked, "The process is a fork of one that had a store open.")
    }
    try checkLibrary()
    guard varve_watch_forks() == 0 else {
      throw StorageError(.io, "The fork handler could not be registered.")
    }
    varve_ignore_file_size_signal()
    return try EnvironmentRegistry.withOpening {
      () throws(StorageError) -> Environment? in try openOnce(options, mayWait: mayWait)
    }
  }

  /// Repeats an attempt to open or remove a file for up to a second, while values of an earlier
  /// opening are retained, which other threads may be about to release, or while another process
  /// closes the file.
  ///
  /// - Parameter attempt: Returns nil to be called again. Its argument is true for a second; an
  ///   attempt with false must not return nil because of retained values.
  /// - Returns: The result of the last attempt.
  /// - Throws: The error of an attempt.
  package static func retryingWhileHeld<R, E: Error>(
    _ attempt: (_ mayWait: Bool) throws(E) -> R?
  ) throws(E) -> R {
    let deadline = ContinuousClock.now + .seconds(1)
    while true {
      if let result = try attempt(ContinuousClock.now < deadline) { return result }
      usleep(200)
    }
  }

  /// Rejects a liblmdb version that is not known to use the page layout of `PageLayout`, or has
  /// known faults.
  private static func checkLibrary() throws(StorageError) {
    guard isKnownLibrary(Engine.libraryVersion) else {
      throw StorageError(
        .unsupportedLibrary,
        "liblmdb 0.9.24 to 0.9.69 is needed, on a 64-bit little-endian machine.")
    }
  }

  /// Whether a version of liblmdb is supported: it repairs trees since 0.9.24; 0.9.70 and later
  /// belong to another line of development.
  static func isKnownLibrary(_ version: (major: Int32, minor: Int32, patch: Int32)) -> Bool {
    version.major == 0 && version.minor == 9 && (24..<70).contains(version.patch)
      && MemoryLayout<Int>.size == 8 && 1.littleEndian == 1
  }

  /// - Parameter mayWait: Whether values retained with another durability are not an error yet.
  /// - Returns: nil while this process is closing the file.
  private static func openOnce(
    _ options: EnvironmentOptions, mayWait: Bool
  ) throws(StorageError) -> Environment? {
    options.isInMemory
      ? try openInMemory(options, mayWait: mayWait) : try openFile(options, mayWait: mayWait)
  }

  /// Opens the in-memory store with a name. Its files are in shared memory, and are unlinked when
  /// this returns.
  private static func openInMemory(
    _ options: EnvironmentOptions, mayWait: Bool
  ) throws(StorageError) -> Environment? {
    let name = options.path
    // A closed store with retained values is not opened again: its name is free.
    if let registryEntry = EnvironmentRegistry.entry(inMemory: name),
      let environment = registryEntry.environment,
      !environment.isClosed
    {
      return try reopen(registryEntry, options, mayWait: mayWait)
    }
    return try PrivateDirectory.with(in: "/dev/shm") { (directory) throws(StorageError) in
      var options = options
      options.path = directory + "/memory.varve"
      let environment = try openFile(options, mayWait: mayWait)
      if let environment { EnvironmentRegistry.register(environment.registryEntry, inMemory: name) }
      return environment
    }
  }

  private static func openFile(
    _ options: EnvironmentOptions, mayWait: Bool
  ) throws(StorageError) -> Environment? {
    let paths = try StorePaths(path: options.path)
    try paths.checkDirectory(isReadOnly: options.isReadOnly)
    try paths.checkFileSystem()
    if let identity = FileIdentity(path: paths.data) {
      if let registryEntry = EnvironmentRegistry.entry(of: identity) {
        return try reopen(registryEntry, options, mayWait: mayWait)
      }
    } else if options.isReadOnly || !options.createsFile {
      throw StorageError(.fileNotFound, "The store does not exist.", path: paths.data)
    }
    if options.isReadOnly, !canLock(paths) { return try openCopy(of: paths, options) }
    do throws(StorageError) {
      return try EnvironmentOpening(paths: paths, options: options).run()
    } catch {
      let hasNoLockFile = options.isReadOnly && error.code == .diskFull
      guard error.code == .unfinishedCommit || hasNoLockFile else { throw error }
      return try openCopy(of: paths, options)
    }
  }

  /// Opens a copy of a store that cannot be locked, not even for lack of space, or whose last
  /// commit is not complete. The files of the copy are unlinked when this returns.
  private static func openCopy(
    of paths: StorePaths, _ options: EnvironmentOptions
  ) throws(StorageError) -> Environment? {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    return try PrivateDirectory.with(in: parent) { (directory) throws(StorageError) in
      let path = directory + "/copy.varve"
      let copy = try OpenFile(path: path, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
      try StoreCopy.copyVersion(of: paths.data, to: copy, path: path)
      return try EnvironmentOpening(
        paths: try StorePaths(path: path), options: options, isPrivateCopy: true
      ).run()
    }
  }

  /// Adds one opening to an environment that is open.
  private static func reopen(
    _ registryEntry: EnvironmentEntry, _ options: EnvironmentOptions, mayWait: Bool
  ) throws(StorageError) -> Environment? {
    guard let environment = registryEntry.environment, !environment.closeUnderSnapshots() else {
      return nil
    }
    // Values of a closed store keep its files open, although they were removed.
    if !options.isReadOnly, environment.signalPage != nil { try environment.checkFiles() }
    return try environment.state.withLock { (state) throws(StorageError) -> Environment? in
      if state.isTornDown { return nil }
      // It is torn down as soon as the threads waiting to write have seen that it is closed.
      if environment.isPanicked.load(ordering: .relaxed) || environment.canRecoverFromSyncFailure,
        state.isClosed, state.lockUserCount > 0
      {
        return nil
      }
      guard options.isReadOnly || !environment.isReadOnly else {
        throw StorageError(
          .alreadyOpen, "This process has the store open read-only.", path: environment.path)
      }
      // The environment keeps the durability it was opened with, and lives as long as a snapshot.
      guard options.isReadOnly || options.durability == environment.options.durability else {
        if mayWait { return nil }
        throw StorageError(
          .alreadyOpen,
          "This process retains values of the store that it opened with another durability; release them first.",
          path: environment.path)
      }
      state.openCount = state.isClosed ? 1 : state.openCount + 1
      state.isClosed = false
      return environment
    }
  }

  /// Whether a reader can use LMDB's lock file. Without it, nothing prevents the reuse of the pages
  /// that the reader reads.
  private static func canLock(_ paths: StorePaths) -> Bool {
    if access(paths.lock, R_OK | W_OK) == 0 { return true }
    return errno == ENOENT && access(paths.directory, W_OK) == 0
  }
}

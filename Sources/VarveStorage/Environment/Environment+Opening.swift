import CVarve
import Glibc

extension Environment {
  /// Opens a store, and makes it when there is none.
  ///
  /// - Returns: The one environment of the file in this process.
  /// - Throws: `fileNotFound` (read-only), `notADatabase`, `corrupted`, `newerFormat`, `directoryUnsafe`,
  ///   `permissionDenied`, `diskFull`, `addressSpaceExhausted`, `alreadyOpen` when the process has the file
  ///   open read-only, `busy` when another process takes too long to open it, `unsupportedLibrary`,
  ///   `unsupportedFileSystem`, `forked`, or what the system reports. Nothing is then left open.
  /// - Complexity: O(1) system calls, about a millisecond; a walk over the whole file when it is shorter
  ///   than its last page.
  package static func open(
    _ options: EnvironmentOptions
  ) throws(StorageError) -> Environment {
    if varve_is_forked() != 0 {
      throw StorageError(.forked, "The process is a fork of one that had a store open.")
    }
    try checkLibrary()
    guard varve_watch_forks() == 0 else {
      throw StorageError(.io, "The fork handler could not be registered.")
    }
    varve_ignore_file_size_signal()
    while true {
      if let environment = try EnvironmentRegistry.withOpening({
        () throws(StorageError) -> Environment? in try openOnce(options)
      }) {
        return environment
      }
      // The environment of this file is just being let go.
      usleep(200)
    }
  }

  /// The versions of liblmdb that are known to work: repaired trees since 0.9.24; 0.9.70 and later are
  /// another line of development.
  static func checkLibrary() throws(StorageError) {
    let version = Engine.libraryVersion
    guard version.major == 0, version.minor == 9, version.patch >= 24, version.patch < 90 else {
      throw StorageError(.unsupportedLibrary, "liblmdb 0.9.24 or a later 0.9 is needed.")
    }
  }

  /// Whether the installed liblmdb lays pages out as `PageLayout` says.
  static var hasKnownLibrary: Bool { Engine.libraryVersion.patch < 70 }

  /// - Returns: nil when the file is just being closed by this process.
  private static func openOnce(
    _ options: EnvironmentOptions
  ) throws(StorageError) -> Environment? {
    guard options.isInMemory else { return try openOnce(options, in: nil) }
    let (directory, path) = try PrivateDirectory.inMemory(name: options.path)
    var options = options
    options.path = path
    do throws(StorageError) {
      return try openOnce(options, in: directory)
    } catch {
      // It may have been removed under our feet by the close of its last user.
      if directory.isRemoved { return nil }
      directory.removeIfUnused()
      throw error
    }
  }

  private static func openOnce(
    _ options: EnvironmentOptions, in inMemory: PrivateDirectory?
  ) throws(StorageError) -> Environment? {
    var directory = inMemory
    var paths = try StorePaths(path: options.path)
    try paths.checkDirectory(isReadOnly: options.isReadOnly)
    try paths.checkFileSystem()
    if let identity = FileIdentity(path: paths.data) {
      if let slot = EnvironmentRegistry.slot(of: identity) {
        return try reopen(slot, options)
      }
    } else if options.isReadOnly {
      throw StorageError(.fileNotFound, "There is no such store.", path: paths.data)
    } else {
      try StoreCreation.create(paths, options)
    }
    var isCopy = false
    if options.isReadOnly, !canLock(paths) {
      let (place, path) = try PrivateDirectory.copy(of: paths)
      directory = place
      paths = try StorePaths(path: path)
      isCopy = true
    }
    do throws(StorageError) {
      return try EnvironmentOpening(
        paths: paths, options: options, directory: directory, isPrivateCopy: isCopy
      ).run()
    } catch {
      if isCopy { directory?.remove() }
      // Another process has just removed the store.
      if error.code == .fileNotFound || error.code == .signalFileReplaced, !options.isReadOnly,
        FileIdentity(path: paths.data) == nil
      {
        return nil
      }
      throw error
    }
  }

  /// Counts one more user of an environment that is open.
  private static func reopen(
    _ slot: EnvironmentSlot, _ options: EnvironmentOptions
  ) throws(StorageError) -> Environment? {
    guard let environment = slot.environment else { return nil }
    return try environment.state.withLock { (state) throws(StorageError) -> Environment? in
      if state.isTornDown { return nil }
      guard options.isReadOnly || !environment.isReadOnly else {
        throw StorageError(
          .alreadyOpen, "This process has the store open read-only.", path: environment.path)
      }
      state.openCount = state.isClosed ? 1 : state.openCount + 1
      state.isClosed = false
      return environment
    }
  }

  /// Whether a reader can use LMDB's lock file: without it, nothing keeps its pages from being reused.
  private static func canLock(_ paths: StorePaths) -> Bool {
    if access(paths.lock, R_OK | W_OK) == 0 { return true }
    return errno == ENOENT && access(paths.directory, W_OK) == 0
  }
}

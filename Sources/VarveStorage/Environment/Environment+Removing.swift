import CVarve
import Glibc

extension Environment {
  /// Removes the files of a store that no process has open.
  ///
  /// Waits for up to a second while values of a closed store are retained.
  ///
  /// - Parameter options: The store. An in-memory store has no files.
  /// - Returns: Whether a file existed.
  /// - Throws: `alreadyOpen` when this or another process has the store open, or this process
  ///   retains values of it, `busy` when another process takes too long to open it,
  ///   `directoryUnsafe`, `permissionDenied`, `forked`, or a system error. Nothing is removed if
  ///   the store is open.
  package static func remove(_ options: EnvironmentOptions) throws(StorageError) -> Bool {
    try retryingWhileHeld { (mayWait) throws(StorageError) in
      try remove(options, mayWait: mayWait)
    }
  }

  /// Removes the files of a store that is not open, in one attempt.
  ///
  /// - Parameter mayWait: Whether the caller retries while values of a closed store are retained;
  ///   they are an error otherwise.
  /// - Returns: Whether a file existed; nil while such values are retained.
  /// - Throws: The errors of ``remove(_:)``.
  package static func remove(
    _ options: EnvironmentOptions, mayWait: Bool
  ) throws(StorageError) -> Bool? {
    guard varve_is_forked() == 0 else {
      throw StorageError(.forked, "The process is a fork of one that had a store open.")
    }
    guard !options.isInMemory else { return false }
    return try EnvironmentRegistry.withOpening { () throws(StorageError) in
      let paths: StorePaths
      do throws(StorageError) {
        paths = try StorePaths(path: options.path)
      } catch {
        if error.code == .fileNotFound { return false }
        throw error
      }
      let files = [paths.data, paths.lock, paths.signal]
      guard files.contains(where: { FileIdentity(path: $0) != nil }) else { return false }
      try paths.checkDirectory(isReadOnly: false)
      let registryEntry = FileIdentity(path: paths.data).flatMap(EnvironmentRegistry.entry)
      if mayWait, let registryEntry, registryEntry.environment?.isClosed ?? true { return nil }
      try withUnusedFiles(paths, options) { () throws(StorageError) in
        // The data file first: without the other files it is a store, and they are useless without
        // it.
        for path in files where unlink(path) != 0 && errno != ENOENT {
          throw StorageError.system(errno, path: path, "The file could not be removed.")
        }
        try paths.syncDirectory()
      }
      return true
    }
  }

  /// Replaces a store that no process has open, or none, by a copy in the same directory, which has
  /// been closed.
  ///
  /// - Parameters:
  ///   - options: The store to replace.
  ///   - copy: The path of the copy, whose companion files are removed.
  /// - Throws: `alreadyOpen` when this or another process has the store open, `busy` when another
  ///   process takes too long to open it, `notADatabase` and similar errors for a file that is not
  ///   a store, `directoryUnsafe`, `forked`, or a system error. Both files are then unchanged.
  package static func replace(
    _ options: EnvironmentOptions, byCopy copy: String
  ) throws(StorageError) {
    guard varve_is_forked() == 0 else {
      throw StorageError(.forked, "The process is a fork of one that had a store open.")
    }
    let paths = try StorePaths(path: options.path)
    let source = try StorePaths(path: copy)
    try EnvironmentRegistry.withOpening { () throws(StorageError) in
      try paths.checkDirectory(isReadOnly: false)
      if FileIdentity(path: paths.data) != nil { _ = try RootRecord.read(path: paths.data) }
      try withUnusedFiles(paths, options) { () throws(StorageError) in
        guard rename(source.data, paths.data) == 0 else {
          throw StorageError.system(errno, path: paths.data, "The file could not be replaced.")
        }
        for path in [source.lock, source.signal] { unlink(path) }
        try paths.syncDirectory()
      }
    }
  }

  /// Runs a closure while no process has the files of a store open, and none can open them.
  ///
  /// - Throws: `alreadyOpen`; the errors of `body`.
  private static func withUnusedFiles(
    _ paths: StorePaths, _ options: EnvironmentOptions, _ body: () throws(StorageError) -> Void
  ) throws(StorageError) {
    let identity = FileIdentity(path: paths.data)
    guard identity.flatMap(EnvironmentRegistry.entry) == nil,
      !EnvironmentRegistry.isLockFileOpen(FileIdentity(path: paths.lock))
    else {
      throw StorageError(
        .alreadyOpen, "This process has the store open, or retains values read from it.",
        path: paths.data)
    }
    // A process that opens the store meanwhile waits for the end of the closure, and then finds new
    // files or none.
    let signal = try SignalFile.open(
      paths, access: FileAccess(ofDataFile: paths.data, otherwise: options.fileMode),
      timeout: options.openTimeout)
    defer { signal.endOpening() }
    let isDataInUse =
      FileIdentity(path: paths.data) == nil ? false : try DataFile.isInUse(path: paths.data)
    guard !isDataInUse, try !SignalPage.isInUse(signal), try !LockFile.isInUse(path: paths.lock)
    else {
      signal.discardIfNew()
      throw StorageError(.alreadyOpen, "Another process has the store open.", path: paths.data)
    }
    try body()
  }
}

import Glibc

/// Writing a file anew without free pages, before it is opened.
extension EnvironmentOpening {
  /// Compacts the file if the options' closure wants that, and nobody else has it open.
  ///
  /// The file is written under a temporary name, checked, synchronised, and put in its place by a rename. It is
  /// another history from then on. What fails is told to the options' closure, and leaves the file as it was; but if
  /// its name cannot be put on the disk, the new file stays. A compaction that the options' observer stops leaves the
  /// file as it was too, and the closure is not called: the opening is to end.
  ///
  /// - Returns: Whether there may be another file now.
  /// - Complexity: O(free pages); O(pages) where the file is written.
  func compactIfWanted(_ file: DataFile, _ page: SignalPage?) -> Bool {
    guard let shouldCompact = options.shouldCompact, !options.isReadOnly, let page, page.isFirstUser
    else { return false }
    var hasBegun = false
    do throws(StorageError) {
      // One that reads without a signal page.
      if try LockFile.isInUse(path: paths.lock) { return false }
      // LMDB trusts what it reads.
      try StoreCopy.check(paths.data, tellingOf: paths.data, options.copyObserver)
      return try withQuietEngine(file) { (engine) throws(StorageError) in
        let space = try space(of: engine, file)
        guard shouldCompact(file.byteCount, space.liveCount * space.pageSize) else { return false }
        hasBegun = true
        try compact(engine, page)
        return true
      }
    } catch {
      if error.code != .cancelled { options.compactionFailed?(error) }
      return hasBegun
    }
  }

  /// Runs a body with LMDB reading a file that nobody writes to.
  private func withQuietEngine<R>(
    _ file: DataFile, _ body: (Engine) throws(StorageError) -> R
  ) throws(StorageError) -> R {
    let engine = try Engine.opened(
      paths.data, flags: Engine.openFlags | Engine.noLockFlag | Engine.readOnlyFlag,
      mode: options.fileMode, mapSize: (file.byteCount + 1 << 20) & ~65535,
      tables: options.maximumTables)
    defer { engine.close() }
    return try body(engine)
  }

  private func space(of engine: Engine, _ file: DataFile) throws(StorageError) -> FileSpace {
    let transaction = try beginRead(engine)
    defer { transaction.abort() }
    return try FileSpace(
      transaction, lastPage: engine.lastPage, pageSize: file.pageSize, pinned: [], path: paths.data)
  }

  private func compact(_ engine: Engine, _ page: SignalPage) throws(StorageError) {
    try StoreCreation.withTemporary(paths, fileAccess) {
      (opened, temporary) throws(StorageError) in
      let status = try EngineCopy(
        engine: engine, isCompacting: true, observer: options.copyObserver
      ).write(to: opened, path: temporary)
      try StorageError.check(status, path: temporary, "The file could not be compacted.")
      try StoreCopy.check(temporary, tellingOf: temporary, options.copyObserver)
      let version = try StoreCreation.renewIncarnation(path: temporary)
      try opened.sync(path: temporary)
      try options.copyObserver?.check(path: paths.data)
      guard let identity = FileIdentity(path: temporary), rename(temporary, paths.data) == 0 else {
        throw StorageError.system(errno, path: temporary, "The compacted file could not be placed.")
      }
      page.adopt(identity, version)
      try paths.syncDirectory()
    }
  }
}

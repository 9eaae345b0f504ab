import Glibc

/// Rewriting a file without free pages, before it is opened.
extension EnvironmentOpening {
  /// Compacts the file if the options' closure requests it and no other process has it open.
  ///
  /// The file is written under a temporary name, checked, synchronized, and renamed into place. It
  /// has a new history from then on. An error is reported to the options' closure, and leaves the
  /// original file unchanged. A file with leaked pages cannot be compacted: it is opened unchanged
  /// each time. The caller makes the rename durable before the next commit. A compaction that the
  /// options' observer stops also leaves the original file unchanged, and the closure is not
  /// called, because the opening ends.
  ///
  /// - Returns: Whether the file may have been replaced.
  /// - Complexity: O(free pages); O(pages) if the file is written.
  func compactIfWanted(_ file: DataFile, _ page: SignalPage?) -> Bool {
    guard let shouldCompact = options.shouldCompact, !options.isReadOnly, let page, page.isFirstUser
    else { return false }
    var hasBegun = false
    do throws(StorageError) {
      // A process may read without a signal page.
      if try LockFile.isInUse(path: paths.lock) { return false }
      // LMDB trusts the pages it reads.
      try StoreCopy.check(paths.data, tellingOf: paths.data, options.workObserver)
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

  /// Runs a body with an LMDB environment on a file that no process writes to.
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
        engine: engine, isCompacting: true, observer: options.workObserver
      ).write(to: opened, path: temporary)
      try StorageError.check(status, path: temporary, "The file could not be compacted.")
      try StoreCopy.check(temporary, tellingOf: temporary, options.workObserver)
      let version = try StoreCreation.renewIncarnation(path: temporary)
      try opened.sync(path: temporary)
      try options.workObserver?.check(path: paths.data)
      guard let identity = FileIdentity(path: temporary), rename(temporary, paths.data) == 0 else {
        throw StorageError.system(
          errno, path: temporary, "The compacted file could not be renamed.")
      }
      page.adopt(identity, version)
    }
  }
}

import CVarve
import Glibc

/// Writing a file anew without free pages, before it is opened.
extension EnvironmentOpening {
  /// Compacts the file if the options' closure wants that, and nobody else has it open.
  ///
  /// The file is written under a temporary name, checked, synchronised, and put in its place by a rename. It is
  /// another history from then on. What fails is told to the options' closure, and leaves the file as it was; but if
  /// its name cannot be put on the disk, the new file stays. A compaction that the options' observer stops leaves the
  /// file as it was too, and the closure is not called.
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
    var created: Engine?
    var status = Engine.create(&created)
    guard status == 0, let engine = created else {
      throw StorageError.engine(status, path: paths.data, "LMDB could not be started.")
    }
    defer { engine.close() }
    status = engine.setMapSize((file.byteCount + 1 << 20) & ~65535)
    if status == 0 { status = engine.setMaximumTables(options.maximumTables) }
    if status == 0 {
      let flags = Engine.openFlags | Engine.noLockFlag | Engine.readOnlyFlag
      status = engine.open(path: paths.data, flags: flags, mode: options.fileMode)
    }
    guard status == 0 else {
      throw StorageError.engine(status, path: paths.data, "The store could not be opened.")
    }
    return try body(engine)
  }

  private func space(of engine: Engine, _ file: DataFile) throws(StorageError) -> FileSpace {
    var begun: EngineTransaction?
    let status = engine.begin(parent: nil, readOnly: true, &begun)
    guard status == 0, let transaction = begun else {
      throw StorageError.engine(status, path: paths.data, "The store could not be read.")
    }
    defer { transaction.abort() }
    return try FileSpace(
      transaction, lastPage: engine.lastPage, pageSize: file.pageSize, pinned: [], path: paths.data)
  }

  private func compact(_ engine: Engine, _ page: SignalPage) throws(StorageError) {
    let temporary = StoreCreation.temporaryPath(paths)
    do throws(StorageError) {
      let opened = try OpenFile(
        path: temporary, flags: O_RDWR | O_CREAT | O_EXCL, mode: options.fileMode)
      // Says that its maker lives; see `StoreCreation`.
      _ = varve_file_lock(opened.descriptor, 0, 1)
      try FileAccess(ofDataFile: paths.data, otherwise: options.fileMode)
        .apply(to: opened.descriptor, path: temporary)
      let status = try EngineCopy(
        engine: engine, isCompacting: true, observer: options.copyObserver
      ).write(to: opened, path: temporary)
      guard status == 0 else {
        throw StorageError.engine(status, path: temporary, "The file could not be compacted.")
      }
      try StoreCopy.check(temporary, tellingOf: temporary, options.copyObserver)
      let version = try StoreCreation.renewIncarnation(path: temporary)
      try opened.sync(path: temporary)
      try options.copyObserver?.check(path: paths.data)
      guard let identity = FileIdentity(path: temporary), rename(temporary, paths.data) == 0 else {
        throw StorageError.system(errno, path: temporary, "The compacted file could not be placed.")
      }
      page.adopt(identity, version)
      try paths.syncDirectory()
    } catch {
      unlink(temporary)
      var error = error
      if error.path == temporary { error.path = paths.data }
      throw error
    }
  }
}

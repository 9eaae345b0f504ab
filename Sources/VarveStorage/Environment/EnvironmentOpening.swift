import CVarve
import Glibc

/// The steps of opening a file that exists. What has been opened is closed when a later step fails.
struct EnvironmentOpening {
  let paths: StorePaths
  let options: EnvironmentOptions
  let directory: PrivateDirectory?
  let isPrivateCopy: Bool

  func run() throws(StorageError) -> Environment {
    let file = try DataFile(path: paths.data)
    try checkOwner(file)
    guard options.isReadOnly || access(paths.data, R_OK | W_OK) == 0 else {
      throw StorageError.system(errno, path: paths.data, "The store cannot be written.")
    }
    let page = try openSignalPage(file.identity)
    defer { page?.endOpening() }
    do throws(StorageError) {
      return try run(file, page)
    } catch {
      page?.leave()
      throw error
    }
  }

  private func run(
    _ file: DataFile, _ page: SignalPage?
  ) throws(StorageError) -> Environment {
    let lockIdentity = try LockFile.prepare(
      path: paths.lock, readers: options.maximumReaders, mode: options.fileMode)
    let (engine, mapSize) = try openEngine(file)
    let slot = EnvironmentSlot()
    EnvironmentRegistry.register(slot, file.identity)
    do throws(StorageError) {
      return try assemble(
        file, page, engine: engine, mapSize: mapSize, lockIdentity: lockIdentity, slot: slot)
    } catch {
      engine.close()
      slot.free()
      throw error
    }
  }

  /// In a directory that everybody can write to, a file of another user is not to be trusted.
  private func checkOwner(_ file: DataFile) throws(StorageError) {
    var status = stat()
    guard stat(paths.directory, &status) == 0, status.st_mode & S_IWOTH != 0,
      !options.isReadOnly, file.ownerID != geteuid(), file.ownerID != 0
    else { return }
    throw StorageError(
      .directoryUnsafe, "The file is another user's, in a directory of everybody.",
      path: paths.data)
  }

  /// The signal page; nil for a reader who cannot write it.
  private func openSignalPage(_ identity: FileIdentity) throws(StorageError) -> SignalPage? {
    do throws(StorageError) {
      return try SignalPage(
        path: paths.signal, mode: options.fileMode, dataFile: identity,
        timeout: options.openTimeout)
    } catch {
      if options.isReadOnly, error.code == .permissionDenied { return nil }
      throw error
    }
  }

  /// Opens LMDB's environment, with a smaller map where the address space does not allow the wanted one.
  private func openEngine(_ file: DataFile) throws(StorageError) -> (Engine, Int) {
    var flags = Engine.openFlags
    if options.isReadOnly { flags |= Engine.readOnlyFlag }
    switch options.durability {
    case .full: break
    case .relaxed: flags |= Engine.noMetaSyncFlag
    case .none: flags |= Engine.noSyncFlag
    }
    let least = max(2 * file.byteCount, 1 << 20)
    var size = options.mapSize ?? max(16 << 30, 8 * file.byteCount)
    size = max(size, file.byteCount + 64 * file.pageSize)
    size = (size + file.pageSize - 1) & ~(file.pageSize - 1)
    while true {
      var created: Engine?
      var status = Engine.create(&created)
      guard status == 0, let engine = created else {
        throw StorageError.engine(status, path: paths.data, "LMDB could not be started.")
      }
      status = engine.setMapSize(size)
      if status == 0 { status = engine.setMaximumReaders(options.maximumReaders) }
      if status == 0 { status = engine.setMaximumTables(options.maximumTables) }
      if status == 0 {
        status = engine.open(path: paths.data, flags: flags, mode: options.fileMode)
      }
      if status == 0 { return (engine, engine.mapSize) }
      engine.close()
      guard status == ENOMEM, options.mapSize == nil, size / 2 >= least else {
        throw StorageError.engine(status, path: paths.data, "The store could not be opened.")
      }
      size = size / 2 & ~(file.pageSize - 1)
    }
  }

  private func assemble(
    _ file: DataFile, _ page: SignalPage?, engine: Engine, mapSize: Int,
    lockIdentity: FileIdentity, slot: EnvironmentSlot
  ) throws(StorageError) -> Environment {
    var dead: Int32 = 0
    _ = engine.checkReaders(&dead)
    let descriptor = engine.fileDescriptor
    let pageSize = engine.pageSize
    let mapping = try ReadMapping(descriptor: descriptor, byteCount: mapSize, path: paths.data)
    let meta = try ReadMapping(
      descriptor: descriptor, byteCount: 2 * pageSize, path: paths.data)
    let isPaged =
      options.reader == .pages && Environment.hasKnownLibrary
      && MetaPage.hasKnownLayout(base: mapping.base, pageSize: pageSize)
    if MetaPage.hasKnownLayout(base: mapping.base, pageSize: pageSize) {
      // LMDB crashes on what the walk finds: the few pages of the unnamed table are looked at each time.
      try StructureWalk.check(
        mapping: mapping, pageSize: pageSize, path: paths.data, onlyTables: !file.isShort)
    }
    let (mainTable, handles, root) = try openTables(engine)
    let environment = Environment(
      EnvironmentParts(
        path: paths.data, options: options, isPrivateCopy: isPrivateCopy, isPaged: isPaged,
        fileKey: root.fileKey, identity: file.identity, pageSize: pageSize,
        commitSignal: CommitSignal(page: page, meta: meta, pageSize: pageSize),
        engine: engine, mainTable: mainTable, handles: handles, mapping: mapping,
        mapSize: mapSize, lockFileIdentity: isPrivateCopy ? nil : lockIdentity, signalPage: page,
        slot: slot, privateDirectory: directory))
    slot.fill(environment)
    if let page, page.needsRenewal(root: root) {
      if options.isReadOnly {
        page.postponeRenewal()
      } else {
        try environment.renewIncarnation()
      }
    } else if let page, page.isFirstUser, !options.isReadOnly {
      page.remember(root.version)
    }
    return environment
  }

  /// Opens the handles of the tables that every store has, and reads the root record through LMDB.
  private func openTables(
    _ engine: Engine
  ) throws(StorageError) -> (EngineTable, [(Table, EngineTable)], RootRecord) {
    var begun: EngineTransaction?
    let status = engine.begin(parent: nil, readOnly: true, &begun)
    guard status == 0, let transaction = begun else {
      throw StorageError.engine(status, path: paths.data, "The store could not be read.")
    }
    do throws(StorageError) {
      var main: EngineTable = 0
      try check(transaction.open(.main, create: false, &main))
      var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      let found = transaction.get(main, RootRecord.keyBytes, &bytes)
      if found == Engine.notFound {
        throw StorageError(.notADatabase, "The file has no root record.", path: paths.data)
      }
      try check(found)
      var root: RootRecord
      do throws(StorageError) {
        root = try RootRecord(decoding: bytes)
      } catch {
        var error = error
        error.path = paths.data
        throw error
      }
      var handles: [(Table, EngineTable)] = []
      for table in Table.fixed {
        var handle: EngineTable = 0
        let status = transaction.open(table, create: false, &handle)
        if status == Engine.notFound {
          throw StorageError(.corrupted, "A table is missing.", path: paths.data)
        }
        try check(status)
        handles.append((table, handle))
      }
      let committed = transaction.commit()
      guard committed == 0 else {
        throw StorageError.engine(committed, path: paths.data, "The tables could not be opened.")
      }
      return (main, handles, root)
    } catch {
      // A commit that fails has ended the transaction; everything else has not.
      if error.detail != "The tables could not be opened." { transaction.abort() }
      throw error
    }
  }

  private func check(_ status: Engine.Status) throws(StorageError) {
    guard status == 0 else {
      throw StorageError.engine(status, path: paths.data, "The store could not be read.")
    }
  }
}

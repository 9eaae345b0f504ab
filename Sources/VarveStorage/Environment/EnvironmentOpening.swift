import CVarve
import Glibc

/// The stages of opening an existing file. Everything already opened is closed when a later stage
/// fails.
struct EnvironmentOpening {
  let paths: StorePaths
  let options: EnvironmentOptions
  var isPrivateCopy = false

  /// Opens the file, and creates it if it does not exist.
  ///
  /// - Returns: nil when another process has replaced the file meanwhile: the caller must open the
  ///   new file.
  func run() throws(StorageError) -> Environment? {
    guard !EnvironmentRegistry.isLockFileOpen(FileIdentity(path: paths.lock)) else {
      throw StorageError(
        .dataFileReplaced,
        "This process has another data file open under this name, or retains values of it.",
        path: paths.data)
    }
    // From here on no other process opens, creates, compacts or removes the store.
    let signal = try openSignalFile()
    defer { signal?.endOpening() }
    do throws(StorageError) {
      return try run(signal)
    } catch {
      signal?.discardIfNew()
      throw error
    }
  }

  private func run(_ signal: SignalFile?) throws(StorageError) -> Environment? {
    if let signal, !options.isReadOnly, options.createsFile { try createIfMissing(signal) }
    var file = try DataFile(path: paths.data)
    try checkOwner(file)
    let isAccessible = options.isReadOnly || access(paths.data, R_OK | W_OK) == 0
    try StorageError.check(
      isAccessible, path: paths.data, "The store cannot be written.")
    let lock = try LockFile.prepare(
      paths, readers: options.maximumReaders, access: fileAccess)
    do throws(StorageError) {
      return try run(signal, &file, lock)
    } catch {
      // No other process has opened the store meanwhile.
      if lock.isNew, signal != nil { unlink(paths.lock) }
      throw error
    }
  }

  private func run(
    _ signal: SignalFile?, _ file: inout DataFile, _ lock: (identity: FileIdentity, isNew: Bool)
  ) throws(StorageError) -> Environment? {
    if let signal { try checkUse(signal, isLockNew: lock.isNew) }
    let page = try signal.map { (signal) throws(StorageError) in
      try SignalPage(signal, dataFile: file.identity, lockFile: lock.identity)
    }
    let opened: (Environment, RootRecord)?
    do throws(StorageError) {
      let isFirstDurableWriter = try beginUse(page)
      if try resolveLastCommit(page) { file = try DataFile(path: paths.data) }
      let mayBeReplaced = compactIfWanted(file, page)
      // The process that created or compacted the file may have died before its directory entry was
      // durable, or failed to synchronize it. Later commits are written to this file: a power
      // failure must not restore another one. It costs microseconds when there is nothing to do.
      if isFirstDurableWriter || mayBeReplaced { try paths.syncDirectory() }
      if mayBeReplaced { file = try DataFile(path: paths.data) }
      if let page, page.isFirstUser { page.durableID = file.newestTransactionID }
      try options.workObserver?.check(path: paths.data)
      opened = try run(file, page, lock.identity)
    } catch {
      page?.leave()
      throw error
    }
    guard let (environment, root) = opened else {
      page?.leave()
      return nil
    }
    // The environment owns the opened files now.
    do throws(StorageError) {
      try adoptHistory(of: environment, page, root)
    } catch {
      environment.abandon()
      throw error
    }
    return environment
  }

  /// Ensures that no process uses the data file with companion files that were removed: processes
  /// that do not see each other's readers reuse the pages that the others read.
  private func checkUse(_ signal: SignalFile, isLockNew: Bool) throws(StorageError) {
    let isSignalUsed = try SignalPage.isInUse(signal)
    guard isLockNew || !isSignalUsed else { return try LockFile.checkUsers(paths) }
    // The files of an exiting process are closed one after another.
    for _ in 0..<100 {
      guard try DataFile.isInUse(path: paths.data) else { return }
      usleep(1000)
    }
    throw StorageError(
      isLockNew ? .lockFileReplaced : .signalFileReplaced,
      "Other processes use the store with companion files that were removed; close it and release its values in all of them.",
      path: paths.data)
  }

  /// Creates the data file if it does not exist or is empty.
  ///
  /// - Throws: `dataFileReplaced` when processes use a file that had this name; no file is created
  ///   then.
  private func createIfMissing(_ signal: SignalFile) throws(StorageError) {
    guard FileIdentity(path: paths.data) == nil || StoreCreation.isEmpty(paths.data) else { return }
    guard try !SignalPage.isInUse(signal) else { throw SignalPage.anotherDataFile(paths.data) }
    try StoreCreation.create(paths, options)
  }

  /// Enters the process as a user of the store, and removes the temporary files of dead processes.
  ///
  /// - Returns: Whether no other process has the store open for writing, and commits are durable.
  private func beginUse(_ page: SignalPage?) throws(StorageError) -> Bool {
    guard let page, !options.isReadOnly else { return false }
    let isFirstWriter = try page.enter(options.durability)
    if page.isFirstUser { StoreCreation.removeLeftovers(paths) }
    return isFirstWriter && options.durability != .none && !options.isInMemory
  }

  /// Takes back the last commit if it never became durable, before anything else of the file is
  /// read. Only the first user can tell: the signal page contains the durable version for the
  /// others.
  ///
  /// - Returns: Whether the file was changed.
  /// - Throws: `unfinishedCommit` when the file would have to be changed, and this process only
  ///   reads.
  private func resolveLastCommit(_ page: SignalPage?) throws(StorageError) -> Bool {
    guard !options.isInMemory else { return false }
    guard let page else {
      try waitForLastCommit()
      return false
    }
    guard page.isFirstUser else { return false }
    // Other programs, and processes without a signal page, use LMDB's lock file only. It is locked
    // until the commit is taken back.
    let isChanged = try LockFile.withExclusiveLock(path: paths.lock) {
      (isLocked) throws(StorageError) in
      let isUsed = try DataFile.isInUse(path: paths.data)
      return try resolveLastCommit(page, isAlone: isLocked && !isUsed)
    }
    page.failedID = 0
    if isChanged { options.commitTakenBack?() }
    return isChanged
  }

  private func resolveLastCommit(
    _ page: SignalPage, isAlone: Bool
  ) throws(StorageError) -> Bool {
    do throws(StorageError) {
      return try UnfinishedCommit.resolve(
        path: paths.data, failedID: page.failedID, durableID: page.durableID,
        mayWrite: isAlone && access(paths.data, W_OK) == 0,
        isDurable: options.durability == .full, noteFailure: { page.failedID = $0 })
    } catch {
      guard error.code == .unfinishedCommit, !isAlone, !options.isReadOnly else { throw error }
      throw StorageError(
        .alreadyOpen,
        "The last commit of the file is not complete, and another program reads the file; end that program.",
        path: paths.data)
    }
  }

  /// Waits, without a signal page, until the last commit of the file is complete.
  ///
  /// - Throws: `unfinishedCommit` when it stays incomplete: its process has ended.
  private func waitForLastCommit() throws(StorageError) {
    guard let id = try UnfinishedCommit.incompleteID(path: paths.data) else { return }
    for _ in 0..<1000 {
      usleep(1000)
      guard try UnfinishedCommit.incompleteID(path: paths.data) == id else { return }
    }
    throw StorageError(.unfinishedCommit, "The last commit is not complete.", path: paths.data)
  }

  /// - Returns: nil when the path denotes another file since the file was examined.
  private func run(
    _ file: DataFile, _ page: SignalPage?, _ lockIdentity: FileIdentity
  ) throws(StorageError) -> (Environment, RootRecord)? {
    let (engine, mapping) = try openEngine(file)
    guard FileIdentity(descriptor: engine.fileDescriptor) == file.identity else {
      engine.close()
      return nil
    }
    let registryEntry = EnvironmentEntry(file: file.identity, lockFile: lockIdentity)
    EnvironmentRegistry.register(registryEntry)
    do throws(StorageError) {
      // A reader without a signal file must not lock out a process that has to create it.
      if page != nil { try DataFile.beginUse(engine.fileDescriptor, path: paths.data) }
      return try assemble(
        file, page, engine: engine, mapping: mapping, lockIdentity: lockIdentity,
        registryEntry: registryEntry)
    } catch {
      DataFile.endUse(engine.fileDescriptor)
      engine.close()
      EnvironmentRegistry.remove(registryEntry)
      throw error
    }
  }

  /// The owner and mode of the files next to the data file.
  var fileAccess: FileAccess {
    FileAccess(ofDataFile: paths.data, otherwise: options.fileMode)
  }

  /// In a world-writable directory, a file of another user is not trusted.
  private func checkOwner(_ file: DataFile) throws(StorageError) {
    var status = stat()
    status.st_uid = file.ownerID
    try paths.checkOwner(status, path: paths.data)
  }

  /// Opens the signal file; nil for a reader that may not write it, or has no space to make it.
  private func openSignalFile() throws(StorageError) -> SignalFile? {
    do throws(StorageError) {
      return try SignalFile.open(
        paths, access: fileAccess, timeout: options.openTimeout,
        options.workObserver)
    } catch {
      if options.isReadOnly, [.permissionDenied, .diskFull].contains(error.code) { return nil }
      var error = error
      // A caller that creates a store does not know the names of the other files.
      if error.path == paths.signal, FileIdentity(path: paths.data) == nil {
        error.path = paths.data
      }
      throw error
    }
  }

  /// Opens LMDB's environment and the mapping for reading, with smaller maps if the address space
  /// does not allow the requested size.
  private func openEngine(_ file: DataFile) throws(StorageError) -> (Engine, ReadMapping) {
    let least = max(2 * file.byteCount, 1 << 20)
    var size = options.mapSize ?? max(16 << 30, 8 * file.byteCount)
    size = max(size, file.byteCount + 64 * file.pageSize)
    size = (min(size, .max - file.pageSize) + file.pageSize - 1) & ~(file.pageSize - 1)
    while true {
      do throws(StorageError) {
        return try openEngine(mapSize: size, tables: tableRoom(file))
      } catch {
        guard error.code == .addressSpaceExhausted, options.mapSize == nil, size / 2 >= least
        else { throw error }
        size = size / 2 & ~(file.pageSize - 1)
      }
    }
  }

  /// Returns the number of tables to configure in LMDB: many more than the file has.
  ///
  /// Each begin of a write copies four bytes per table, so that configuring `maximumTables` would
  /// dominate the cost of a small write.
  private func tableRoom(_ file: DataFile) -> Int {
    min(options.maximumTables, max(2048, 2 * min(file.tableCount, options.maximumTables)))
  }

  private func openEngine(mapSize: Int, tables: Int) throws(StorageError) -> (Engine, ReadMapping) {
    // Durable commits are synchronized by `Environment.completeCommit(after:)`.
    var flags = Engine.openFlags | Engine.noSyncFlag
    if options.isReadOnly { flags |= Engine.readOnlyFlag }
    let engine = try openLockable { () throws(StorageError) in
      try Engine.opened(
        paths.data, flags: flags, mode: options.fileMode, mapSize: mapSize, tables: tables,
        readers: options.maximumReaders)
    }
    do throws(StorageError) {
      let mapping = try ReadMapping(
        descriptor: engine.fileDescriptor, byteCount: engine.mapSize, path: paths.data)
      return (engine, mapping)
    } catch {
      engine.close()
      throw error
    }
  }

  /// Repeats an opening of LMDB's environment while its mutexes are destroyed.
  ///
  /// Some versions of LMDB, such as 0.9.31, destroy the mutexes when the last user closes the
  /// environment, also if another process has begun to open it; an opening without others
  /// initializes them. Until then a read transaction fails with `EINVAL`.
  private func openLockable(
    _ open: () throws(StorageError) -> Engine
  ) throws(StorageError) -> Engine {
    try Environment.retryingWhileHeld { (mayWait) throws(StorageError) -> Engine? in
      let engine = try open()
      var begun: EngineTransaction?
      let status = engine.begin(parent: nil, readOnly: true, &begun)
      begun?.abort()
      guard status == EINVAL, mayWait else { return engine }
      engine.close()
      return nil
    }
  }

  private func assemble(
    _ file: DataFile, _ page: SignalPage?, engine: Engine, mapping: ReadMapping,
    lockIdentity: FileIdentity, registryEntry: EnvironmentEntry
  ) throws(StorageError) -> (Environment, RootRecord) {
    var dead: Int32 = 0
    _ = engine.checkReaders(&dead)
    let descriptor = engine.fileDescriptor
    let pageSize = engine.pageSize
    let meta = try ReadMapping(
      descriptor: descriptor, byteCount: 2 * pageSize, path: paths.data)
    try checkStructure(
      engine, mapping, pageSize: pageSize, file.isShort ? .everything : .tables)
    let (mainTable, handles, root) = try openTables(engine)
    let memory = EngineMemory(engine)
    var visible: VisibleVersion?
    if options.findsVisibleVersion {
      visible = try VisibleVersion(lockPath: paths.lock, memory) { () throws(StorageError) in
        let transaction = try beginRead(engine)
        defer { transaction.abort() }
        return transaction.id
      }
    }
    let environment = Environment(
      path: paths.data, options: options, isPrivateCopy: isPrivateCopy,
      fileKey: root.fileKey, identity: file.identity, pageSize: pageSize,
      commitSignal: CommitSignal(page: page, meta: meta, pageSize: pageSize),
      engine: engine, engineMemory: memory, mainTable: mainTable, handles: handles,
      mapping: mapping, lockFileIdentity: isPrivateCopy ? nil : lockIdentity,
      visibleVersion: visible,
      signalPage: page, registryEntry: registryEntry)
    registryEntry.fill(environment)
    return (environment, root)
  }

  /// Compares the file with the record of it in the signal page, and renews the incarnation if they
  /// differ.
  private func adoptHistory(
    of environment: Environment, _ page: SignalPage?, _ root: RootRecord
  ) throws(StorageError) {
    if let page, page.needsRenewal(root: root) {
      if options.isReadOnly {
        page.postponeRenewal()
      } else {
        do throws(StorageError) {
          try environment.renewIncarnation()
        } catch {
          // A file that cannot be written can still be read.
          guard environment.refusesWrites else { throw error }
          page.postponeRenewal()
        }
      }
    } else if let page, page.isFirstUser, !options.isReadOnly {
      page.remember(root.version)
    }
  }

  /// Looks for damage that would crash LMDB: in the few pages of the unnamed table each time, in
  /// the whole file if it is too short. The version is pinned meanwhile, because other processes
  /// may be at work. A last page that is wrong prevents only writes.
  private func checkStructure(
    _ engine: Engine, _ mapping: ReadMapping, pageSize: Int, _ extent: StructureWalk.Extent
  ) throws(StorageError) {
    // Each failed attempt means that another commit has ended in the meantime.
    for _ in 0..<100_000 {
      let pin = try beginRead(engine)
      defer { pin.abort() }
      let meta = MetaPage.read(pin.id, base: mapping.base, pageSize: pageSize)
      let later = try beginRead(engine)
      let isSame = later.id == pin.id
      later.abort()
      guard isSame else { continue }
      guard let meta else {
        throw StorageError(
          .corrupted, "The newest meta page is damaged.", path: paths.data, page: pin.id & 1)
      }
      return try StructureWalk.check(
        meta, mapping: mapping, pageSize: pageSize, path: paths.data, extent: extent,
        isReadOnly: true)
    }
    throw StorageError(
      .busy, "Commits followed each other too quickly for a check.", path: paths.data)
  }

  func beginRead(_ engine: Engine) throws(StorageError) -> EngineTransaction {
    var begun: EngineTransaction?
    let status = engine.begin(parent: nil, readOnly: true, &begun)
    guard status == 0, let begun else {
      throw StorageError.engine(status, path: paths.data, "The store could not be read.")
    }
    return begun
  }

  /// Opens the handles of the standard tables, and reads the root record through LMDB.
  private func openTables(
    _ engine: Engine
  ) throws(StorageError) -> (EngineTable, [(Table, EngineTable)], RootRecord) {
    let transaction = try beginRead(engine)
    do throws(StorageError) {
      var main: EngineTable = 0
      try check(transaction.open(.main, create: false, &main))
      var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      let found = transaction.get(main, RootRecord.keyBytes, &bytes)
      if found == Engine.notFound {
        throw StorageError.noRootRecord(paths.data)
      }
      try check(found)
      let root = try RootRecord(decoding: bytes, path: paths.data)
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
      try StorageError.check(
        transaction.commit(), path: paths.data, "The tables could not be opened.")
      return (main, handles, root)
    } catch {
      // A failed commit has already ended the transaction; any other failure has not.
      if error.detail != "The tables could not be opened." { transaction.abort() }
      throw error
    }
  }

  private func check(_ status: Engine.Status) throws(StorageError) {
    try StorageError.check(status, path: paths.data, "The store could not be read.")
  }
}

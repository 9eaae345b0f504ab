import CVarve
import VarveLocks

/// Durable commits with one wait for the disk.
///
/// LMDB commits without synchronizing. The meta page is marked before, and sealed after that with
/// the checksums of the pages that the commit has written; then the file is synchronized once. If
/// the power fails before, the next opening finds that the seal does not hold, and takes the commit
/// back; see ``UnfinishedCommit``. `Docs/Format.md`, “Commit seals”, specifies the protocol.
///
/// LMDB gives the version to readers before it is durable. The signal page therefore contains the
/// id of the newest durable version, by which all processes read.
extension Environment {
  /// Whether commits wait for the disk.
  var isDurable: Bool { options.durability == .full && !options.isInMemory }

  private func seal(of id: UInt64) -> CommitSeal {
    CommitSeal(of: id, base: commitSignal.meta.base, pageSize: pageSize)
  }

  /// Returns the id of the newest durable version.
  ///
  /// A reader slot that LMDB has given a version keeps the pages of the version before, too: LMDB
  /// reuses pages that were freed before the oldest slot, and the commit itself freed those.
  ///
  /// - Parameter visible: The id of the version that LMDB gives to readers.
  /// - Complexity: O(1), no system call.
  @inline(__always)
  func durableID(ofVisible visible: UInt64) -> UInt64 {
    guard let signalPage, visible > signalPage.durableID else { return visible }
    return committedID(visible)
  }

  /// A version without a mark was committed by another program, or without durability.
  @inline(never)
  private func committedID(_ visible: UInt64) -> UInt64 {
    seal(of: visible).isMarked ? visible - 1 : visible
  }

  /// Marks a commit as unfinished. Call it with the write lock held, just before LMDB commits.
  ///
  /// - Throws: `diskFull` or a system error. The transaction must then be rolled back.
  func markCommit(_ id: UInt64) throws(StorageError) {
    let seal = seal(of: id)
    var result: Int32 = 0
    if isDurable {
      if CommitMutant.current == .markAfterCommit { return }
      result = seal.writeMarks(engine.fileDescriptor)
    } else if seal.isMarked {
      // A mark of an earlier attempt must not belong to this commit.
      result = seal.removeMarks(engine.fileDescriptor)
    }
    try StorageError.check(result, path: path, "The meta page could not be marked.")
  }

  /// Removes the marks of a commit that LMDB could not write. A mark that stays is removed by the
  /// next commit, or when the file is opened.
  func unmarkCommit(_ id: UInt64) {
    let meta = MetaPage.address(id, base: commitSignal.meta.base, pageSize: pageSize)
    guard isDurable, varve_load64(meta + PageLayout.metaTransactionID) != id else { return }
    _ = seal(of: id).removeMarks(engine.fileDescriptor)
  }

  /// Makes a commit of LMDB durable, and announces it. Call it with the write lock held.
  ///
  /// - Parameter base: The version before the commit.
  /// - Throws: `syncFailed`. Whether the commit survives is then unknown; no process can write until
  ///   all have closed the store, and the next one that opens it takes the commit back.
  func completeCommit(after base: Snapshot) throws(StorageError) {
    let id = base.transactionID + 1
    guard isDurable else {
      signalPage?.durableID = id
      return
    }
    if CommitMutant.current == .markAfterCommit {
      _ = seal(of: id).writeMarks(engine.fileDescriptor)
    }
    try synchronize(id, pagesOfCommit(after: base))
    signalPage?.durableID = id
  }

  /// Synchronizes the file once, or twice if the pages of the commit do not fit into a list.
  private func synchronize(_ id: UInt64, _ numbers: [UInt64]?) throws(StorageError) {
    let mapping = state.withLock { $0.mapping }
    let seal = CommitSeal(
      of: id, base: mapping?.base ?? commitSignal.meta.base, pageSize: pageSize)
    var result: Int32 = 0
    if numbers == nil { result = engine.sync() }
    if result == 0 { result = seal.write(numbers ?? [], engine.fileDescriptor) }
    if CommitMutant.current == .durableBeforeSync { signalPage?.durableID = id }
    if CommitMutant.current == .unlockedBeforeSync, id & 1 == 1 { return }
    if result == 0 { result = engine.sync() }
    guard result == 0 else {
      signalPage?.failedID = id
      _ = seal.writeFailure(engine.fileDescriptor)
      throw Self.syncFailure(path, result)
    }
  }

  /// Returns the pages that the newest commit of LMDB has written.
  ///
  /// - Returns: nil if there are too many for a list, or the pages of a tree cannot be read.
  private func pagesOfCommit(after base: Snapshot) -> [UInt64]? {
    let id = base.transactionID + 1
    guard let mapping = state.withLock({ $0.mapping }),
      let old = MetaPage.read(base.transactionID, base: mapping.base, pageSize: pageSize),
      let new = MetaPage.read(id, base: mapping.base, pageSize: pageSize),
      new.lastPage < UInt64(UInt32.max)
    else { return nil }
    let byteCount = mapping.readableLength((Int(new.lastPage) + 1) * pageSize)
    let pages = PageMap(
      base: mapping.base, pageSize: pageSize, limit: UInt64(byteCount / pageSize))
    return CommitPages.numbers(
      from: (old, base.pages), to: (new, pages), limit: CommitSeal.capacity(pageSize: pageSize))
  }

  /// Completes the commit of a process that ended before it could. Call it with the write lock held,
  /// before a transaction begins: no commit begins before the last one is durable.
  ///
  /// - Throws: `syncFailed` also when a commit could not be synchronized before.
  @inline(__always)
  func finishLastCommit(_ signalPage: SignalPage) throws(StorageError) {
    if signalPage.failedID != 0 { throw Self.syncFailure(path) }
    let newest = MetaPage.newestTransactionID(base: commitSignal.meta.base, pageSize: pageSize)
    if newest > signalPage.durableID { try finishCommit(newest, signalPage) }
  }

  @inline(never)
  private func finishCommit(_ id: UInt64, _ signalPage: SignalPage) throws(StorageError) {
    // Whatever the durability of this process: the next opening would take the commit back.
    if !options.isInMemory, seal(of: id).isMarked { try synchronize(id, nil) }
    signalPage.durableID = id
    commitSignal.wake()
  }

  /// Completes the commit of a process that ended before it could, unless a process is writing.
  ///
  /// - Throws: `syncFailed`; `closed`.
  func finishLastCommitIfUnlocked() throws(StorageError) {
    guard let signalPage, !isReadOnly else { return }
    try state.withLock { (state) throws(StorageError) in
      guard !state.isClosed else { throw closedError }
      state.lockUserCount += 1
    }
    defer { endUse { $0.lockUserCount -= 1 } }
    guard errorWhileLocking() == nil else { return }
    defer { signalPage.unlock() }
    try finishLastCommit(signalPage)
  }

  /// Seals the last commit without its list, so that later damage of its pages is not taken for an
  /// unfinished commit. Call it with the write lock held.
  func sealLastCommit(_ signalPage: SignalPage) {
    let newest = MetaPage.newestTransactionID(base: commitSignal.meta.base, pageSize: pageSize)
    guard isDurable, newest == signalPage.durableID, signalPage.failedID == 0,
      seal(of: newest).isMarked
    else { return }
    _ = seal(of: newest).writeWithoutList(engine.fileDescriptor)
  }

  /// Whether a commit could not be synchronized, and this is the only process that has the store
  /// open: once it has closed it, the next opening takes the commit back.
  var canRecoverFromSyncFailure: Bool {
    guard let signalPage, signalPage.failedID != 0 else { return false }
    return (try? SignalPage.isInUse(signalPage.file)) == false
  }

  static func syncFailure(_ path: String, _ error: Int32? = nil) -> StorageError {
    StorageError(
      .syncFailed,
      "A commit could not be synchronized, and may be lost; close the store in all processes, and open it again.",
      path: path, errno: error)
  }
}

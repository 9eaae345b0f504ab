import CVarve
import Glibc
import Synchronization
import VarveLocks

extension Environment {
  /// Whether `close` has been called for every opening.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  var closedError: StorageError {
    StorageError(.closed, "The store is closed.", path: path)
  }

  /// Ends one opening. After the last one, no snapshot and no write can begin; the files are closed
  /// when the last snapshot ends, which may be during this call.
  ///
  /// - Throws: `busy` when a write transaction of this process is open: the store then stays open;
  ///   `closed` when there is no opening to end; `forked`.
  package func close() throws(StorageError) {
    guard varve_is_forked() == 0 else {
      throw StorageError(.forked, "The process is a fork of the one that opened the store.")
    }
    let isLast = try state.withLock { (state) throws(StorageError) -> Bool in
      guard !state.isClosed else { throw closedError }
      if state.openCount > 1 {
        state.openCount -= 1
        return false
      }
      guard !state.isWriting else {
        throw StorageError(.busy, "A write transaction is open.", path: path, pid: getpid())
      }
      state.openCount = 0
      state.isClosed = true
      return true
    }
    if isLast { releaseLatestSnapshot() }
  }

  /// Ends an opening whose last stage failed before it was returned to the caller.
  func abandon() {
    state.withLock { state in
      state.openCount = 0
      state.isClosed = true
    }
    releaseLatestSnapshot()
  }

  /// Releases the cached newest snapshot, and closes the files if that was their last use.
  private func releaseLatestSnapshot() {
    let old = state.withLock { _ in RetiredReference(latest.swap(nil)) }
    old.retire()
    // Another thread may be using it through a hazard pointer; the caller of `close` expects the
    // files to be closed.
    HazardDomain.resolve()
    // A retained version keeps the files open, and may outlive every commit of this process.
    let isHeld = state.withLock { state in
      guard endsCommits, !state.isTornDown, state.snapshotCount > 0 else { return false }
      state.lockUserCount += 1
      return true
    }
    if isHeld { endCommitsAtClose() }
    endUse { state in if isHeld { state.lockUserCount -= 1 } }
  }

  /// Whether the last commits have to be synchronized, or sealed again.
  private var endsCommits: Bool {
    !isReadOnly && !options.isInMemory && !isPanicked.load(ordering: .relaxed)
  }

  /// Ends one use of the files, and closes them, exactly once, if it was the last use of a closed
  /// environment.
  ///
  /// The decision is made under the lock, so that a thread that opens the file again finds it
  /// either open or closed.
  ///
  /// - Parameters:
  ///   - isDropped: Whether the environment has no owner any more, closed or not.
  ///   - change: Records the end of the use, under the lock.
  func endUse(isDropped: Bool = false, _ change: (inout State) -> Void) {
    guard varve_is_forked() == 0 else { return }
    let transactions = state.withLock { state -> [EngineTransaction]? in
      change(&state)
      guard state.isClosed || isDropped, !state.isTornDown, state.snapshotCount == 0,
        state.lockUserCount == 0
      else { return nil }
      state.isTornDown = true
      state.isClosed = true
      defer {
        state.idle = []
        state.reserve = nil
        state.mapping = nil
        state.room = nil
      }
      return state.idle + [takeProbe(), state.reserve].compactMap { $0 }
    }
    if let transactions { tearDown(transactions) }
  }

  /// Closes the files. Called once, by the thread that set `isTornDown`.
  func tearDown(_ transactions: [EngineTransaction]) {
    for transaction in transactions { transaction.abort() }
    if endsCommits { endCommitsAtClose() }
    DataFile.endUse(engine.fileDescriptor)
    engine.close()
    signalPage?.leave()
    EnvironmentRegistry.remove(registryEntry)
    writer.stop()
  }

  /// Makes the commits durable, or seals the last one, and records that unless another process is
  /// committing at the moment: that process does it when it closes.
  private func endCommitsAtClose() {
    let hasLock = errorWhileLocking() == nil
    let isSynced = isDurable || engine.sync() == 0
    guard hasLock, let signalPage else { return }
    if isDurable { sealLastCommit(signalPage) } else if isSynced { signalPage.noteCommitsSafe() }
    signalPage.unlock()
  }

  /// Takes the write lock if it is free.
  ///
  /// - Returns: Why it was not taken; nil if it was, or if there is no signal page.
  func errorWhileLocking() -> StorageError? {
    do throws(StorageError) {
      try signalPage?.lock(timeout: .zero, isCancelled: nil)
      return nil
    } catch {
      return error
    }
  }

  /// Assigns the file a new incarnation, so that versions from before and after are never equal.
  func renewIncarnation() throws(StorageError) {
    let observer = options.workObserver
    let transaction = try beginWrite(
      timeout: options.openTimeout, isCancelled: { observer?.isStopped == true })
    var root = transaction.root
    root.incarnation = .random()
    transaction.root = root
    _ = try transaction.commit()
  }

  /// Clears the reader slots of dead processes.
  ///
  /// - Returns: The number of cleared slots.
  @discardableResult
  package func clearStaleReaders() throws(StorageError) -> Int {
    try checkUsable()
    return try state.withLock { (state) throws(StorageError) -> Int in
      guard !state.isTornDown else { throw closedError }
      var dead: Int32 = 0
      let status = engine.checkReaders(&dead)
      guard status == 0 else { throw error(status, "The readers could not be checked.") }
      return Int(dead)
    }
  }
}

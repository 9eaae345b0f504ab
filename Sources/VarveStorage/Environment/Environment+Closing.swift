import CVarve
import Glibc
import Synchronization

extension Environment {
  /// Whether all openings have ended.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  var closedError: StorageError {
    StorageError(.closed, "The store is closed.", path: path)
  }

  /// Ends one opening. After the last one no snapshot and no write can begin; the files are let go when the
  /// last snapshot ends, which may be now.
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

  /// Ends the opening that nobody was told of, because its last step failed.
  func abandon() {
    state.withLock { state in
      state.openCount = 0
      state.isClosed = true
    }
    releaseLatestSnapshot()
  }

  /// Lets go of the kept snapshot, and of the files when that was the last use of them.
  private func releaseLatestSnapshot() {
    let old = state.withLock { _ in RetiredReference(latest.swap(nil)) }
    old.retire()
    // It may be on another thread's hands: who closes expects the files to be let go.
    HazardDomain.resolve()
    // What holds a version keeps the files open, and may outlive every commit of this process.
    let isHeld = state.withLock { state in
      guard writesLate, !state.isTornDown, state.snapshotCount > 0 else { return false }
      state.lockUserCount += 1
      return true
    }
    if isHeld { syncAtClose() }
    endUse { state in if isHeld { state.lockUserCount -= 1 } }
  }

  /// Whether commits reach the disk after they were acknowledged.
  private var writesLate: Bool {
    options.durability != .full && !isReadOnly && !options.isInMemory
      && !isPanicked.load(ordering: .relaxed)
  }

  /// Ends one use of the files, and lets them go, once, when it was the last one of a closed environment.
  ///
  /// That is decided under the lock: who opens the file again finds it either open or gone.
  ///
  /// - Parameters:
  ///   - isDropped: Whether nobody holds the environment any more, closed or not.
  ///   - change: Notes, under the lock, that the use has ended.
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

  /// Lets the files go. Once, by whoever has set `isTornDown`.
  func tearDown(_ transactions: [EngineTransaction]) {
    for transaction in transactions { transaction.abort() }
    if writesLate { syncAtClose() }
    DataFile.endUse(engine.fileDescriptor)
    engine.close()
    signalPage?.leave()
    slot.free()
    writer.stop()
  }

  /// Makes what was committed durable, and says so unless another process is committing just now: that one
  /// will say so when it closes.
  private func syncAtClose() {
    let hasLock = errorWhileLocking() == nil
    let isSynced = engine.sync() == 0
    guard hasLock, let signalPage else { return }
    if isSynced { signalPage.noteCommitsSafe() }
    signalPage.unlock()
  }

  private func errorWhileLocking() -> StorageError? {
    do throws(StorageError) {
      try signalPage?.lock(timeout: .zero, isCancelled: nil)
      return nil
    } catch {
      return error
    }
  }

  /// Gives the file a new incarnation: versions of before and of now are never equal.
  func renewIncarnation() throws(StorageError) {
    let observer = options.copyObserver
    let transaction = try beginWrite(
      timeout: options.openTimeout, isCancelled: { observer?.isStopped == true })
    var root = transaction.root
    root.incarnation = .random()
    transaction.root = root
    _ = try transaction.commit()
  }

  /// Clears the reader slots of dead processes.
  ///
  /// - Returns: How many there were.
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

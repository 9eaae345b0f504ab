import CVarve
import Glibc
import VarveLocks

extension Environment {
  /// Begins a write transaction on the calling thread, which must also end it.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait for other writers.
  ///   - isCancelled: A closure that is called about fifty times a second while waiting.
  /// - Returns: The transaction, which holds the write lock until it ends.
  /// - Throws: `busy` with the process that holds the lock and since when, `cancelled`,
  ///   `badTransaction` when this thread is in a write transaction, `readOnly`, `closed`, `forked`,
  ///   `corrupted` when damage was found before, `panicked`, `syncFailed`, `dataFileReplaced`,
  ///   `lockFileReplaced`, `signalFileReplaced`, `mapFull`, `addressSpaceExhausted`. The write lock
  ///   is not held then.
  package func beginWrite(
    timeout: Duration, isCancelled: (() -> Bool)? = nil
  ) throws(StorageError) -> WriteTransaction {
    try checkUsable()
    guard !isReadOnly, let signalPage else {
      throw StorageError(.readOnly, "The store is open read-only.", path: path)
    }
    if let damageError { throw damageError }
    let begin = ContinuousClock.now
    try state.withLock { (state) throws(StorageError) in
      guard !state.isClosed else { throw closedError }
      state.lockUserCount += 1
    }
    let wait: WriteLockWait?
    do throws(StorageError) {
      // The wait ends when the store is closed.
      wait = try signalPage.lock(timeout: timeout, isCancelled: isCancelled) { !isClosed }
    } catch {
      let isClosed = isClosed
      endUse { $0.lockUserCount -= 1 }
      guard error.code == .cancelled, isClosed else { throw error }
      throw StorageError(.closed, "The store was closed.", path: path)
    }
    do throws(StorageError) {
      // With the lock held: the next write detects a file that is replaced later.
      try checkFiles()
      try finishLastCommit(signalPage)
      try checkBeforeFirstWrite(signalPage)
      let transaction = try beginLocked(WaitLimit(begin: begin, timeout: timeout))
      if let wait { transaction.wait = wait }
      return transaction
    } catch {
      unlock(signalPage)
      throw error
    }
  }

  /// Releases the write lock, and closes the files of a store that was closed while this thread
  /// waited for it.
  private func unlock(_ signalPage: SignalPage?) {
    signalPage?.unlock()
    endUse { $0.lockUserCount -= 1 }
  }

  /// Begins the transaction with the write lock held.
  private func beginLocked(
    _ limit: consuming WaitLimit
  ) throws(StorageError) -> WriteTransaction {
    if try growIfNeeded(&limit) { try clearStaleReaders() }
    while true {
      // Before each attempt, and not earlier: a failure in between must not leave it set.
      try state.withLock { (state) throws(StorageError) in
        guard !state.isClosed else { throw closedError }
        state.isWriting = true
      }
      var begun: EngineTransaction?
      var status = engine.begin(parent: nil, readOnly: false, &begun)
      // Versions 0.9.26 to 0.9.31 destroy their lock when any process closes, which then fails once
      // with EINVAL.
      var retries = (26...31).contains(Engine.libraryVersion.patch) ? 99 : 0
      while status == EINVAL, retries > 0 {
        usleep(1000)
        status = engine.begin(parent: nil, readOnly: false, &begun)
        retries -= 1
      }
      if status == 0, let engine = begun {
        return try pinBase(engine)
      }
      noteWriteEnded()
      guard status == Engine.mapResized else {
        throw error(status, "A write transaction could not begin.")
      }
      let isAdapted = try state.withLock { (state) throws(StorageError) in
        try adoptMapSize(&state)
      }
      if !isAdapted {
        guard !limit.checkIsOver() else {
          throw StorageError(
            .mapFull, "A copy prevented the map from growing.", path: path)
        }
        usleep(1000)
      }
    }
  }

  /// Pins the version that the transaction starts from.
  private func pinBase(_ engine: EngineTransaction) throws(StorageError) -> WriteTransaction {
    do throws(StorageError) {
      let base = try snapshot()
      let (cachedRoom, mapping, handles) = try state.withLock { (state) throws(StorageError) in
        try reserveReader(&state)
        return (state.room, state.mapping, state.handles)
      }
      guard base.transactionID == engine.id - 1 else {
        throw StorageError(
          .badTransaction, "A program that does not take the write lock has committed.",
          path: path)
      }
      var room = cachedRoom
      if room == nil { room = try engineRoom(engine, mapping) }
      setWritingThread(UInt(pthread_self()))
      return WriteTransaction(
        environment: self, base: base, engine: engine, room: room, handles: handles)
    } catch {
      engine.abort()
      noteWriteEnded()
      throw error
    }
  }

  /// Finds LMDB's map with a transaction that has no changes yet.
  ///
  /// - Returns: nil when the store has been torn down.
  private func engineRoom(
    _ engine: EngineTransaction, _ mapping: ReadMapping?
  ) throws(StorageError) -> EngineRoom? {
    guard let mapping else { return nil }
    var root = UnsafeRawBufferPointer(start: nil, count: 0)
    let status = engine.get(mainTable, RootRecord.keyBytes, &root)
    guard status == 0 else { throw error(status, "A write transaction could not begin.") }
    let room = EngineRoom(root: root, mapping: mapping, pageSize: pageSize)
    state.withLock { $0.room = room }
    return room
  }

  /// Reserves a reader, so that the new version can be pinned regardless of other processes' use of
  /// the reader table: a commit must not report an error after it has succeeded. Under `state`.
  private func reserveReader(_ state: inout State) throws(StorageError) {
    guard state.reserve == nil else { return }
    // It has its reader slot already.
    if let idle = state.idle.popLast() {
      state.reserve = idle
      return
    }
    var transaction: EngineTransaction?
    guard try beginRead(&state, &transaction), let transaction else { return }
    transaction.reset()
    state.reserve = transaction
  }

  /// Releases the write lock after a transaction.
  ///
  /// - Parameter wakingOthers: Whether the transaction created a version, so that processes waiting
  ///   for a commit are woken.
  func endWrite(wakingOthers: Bool) {
    // Before other threads may begin, because they set it again.
    noteWriteEnded()
    unlock(signalPage)
    if wakingOthers { commitSignal.wake() }
  }

  private func noteWriteEnded() {
    setWritingThread(0)
    state.withLock { $0.isWriting = false }
  }

  /// Checks that the paths still denote the open files: with two lock files in use, writers destroy
  /// each other's work.
  func checkFiles() throws(StorageError) {
    if options.isInMemory { return }
    // Looked up each time: commits change the file, so that its time of change tells nothing.
    guard FileIdentity(path: path) == identity else {
      throw StorageError(
        .dataFileReplaced,
        "The data file was replaced or removed; close the store in all processes, release its values, and open it again.",
        path: path)
    }
    try checkLockFile()
    if let signalFile, !signalFile.isCurrent {
      throw StorageError(
        .signalFileReplaced,
        "The signal file was replaced or removed; close the store in all processes, release its values, and open it again.",
        path: signalFile.path)
    }
  }

  /// Checks that the path still denotes LMDB's lock file: without it, other processes reuse the
  /// pages that this one has pinned. The check is therefore also made before a version is pinned.
  ///
  /// - Complexity: A system call; see ``NamedFile``.
  func checkLockFile() throws(StorageError) {
    if let lockFile, !lockFile.isCurrent {
      throw StorageError(
        .lockFileReplaced,
        "The lock file was replaced or removed; close the store in all processes, release its values, and open it again.",
        path: lockFile.path)
    }
  }
}

/// The time that the begin of a write waits for a copy or a write that prevents the map from
/// growing: as long as it may wait for other writers, and at least a second. Most begins never use
/// it.
struct WaitLimit {
  /// When the begin was requested.
  let begin: ContinuousClock.Instant
  private let timeout: Duration
  private var end: ContinuousClock.Instant?

  init(begin: ContinuousClock.Instant, timeout: Duration) {
    self.begin = begin
    self.timeout = timeout
  }

  /// Begins the wait with the first call, and returns whether it is over.
  mutating func checkIsOver() -> Bool {
    let now = ContinuousClock.now
    let end = self.end ?? max(begin + timeout, now + .seconds(1))
    self.end = end
    return now >= end
  }
}

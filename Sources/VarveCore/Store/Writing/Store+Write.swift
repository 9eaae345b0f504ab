import Synchronization
import VarveEncoding
import VarveStorage

extension Store {
  /// Runs a write transaction on the calling thread.
  ///
  /// On this thread, inside `body`, every live handle of the store reads and writes the
  /// transaction; all other threads still read the committed version. The commit moves every view
  /// that took part.
  ///
  /// When `body` cancels the write (``cancelWriteOfThread()``), it is rolled back and the result of
  /// `body` is returned.
  ///
  /// `view`: The writing view, which takes part from the begin. `watch`: May end the wait for the
  /// write lock, as the cancellation of the task does. `timeout`: The longest wait for the write
  /// lock; nil for the value in the options.
  /// - Throws: The error of `body`, the first failure of an operation, or the error of beginning or
  ///   committing the transaction: `.busy`, `.cancelled`, `.readOnly`,
  ///   `.alreadyInWriteTransaction`, an engine failure. The transaction is then rolled back.
  package func write<R>(
    view: View?, _ watch: WorkWatch? = nil, timeout: Duration? = nil,
    _ body: (Transaction) throws -> R
  ) throws -> R {
    // A closure that captures the watch is an allocation, which no other write needs.
    let transaction =
      if let watch {
        try begin(
          timeout: timeout, isCancelled: { Task<Never, Never>.isCancelled || watch.isStopped })
      } else {
        try begin(timeout: timeout, isCancelled: { Task<Never, Never>.isCancelled })
      }
    setRunning(transaction)
    defer { transaction.takeDeferredMoves().run() }
    if let view { transaction.join(view) }
    let result: R
    do {
      result = try body(transaction)
    } catch {
      rollBack(transaction)
      throw error
    }
    if transaction.isCancelled {
      rollBack(transaction)
    } else {
      let newest = try transaction.commit()
      if newest !== transaction.base { notifier.noteOwnCommit(newest) }
    }
    return result
  }

  /// Cancels the write whose closure the calling thread runs: it is rolled back without an error.
  /// Does nothing on a thread that runs none, nor to a write that was begun by a call.
  package func cancelWriteOfThread() {
    guard let transaction = runningTransaction(for: nil) else { return }
    if !transaction.isManual { transaction.cancel() }
  }

  /// Begins a transaction, which the caller attaches to its thread.
  ///
  /// `timeout`: The longest wait for the write lock; nil for the value in the options.
  /// `isQueued`: Whether the transaction is for queued writes, each of which has its own wait.
  func begin(
    timeout: Duration? = nil, engineThread: EngineThread = .calling, isQueued: Bool = false,
    isCancelled: @escaping () -> Bool
  ) throws(Failure) -> Transaction {
    guard !isWritingThread else {
      throw Failure(
        .alreadyInWriteTransaction, "The thread is inside a write transaction of this store.",
        path: options.path)
    }
    guard !isClosed else { throw closedFailure }
    guard !options.isReadOnly else {
      throw Failure(
        .readOnly, "The store was opened read-only.", path: options.path)
    }
    try checkSound()
    let start = isQueued ? nil : events.start
    let storage: WriteTransaction
    do throws(StorageError) {
      storage = try environment.beginWrite(
        timeout: timeout ?? options.writeTimeout, isCancelled: isCancelled)
    } catch {
      if let start, error.code == .busy { events.report(.wait(.now - start)) }
      throw Failure(error)
    }
    if let start { events.report(.wait(.now - start)) }
    if let wait = storage.wait { logWait(wait) }
    do throws(Failure) {
      try checkPins(storage.base)
      try prepare(storage)
      return Transaction(
        store: self, storage: storage, engineThread: engineThread)
    } catch {
      storage.abort()
      throw error
    }
  }

  /// Reloads the schema when another process changed it, opens the tables that are not open yet,
  /// and raises the id high-water marks so that ids do not decrease after a rollback.
  private func prepare(_ storage: WriteTransaction) throws(Failure) {
    if storage.root.schemaGeneration != schema.generation {
      try checkVersion(storage.root)
      try adoptSchema(of: storage, storage.root)
    }
    storage.prepareRoot(writer.highWaterMarks.raise)
    let opened = writer.openedTables.load(ordering: .relaxed)
    if opened == 0 {
      for table in Table.fixed {
        _ = try Failure.translating(try storage.openTable(table, create: true))
      }
    }
    // Class tables are opened in advance: a table handle opened inside a nested transaction that is
    // rolled back would reuse the number of another table.
    let needed = storage.root.nextClassID + WriterState.spareClassTables
    guard opened < needed else { return }
    for id in max(1, opened + 1)...needed {
      _ = try Failure.translating(try storage.openTable(.objects(ofClass: id), create: true))
    }
  }

  /// Rolls the running transaction back.
  func rollBack(_ transaction: Transaction) {
    transaction.abort()
    transaction.moveParticipants(to: transaction.base)
  }
}

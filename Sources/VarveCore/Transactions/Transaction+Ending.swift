import VarveStorage

/// Writing what is held in memory, and ending the transaction.
extension Transaction {
  /// Writes what is held in memory and commits.
  ///
  /// - Returns: the snapshot of the new version.
  /// - Throws: the first failure of the transaction, which then keeps nothing.
  func commit() throws(Failure) -> Snapshot {
    do throws(Failure) {
      if let failure { throw failure }
      try flush()
      if let failure { throw failure }
      // Opened now, so that the next write need not change anything for it.
      if schema !== store.schema { try openSpareTables() }
      store.noteIDs(storage.root)
      handOnScratch()
      untie()
      let snapshot = try engineThread.run { () throws(Failure) in
        try engine { () throws(StorageError) in try storage.commit() }
      }
      token.settle(.committed)
      return snapshot
    } catch {
      abort()
      throw error
    }
  }

  /// Ends the transaction; nothing of it stays.
  func abort() {
    discardEdits()
    store.noteIDs(storage.root)
    untie()
    engineThread.run { storage.abort() }
    token.settle(.rolledBack)
  }

  /// Has the transaction, or the nested one that runs, end in a rollback that is no error.
  ///
  /// It is doomed: what is changed from now on is lost with what was changed before. Failures until now do
  /// not matter any more.
  func cancel() {
    failure = Failure(.cancelled, "The write was cancelled.", path: store.options.path)
  }

  /// Whether it was cancelled. A transaction that has begun fails with this code for no other reason.
  var isCancelled: Bool { failure?.code == .cancelled }

  /// Ties the transaction to the calling thread.
  func tie() {
    isTied = true
    store.setRunning(self)
  }

  /// Unties the transaction, while it still has the write lock: whoever gets the lock next ties
  /// another one.
  private func untie() {
    guard isTied else { return }
    isTied = false
    store.setRunning(nil)
  }

  /// Writes changed list nodes, collection slots and rows, so that scans see them.
  func flush() throws(Failure) {
    guard !hasLeftEngine else { return }
    try flushCollections()
    try flushRows()
  }

  func discardEdits() {
    rows.removeAll()
    lastRow = nil
    forgetCollections()
  }
}

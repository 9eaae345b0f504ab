import Synchronization
import VarveStorage

/// Flushing buffered changes, and ending the transaction.
extension Transaction {
  /// Flushes buffered changes, commits, and moves the views that took part, except for deferred
  /// moves.
  ///
  /// - Returns: The version of the commit; the one before the transaction if nothing was changed.
  /// - Throws: The first failure of the transaction, which is then rolled back.
  @discardableResult
  func commit() throws(Failure) -> Snapshot {
    for observer in skippedObservers { observer.suspend(at: base) }
    let start = store.events.start
    var isSealing = false
    defer { if isSealing { store.madeDefaults.unseal() } }
    do throws(Failure) {
      if let failure { throw failure }
      try flush()
      if !filledClasses.isEmpty {
        isSealing = true
        try storeLateDefaults()
      }
      if let failure { throw failure }
      // Opened now, so that the next write need not change the environment for it.
      if schema !== store.schema { try openSpareTables() }
      writer.highWaterMarks.note(storage.root)
      if leavesDefaults { storage.prepareRoot { $0.hasAllDefaults = false } }
      handOnScratch()
      detachHandles()
      let version = try engineThread.run { () throws(Failure) in
        try engine { () throws(StorageError) in try storage.commitVersion() }
      }
      outcome.resolve(.committed)
      for observer in skippedObservers { observer.resume(from: base, skipping: version.snapshot) }
      if schema !== store.schema { store.adopt(schema) }
      for hash in registered { store.noteChecked(hash) }
      writer.openedTables.store(openedTables, ordering: .relaxed)
      noteDefaults(version.snapshot)
      if isSealing {
        store.madeDefaults.settle(
          upTo: base.transactionID, in: version.snapshot.transactionID, schema, where: hasFilled)
        store.madeDefaults.unseal()
        isSealing = false
      }
      if let start, version.snapshot !== base { store.events.report(.commit(.now - start)) }
      moveParticipants(to: version.snapshot, retiring: version.replaced)
      if version.snapshot !== base { store.idleViews.noteOwnCommit(version.snapshot, of: store) }
      return version.snapshot
    } catch {
      abort()
      for observer in skippedObservers { observer.resume(from: base, skipping: nil) }
      moveParticipants(to: base)
      if failure == nil { store.events.report(.failedCommit) }
      throw error
    }
  }

  /// Rolls the transaction back and ends it.
  func abort() {
    discardEdits()
    writer.highWaterMarks.note(storage.root)
    detachHandles()
    engineThread.run { storage.abort() }
    outcome.resolve(.rolledBack)
  }

  /// Detaches the transaction while it still owns the write lock: the next owner of the lock
  /// attaches another transaction.
  private func detachHandles() {
    guard isManaged else { return }
    isManaged = false
    store.setRunning(nil)
  }
}

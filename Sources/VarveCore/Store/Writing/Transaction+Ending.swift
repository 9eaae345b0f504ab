import Synchronization
import VarveStorage

/// Writing what is held in memory, and ending the transaction.
extension Transaction {
  /// Writes what is held in memory, commits, and moves the views that took part, but for the late moves.
  ///
  /// - Throws: the first failure of the transaction, which then keeps nothing.
  func commit() throws(Failure) {
    for observer in skippedObservers { observer.suspend(at: base) }
    do throws(Failure) {
      if let failure { throw failure }
      try flush()
      if let failure { throw failure }
      // Opened now, so that the next write need not change anything for it.
      if schema !== store.schema { try openSpareTables() }
      writer.highWaterMarks.note(storage.root)
      handOnScratch()
      detachHandles()
      let version = try engineThread.run { () throws(Failure) in
        try engine { () throws(StorageError) in try storage.commitVersion() }
      }
      token.resolve(.committed)
      for observer in skippedObservers { observer.resume(from: base, skipping: version.snapshot) }
      if schema !== store.schema { store.adopt(schema) }
      for hash in registered { store.noteChecked(hash) }
      writer.openedTables.store(openedTables, ordering: .relaxed)
      moveParticipants(to: version.snapshot, retiring: version.replaced)
    } catch {
      abort()
      for observer in skippedObservers { observer.resume(from: base, skipping: nil) }
      moveParticipants(to: base)
      throw error
    }
  }

  /// Ends the transaction; nothing of it stays.
  func abort() {
    discardEdits()
    writer.highWaterMarks.note(storage.root)
    detachHandles()
    engineThread.run { storage.abort() }
    token.resolve(.rolledBack)
  }

  /// Unties the transaction, while it still has the write lock: whoever gets the lock next ties
  /// another one.
  private func detachHandles() {
    guard isManaged else { return }
    isManaged = false
    store.setRunning(nil)
  }
}

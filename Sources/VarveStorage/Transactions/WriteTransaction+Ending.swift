import CVarve
import Glibc

extension WriteTransaction {
  /// Makes the changes a version.
  ///
  /// The order is: write the root record, commit, pin the new version, release the write lock, signal. So
  /// the snapshot given is this commit, whatever other processes do. Without a change no version is made,
  /// and the snapshot is `base`.
  ///
  /// - Returns: The new version, pinned.
  /// - Throws: The failure of the transaction, `diskFull`, `io`, `badTransaction` on another thread than the
  ///   one that began it or with a nested transaction open. The transaction is then over and nothing is
  ///   kept; only on the wrong thread it goes on.
  package func commit() throws(StorageError) -> Snapshot {
    guard isOnOwnThread else {
      throw StorageError(
        .badTransaction, "A transaction ends on the thread that began it.",
        path: environment.path)
    }
    do throws(StorageError) {
      try checkUsable()
      guard outer.isEmpty else {
        throw StorageError(
          .badTransaction, "A nested transaction is still open.", path: environment.path)
      }
      // What was looked for in the version before, and counted there, need not be what there is.
      if let damage = environment.damageError { throw damage }
      let hasChanged = isChanged || isRootChanged
      if hasChanged { try putRoot() }
      invalidateCursors()
      try commitEngine()
      return try environment.endCommit(self, hasChanged: hasChanged)
    } catch {
      if !isEnded { abort() }
      throw error
    }
  }

  /// Ends the transaction; nothing is kept. After the end it does nothing.
  ///
  /// - Precondition: The thread is the one that began the transaction: LMDB's lock belongs to it.
  package func abort() {
    guard !isEnded else { return }
    // In a fork the transaction is the parent's.
    guard varve_is_forked() == 0 else {
      markEnded()
      return
    }
    precondition(isOnOwnThread, "A write transaction ends on the thread that began it.")
    invalidateCursors()
    current.abort()
    while let engine = outer.popLast() { engine.abort() }
    markEnded()
    environment.endAbort()
  }

  private func putRoot() throws(StorageError) {
    countVersion()
    let main = environment.mainTable
    let status = rootRecord.withBytes { current.put(main, RootRecord.keyBytes, $0) }
    guard status == 0 else { throw recordFailure(status) }
    if environment.options.durability != .full { environment.signalPage?.noteCommitsAtRisk() }
  }

  private func commitEngine() throws(StorageError) {
    let status = current.commit()
    guard status == 0 else {
      // LMDB has freed the transaction, its changes are gone.
      let error = recordFailure(status)
      markEnded()
      environment.endAbort()
      throw error
    }
    markEnded()
    environment.publish(opened)
  }
}

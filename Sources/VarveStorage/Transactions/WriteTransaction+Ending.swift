import CVarve
import Glibc

/// The result of a commit.
package struct CommittedVersion: Sendable {
  /// The new version, pinned; the version before the transaction if nothing was changed.
  package let snapshot: Snapshot
  /// The snapshot replaced by this commit. The caller must retire it, if possible together with
  /// others.
  package let replaced: RetiredReference
}

extension WriteTransaction {
  /// Commits, and retires the snapshot replaced by this commit. See ``commitVersion()``.
  package func commit() throws(StorageError) -> Snapshot {
    let version = try commitVersion()
    version.replaced.retire()
    return version.snapshot
  }

  /// Commits the changes as a new version, and ends the transaction.
  ///
  /// The stages, and the state after a failure of each:
  ///
  /// 1. The transaction is checked. On a thread that did not begin it, it stays open; every other
  ///   failure rolls it back.
  /// 2. The root record is put, with the number of the new version. A failure rolls the transaction
  ///   back.
  /// 3. The meta page is marked, and LMDB commits without waiting for the disk. A failure rolls the
  ///   transaction back, and if LMDB could not restore the meta page, every use of the environment
  ///   throws `panicked` until it is opened again.
  /// 4. With durability `.full`, the meta page is sealed, and the file synchronized; see
  ///   ``Environment/completeCommit(after:)``. After a failure, it is unknown whether the commit
  ///   survives. No process gets its version, every write throws `syncFailed` until all processes
  ///   have closed the store, and the next one that opens it takes the commit back.
  /// 5. From here on the version exists, and all processes may read it. The handles of the opened
  ///   tables are published in the process, and the signal page records the version. Neither fails.
  /// 6. The version is pinned, with the reader that the begin has reserved. Only a fork and a lost
  ///   map make it fail; the error is thrown, although the version exists.
  /// 7. The write lock is released, and the processes that wait for a commit are woken.
  ///
  /// Others get the write lock after stage 6, so the snapshot is always the version of this commit.
  /// Without a change, stages 2 and 4 to 6 are skipped, and no version is created.
  ///
  /// - Returns: The new version.
  /// - Throws: The failure of the transaction, `diskFull`, `io`, `syncFailed`, `corrupted` when damage
  ///   was found, `badTransaction` on another thread than the one that began it or with a nested
  ///   transaction open.
  package func commitVersion() throws(StorageError) -> CommittedVersion {
    guard isOnOwnThread else {
      throw StorageError(
        .badTransaction, "A transaction ends on the thread that began it.",
        path: environment.path)
    }
    let hasChanged: Bool
    do throws(StorageError) {
      try checkUsable()
      guard outer.isEmpty else {
        throw StorageError(
          .badTransaction, "A nested transaction is still open.", path: environment.path)
      }
      // Lookups and counts in the version before may have been wrong.
      if let damage = environment.damageError { throw damage }
      hasChanged = isChanged || isRootChanged
      if hasChanged {
        prepareRoot { $0.counter = base.root.counter + 1 }
        let main = environment.mainTable
        let status = rootRecord.withBytes { current.put(main, RootRecord.keyBytes, $0) }
        guard status == 0 else { throw recordFailure(status) }
        if environment.options.durability != .full { environment.signalPage?.noteCommitsAtRisk() }
        try environment.markCommit(base.transactionID + 1)
      }
    } catch {
      if !isEnded { abort() }
      throw error
    }
    invalidateCursors()
    let status = current.commit()
    markEnded()
    var isCommitted = false
    defer { environment.endWrite(wakingOthers: isCommitted) }
    // LMDB has freed a transaction that failed.
    guard status == 0 else {
      if hasChanged { environment.unmarkCommit(base.transactionID + 1) }
      throw recordFailure(status)
    }
    environment.publish(opened)
    guard hasChanged else {
      return CommittedVersion(snapshot: base, replaced: RetiredReference(nil))
    }
    try environment.completeCommit(after: base)
    isCommitted = true
    let signalPage = environment.signalPage
    signalPage?.remember(rootRecord.version)
    let (snapshot, replaced) = try environment.pinnedSnapshot(isAfterCommit: true)
    let lastPage = snapshot.fileBytes / UInt64(environment.pageSize) - 1
    signalPage?.noteCommit(snapshot.transactionID, lastPage: lastPage)
    return CommittedVersion(snapshot: snapshot, replaced: replaced)
  }

  /// Rolls the transaction back and ends it. Does nothing after the end.
  ///
  /// - Precondition: The thread is the one that began the transaction, because LMDB's lock belongs
  ///   to it.
  package func abort() {
    guard !isEnded else { return }
    // In a fork the transaction belongs to the parent.
    guard varve_is_forked() == 0 else {
      markEnded()
      return
    }
    precondition(isOnOwnThread, "A write transaction ends on the thread that began it.")
    invalidateCursors()
    current.abort()
    while let engine = outer.popLast() { engine.abort() }
    markEnded()
    environment.endWrite(wakingOthers: false)
  }
}

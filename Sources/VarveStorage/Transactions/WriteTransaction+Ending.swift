import CVarve
import Glibc

/// What a commit has made.
package struct CommittedVersion: Sendable {
  /// The new version, pinned; that before the transaction if nothing was changed.
  package let snapshot: Snapshot
  /// The snapshot that the environment kept until now. Whoever commits retires it, if possible together with others.
  package let replaced: RetiredReference
}

extension WriteTransaction {
  /// As ``commitVersion()``, and retires the snapshot that the environment has kept until now.
  package func commit() throws(StorageError) -> Snapshot {
    let version = try commitVersion()
    version.replaced.retire()
    return version.snapshot
  }

  /// Makes the changes a version, and ends the transaction.
  ///
  /// In this order, with what holds when a step fails:
  ///
  /// 1. The transaction is checked. On a thread that did not begin it, it goes on; every other failure ends it, and
  ///    nothing is kept.
  /// 2. The root record is put, with the number of the new version. A failure ends the transaction; nothing is kept.
  /// 3. LMDB commits; at durability `.full` it waits for the disk twice. A failure ends the transaction; nothing is
  ///    kept, and if the meta page was not written, every use of the environment throws `panicked` until it is opened
  ///    again.
  /// 4. From here on the version is there, and all processes may read it. The handles of the tables that were opened
  ///    become known to the process, and the signal page notes the version. Neither fails.
  /// 5. The version is pinned, by the reader that the begin has reserved. Only a fork and a lost map make it fail; the
  ///    error is thrown, though the version stays.
  /// 6. The write lock is released, and the processes that wait for a commit are woken.
  ///
  /// Others get the write lock after step 5, so the snapshot is that of this commit, whatever they do. Without a change
  /// steps 2, 4 and 5 are left out, and no version is made.
  ///
  /// - Returns: The new version.
  /// - Throws: The failure of the transaction, `diskFull`, `io`, `corrupted` when damage was met, `badTransaction` on
  ///   another thread than the one that began it or with a nested transaction open.
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
      // What was looked for in the version before, and counted there, need not be what there is.
      if let damage = environment.damageError { throw damage }
      hasChanged = isChanged || isRootChanged
      if hasChanged {
        prepareRoot { $0.counter = base.root.counter + 1 }
        let main = environment.mainTable
        let status = rootRecord.withBytes { current.put(main, RootRecord.keyBytes, $0) }
        guard status == 0 else { throw recordFailure(status) }
        if environment.options.durability != .full { environment.signalPage?.noteCommitsAtRisk() }
      }
    } catch {
      if !isEnded { abort() }
      throw error
    }
    invalidateCursors()
    let status = current.commit()
    markEnded()
    defer { environment.endWrite(wakingOthers: status == 0 && hasChanged) }
    // LMDB has freed a transaction that failed.
    guard status == 0 else { throw recordFailure(status) }
    environment.publish(opened)
    guard hasChanged else {
      return CommittedVersion(snapshot: base, replaced: RetiredReference(nil))
    }
    let signalPage = environment.signalPage
    signalPage?.remember(rootRecord.version)
    let (snapshot, replaced) = try environment.pinnedSnapshot(isAfterCommit: true)
    let lastPage = snapshot.fileBytes / UInt64(environment.pageSize) - 1
    signalPage?.noteCommit(snapshot.transactionID, lastPage: lastPage)
    return CommittedVersion(snapshot: snapshot, replaced: replaced)
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
    environment.endWrite(wakingOthers: false)
  }
}

import Glibc
import VarveLocks

extension Environment {
  /// Writes a durable, checked copy of the newest version to a new file. Writers are not blocked.
  ///
  /// The copy has a history of its own: its incarnation is new. It has no free pages, unless pages
  /// of the file are leaked: then it has the free and the leaked pages of the file.
  ///
  /// - Parameters:
  ///   - observer: Observes the copy, and may stop it until the file is renamed into place.
  /// - Throws: `cancelled` when the observer stops the copy, `fileExists` when a file exists at the
  ///   path, `badTransaction` when this thread is in a write transaction, `diskFull`, or a system
  ///   error. No file is left at the path then.
  /// - Complexity: O(pages).
  package func copy(
    to path: String, observer: WorkObserver? = nil
  ) throws(StorageError) {
    let target = try StorePaths(path: path)
    try target.checkDirectory(isReadOnly: false)
    guard FileIdentity(path: target.data) == nil else {
      throw StorageError(.fileExists, "A file exists at the path of the copy.", path: path)
    }
    // LMDB may take its write lock briefly: a thread that owns it would deadlock.
    guard writingThread != UInt(pthread_self()) else {
      throw StorageError(.badTransaction, "A copy cannot be made inside a write.", path: path)
    }
    try checkPages(of: try snapshot(), observer)
    StoreCreation.removeLeftovers(target)
    let access = FileAccess(ofDataFile: target.data, otherwise: options.fileMode)
    try StoreCreation.withTemporary(target, access) { (opened, temporary) throws(StorageError) in
      try writeCopy(to: opened, temporary, observer)
      try waitUntilDurable(try RootRecord.read(path: temporary).version, observer)
      _ = try StoreCreation.renewIncarnation(path: temporary)
      try StoreCopy.check(temporary, tellingOf: target.data, observer)
      try observer?.check(path: target.data)
      try target.publish(temporary, path: path)
    }
  }

  /// Waits until the version that LMDB has copied is durable: LMDB gives it to readers before.
  ///
  /// The commit of a process that has ended is completed, unless this process only reads.
  ///
  /// - Throws: `syncFailed`; `cancelled` when the observer stops the copy; `busy` when the commit is
  ///   not completed in time.
  private func waitUntilDurable(
    _ version: Version, _ observer: WorkObserver?
  ) throws(StorageError) {
    let deadline = ContinuousClock.now + options.openTimeout
    while true {
      let newest = try snapshot().version
      if newest.incarnation != version.incarnation || newest.counter >= version.counter { return }
      guard ContinuousClock.now < deadline else {
        throw StorageError(.busy, "The last commit of another process is not complete.", path: path)
      }
      try observer?.check(path: path)
      // A process that writes at the moment completes it itself.
      try finishLastCommitIfUnlocked()
      usleep(500)
    }
  }

  /// Writes the copy to a file opened here: LMDB's own copy function neither synchronizes the file
  /// nor sets its mode.
  private func writeCopy(
    to opened: borrowing OpenFile, _ temporary: String, _ observer: WorkObserver?
  ) throws(StorageError) {
    try state.withLock { (state) throws(StorageError) in
      try checkUsable()
      guard !state.isClosed else { throw closedError }
      // The map must not move during the copy.
      state.copyCount += 1
      state.snapshotCount += 1
    }
    defer {
      endUse { state in
        state.copyCount -= 1
        state.snapshotCount -= 1
      }
    }
    var status = try EngineCopy(engine: engine, isCompacting: true, observer: observer)
      .write(to: opened, path: temporary)
    // LMDB finds fewer pages than the file has: some were leaked. A copy that is not compacted
    // keeps them, and the free pages.
    if status == Engine.incompatible, ftruncate(opened.descriptor, 0) == 0,
      lseek(opened.descriptor, 0, SEEK_SET) == 0
    {
      status = try EngineCopy(engine: engine, isCompacting: false, observer: observer)
        .write(to: opened, path: temporary)
    }
    try StorageError.check(status, path: temporary, "The copy could not be written.")
  }

  /// Returns the meta page of a pinned version.
  ///
  /// - Returns: The meta page; nil when it belongs to a later version, or may be overwritten: the
  ///   next version has been committed, so that this page is written next.
  func metaPage(of transactionID: UInt64, _ mapping: ReadMapping) -> MetaPage? {
    guard let meta = MetaPage.read(transactionID, base: mapping.base, pageSize: pageSize) else {
      return nil
    }
    // Without LMDB's word for the visible version, a commit that is not visible yet counts too.
    let newest =
      visibleTransactionID
      ?? MetaPage.newestTransactionID(base: mapping.base, pageSize: pageSize)
    return newest == transactionID ? meta : nil
  }

  /// Checks the pages of a version: all of them for the newest version, otherwise the pages of the
  /// tables.
  ///
  /// - Throws: `corrupted` with the first damaged page; `cancelled` when the observer stops the
  ///   walk.
  /// - Complexity: O(pages), and one bit for each page of the file.
  package func checkPages(
    of snapshot: Snapshot, _ observer: WorkObserver? = nil
  ) throws(StorageError) {
    let mapping = snapshot.mapping
    // The meta page belongs to a later version when commits follow each other quickly.
    guard let meta = metaPage(of: snapshot.transactionID, mapping) else {
      return try StructureWalk.check(snapshot)
    }
    try StructureWalk.check(
      meta, mapping: mapping, pageSize: pageSize, path: path, observer: observer)
  }
}

import CVarve
import Glibc

extension Environment {
  /// Writes a copy of the newest version to a new file, durably and checked. Writers go on meanwhile.
  ///
  /// The copy is another history: its incarnation is new. It has no free pages.
  ///
  /// - Parameters:
  ///   - path: The new file.
  ///   - observer: Follows the copy, and may stop it until the file gets its name.
  /// - Throws: `cancelled` when the observer stops the copy, `fileExists` when there is something at the path, `badTransaction` when this thread is in a
  ///   write transaction, `diskFull`, or what the system reports. Nothing is then left at the path.
  /// - Complexity: O(pages).
  package func copy(
    to path: String, observer: CopyObserver? = nil
  ) throws(StorageError) {
    let target = try StorePaths(path: path)
    try target.checkDirectory(isReadOnly: false)
    guard FileIdentity(path: target.data) == nil else {
      throw StorageError(.fileExists, "There is a file at the path of the copy.", path: path)
    }
    // LMDB may take its write lock for a moment: a thread that holds it would wait for itself.
    guard writingThread != UInt(pthread_self()) else {
      throw StorageError(.badTransaction, "A copy cannot be made inside a write.", path: path)
    }
    try checkPages(of: try snapshot(), observer)
    StoreCreation.removeLeftovers(target)
    let access = FileAccess(ofDataFile: target.data, otherwise: options.fileMode)
    try StoreCreation.withTemporary(target, access) { (opened, temporary) throws(StorageError) in
      try writeCopy(to: opened, temporary, observer)
      _ = try StoreCreation.renewIncarnation(path: temporary)
      try StoreCopy.check(temporary, tellingOf: target.data, observer)
      try observer?.check(path: target.data)
      let result = varve_rename_exclusively(temporary, target.data)
      try StorageError.check(result, path: path, "The copy could not be placed.")
    }
    try target.syncDirectory()
  }

  /// Writes the copy to a file of ours: LMDB's own way neither synchronises nor sets modes.
  private func writeCopy(
    to opened: borrowing OpenFile, _ temporary: String, _ observer: CopyObserver?
  ) throws(StorageError) {
    try state.withLock { (state) throws(StorageError) in
      try checkUsable()
      guard !state.isClosed else { throw closedError }
      // The map must not move under the copy.
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
    // LMDB finds no more pages than the file has: some were lost, which does no harm but to this.
    if status == Engine.incompatible, ftruncate(opened.descriptor, 0) == 0,
      lseek(opened.descriptor, 0, SEEK_SET) == 0
    {
      status = try EngineCopy(engine: engine, isCompacting: false, observer: observer)
        .write(to: opened, path: temporary)
    }
    try StorageError.check(status, path: temporary, "The copy could not be written.")
  }

  /// The meta page of a pinned version.
  ///
  /// - Returns: nil when it belongs to a later version, or may: the version after this one has been committed, so that
  ///   the page is the next to be written.
  func metaPage(of transactionID: UInt64, _ mapping: ReadMapping) -> MetaPage? {
    guard let meta = MetaPage.read(transactionID, base: mapping.base, pageSize: pageSize),
      visibleTransactionID == transactionID
    else { return nil }
    return meta
  }

  /// Checks the pages of a version: all of them where it is the newest, those of the tables otherwise.
  ///
  /// - Throws: `corrupted` with the first damaged page; `cancelled` when the observer stops the walk.
  /// - Complexity: O(pages), and one bit for each page of the file.
  package func checkPages(
    of snapshot: Snapshot, _ observer: CopyObserver? = nil
  ) throws(StorageError) {
    let mapping = snapshot.mapping
    // Its meta page belongs to a later version when commits come fast.
    guard let meta = metaPage(of: snapshot.transactionID, mapping) else {
      return try StructureWalk.check(snapshot)
    }
    try StructureWalk.check(
      meta, mapping: mapping, pageSize: pageSize, path: path, observer: observer)
  }
}

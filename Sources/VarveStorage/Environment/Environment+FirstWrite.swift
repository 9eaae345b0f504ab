import CVarve
import Glibc
import Synchronization

/// The look at the pages before the first write: LMDB trusts what it reads, and a damaged page can make it crash or
/// destroy more.
extension Environment {
  /// Files up to this size are checked completely where there is a reason to.
  static let largestCheckedFile: UInt64 = 1 << 30

  /// Whether a look at the pages has found damage that keeps the file from being written to.
  var refusesWrites: Bool { writeRefusal.withLock { $0 != nil } }

  /// Checks what LMDB reads when it writes, once. With the write lock held, so that the newest version stays so.
  ///
  /// It is the free list always; and all pages, of a file that comes from elsewhere or was written to when the machine
  /// went down. Reads go on after a check that has found damage.
  ///
  /// - Throws: `corrupted` with the page, from then on each time.
  /// - Complexity: O(1) after the first time. Then O(pages of the free list), or O(pages) up to
  ///   ``largestCheckedFile``.
  @inline(__always)
  func checkBeforeFirstWrite(_ signalPage: SignalPage) throws(StorageError) {
    if _slowPath(!isChecked.load(ordering: .relaxed)) { try checkPages(signalPage) }
  }

  private func checkPages(_ signalPage: SignalPage) throws(StorageError) {
    if let refusal = writeRefusal.withLock({ $0 }) { throw refusal }
    do throws(StorageError) {
      if let mapping = try wholeMapping { try checkNewestVersion(mapping, signalPage) }
    } catch {
      if error.code == .corrupted { writeRefusal.withLock { $0 = error } }
      throw error
    }
    signalPage.noteWriting(isDurable: options.durability == .full && !options.isInMemory)
    isChecked.store(true, ordering: .relaxed)
  }

  /// A map of all that the file has: it may have outgrown the one for reading.
  ///
  /// - Returns: nil when the store has been let go.
  private var wholeMapping: ReadMapping? {
    get throws(StorageError) {
      guard let mapping = state.withLock({ $0.mapping }) else { return nil }
      var file = stat()
      try StorageError.check(
        fstat(engine.fileDescriptor, &file) == 0, path: path,
        "The file could not be examined.")
      guard file.st_size > mapping.byteCount else { return mapping }
      return try ReadMapping(
        descriptor: engine.fileDescriptor, byteCount: Int(file.st_size), path: path)
    }
  }

  private func checkNewestVersion(
    _ mapping: ReadMapping, _ signalPage: SignalPage
  ) throws(StorageError) {
    let id = MetaPage.newestTransactionID(base: mapping.base, pageSize: pageSize)
    guard let meta = MetaPage.read(id, base: mapping.base, pageSize: pageSize) else {
      throw StorageError(
        .corrupted, "The newest meta page is damaged.", path: path, page: id & 1)
    }
    let pageCount = meta.lastPage &+ 1
    let isWhole =
      signalPage.needsCheck && pageCount <= Self.largestCheckedFile / UInt64(pageSize)
    try StructureWalk.check(
      meta, mapping: mapping, pageSize: pageSize, path: path,
      extent: isWhole ? .everything : .freeList)
    if isWhole { signalPage.noteChecked() }
  }
}

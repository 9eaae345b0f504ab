import CVarve
import Glibc
import Synchronization
import VarveLocks

/// The check of the pages before the first write: LMDB trusts the pages it reads, and a damaged one
/// can make it crash or destroy more.
extension Environment {
  /// The size up to which files are checked completely, if a check is due.
  static let largestCheckedFile: UInt64 = 1 << 30

  /// Whether a check has found damage that prevents writes to the file.
  var refusesWrites: Bool { writeRefusal.withLock { $0 != nil } }

  /// Checks, once, the pages that LMDB reads when it writes. The caller owns the write lock, so
  /// that the newest version does not change.
  ///
  /// The free list is always checked. All pages are checked for a file that comes from elsewhere or
  /// was in use when the machine went down. Reads continue after a check that found damage.
  ///
  /// - Throws: `corrupted` with the page, from then on each time.
  /// - Complexity: O(1) after the first time. The first time O(pages of the free list), or O(pages)
  ///   up to ``largestCheckedFile``.
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

  /// A mapping of the whole file, which may have outgrown the mapping for reading.
  ///
  /// - Returns: nil when the store has been torn down.
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

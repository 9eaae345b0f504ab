import CVarve
import Glibc
package import Synchronization
import VarveLocks

/// The check of the pages before LMDB touches them in a write: LMDB trusts the pages it reads, and a
/// damaged one can make it crash or destroy more.
///
/// The first write of a process checks the free list, the unnamed table and the roots of the other
/// tables. A small file is checked completely, in about 20 ms for 64 MiB. In a larger file, each
/// page is checked before LMDB first touches it; see ``PathCheck``.
///
/// When a process has checked the file completely, those that open it before all have closed it check
/// only the pages that they touch: a complete check would make each new process hold the write lock
/// for it, and none at all would leave damage that came since then to LMDB.
extension Environment {
  /// The size up to which files are checked completely, if they come from elsewhere or were being
  /// written when the machine went down.
  static let largestCheckedFile: UInt64 = 1 << 30

  /// The size up to which all other files are checked completely. Tests reduce it.
  package static let largestWalkedFile = Atomic<UInt64>(64 << 20)

  /// Whether a check has found damage that prevents writes to the file.
  var refusesWrites: Bool { writeRefusal.withLock { $0 != nil } }

  /// Checks, once, the pages that LMDB reads when it writes. The caller owns the write lock, so
  /// that the newest version does not change.
  ///
  /// Reads continue after a check that found damage.
  ///
  /// - Throws: `corrupted` with the page, from then on each time.
  /// - Complexity: O(1) after the first time. The first time O(pages), or O(pages of the free list)
  ///   for a large file.
  @inline(__always)
  func checkBeforeFirstWrite(_ signalPage: SignalPage) throws(StorageError) {
    if _slowPath(!isChecked.load(ordering: .relaxed)) { try checkPages(signalPage) }
  }

  private func checkPages(_ signalPage: SignalPage) throws(StorageError) {
    if let refusal = writeRefusal.withLock({ $0 }) { throw refusal }
    do throws(StorageError) {
      if let mapping = try wholeMapping { try checkNewestVersion(mapping, signalPage) }
    } catch {
      if error.code == .corrupted { refuseWrites(error) }
      throw error
    }
    signalPage.noteWriting(isDurable: options.durability == .full && !options.isInMemory)
    isChecked.store(true, ordering: .relaxed)
  }

  /// Makes all later writes throw an error. Reads continue.
  func refuseWrites(_ error: StorageError) {
    writeRefusal.withLock { if $0 == nil { $0 = error } }
    isChecked.store(false, ordering: .relaxed)
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
    // LMDB reads the meta page of the visible version, even if the other one seems newer.
    let id =
      visibleTransactionID
      ?? MetaPage.newestTransactionID(base: mapping.base, pageSize: pageSize)
    guard let meta = MetaPage.read(id, base: mapping.base, pageSize: pageSize) else {
      throw StorageError(
        .corrupted, "The newest meta page is damaged.", path: path, page: id & 1)
    }
    if let damage = meta.damageOfPair(base: mapping.base, pageSize: pageSize) {
      throw StorageError(.corrupted, damage.detail, path: path, page: damage.page)
    }
    // A damaged last page must not make a small file seem large.
    let fileEnd = UInt64(mapping.readableLength(mapping.byteCount) / pageSize)
    let isWhole = walksWholeFile(signalPage, pageCount: min(meta.lastPage &+ 1, fileEnd))
    let pages = try StructureWalk.checkedPages(
      meta, mapping: mapping, pageSize: pageSize, path: path,
      extent: isWhole ? .everything : .freeList)
    if isWhole { return signalPage.noteChecked() }
    guard let checked = CheckedPages(meta, reserved: pages) else {
      throw StorageError(
        .addressSpaceExhausted, "There is no memory to check the pages.", path: path)
    }
    checkedPages.withLock { $0 = checked }
  }

  private func walksWholeFile(_ signalPage: SignalPage, pageCount: UInt64) -> Bool {
    func isAtMost(_ byteCount: UInt64) -> Bool { pageCount <= byteCount / UInt64(pageSize) }
    if signalPage.needsCheck, isAtMost(Self.largestCheckedFile) { return true }
    return !signalPage.isChecked && isAtMost(Self.largestWalkedFile.load(ordering: .relaxed))
  }

  /// Checks all pages of the version before a write, whose pages were checked one by one so far.
  ///
  /// - Throws: `corrupted` with the first damaged page.
  /// - Complexity: O(pages).
  func checkAllPages(of base: Snapshot) throws(StorageError) {
    try checkPages(of: base)
    checkedPages.withLock { $0 = nil }
    signalPage?.noteChecked()
  }
}

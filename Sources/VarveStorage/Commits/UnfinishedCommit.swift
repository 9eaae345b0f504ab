import CVarve
import Glibc

/// The last commit of a file that no process writes to, when a power failure or the end of its
/// process may have left it unfinished.
///
/// Nothing else may read the file before `resolve` has returned.
enum UnfinishedCommit {
  /// The meta pages of a file.
  private struct Metas {
    let mapping: ReadMapping
    let pageSize: Int
    let byteCount: Int
    let newest: UInt64
    /// The id of the other meta page.
    let other: UInt64

    init(_ opened: borrowing OpenFile, path: String) throws(StorageError) {
      let file = try DataFile(opened, path: path)
      pageSize = file.pageSize
      byteCount = file.byteCount
      newest = file.newestTransactionID
      mapping = try ReadMapping(
        descriptor: opened.descriptor, byteCount: max(file.byteCount, 2 * file.pageSize),
        path: path)
      let page = MetaPage.address(newest &+ 1, base: mapping.base, pageSize: pageSize)
      other = page.u64(PageLayout.metaTransactionID)
    }

    func seal(_ id: UInt64) -> CommitSeal {
      CommitSeal(of: id, base: mapping.base, pageSize: pageSize)
    }

    /// The ids of the pages with marks that are not those of their own commits.
    var staleMarks: [UInt64] {
      [newest, newest &+ 1].filter { slot in
        let page = MetaPage.address(slot, base: mapping.base, pageSize: pageSize)
        let id = page.u64(PageLayout.metaTransactionID)
        return [CommitSeal.Layout.firstMark, CommitSeal.Layout.mark].contains {
          page.u64($0) != 0 && page.u64($0) != id
        }
      }
    }
  }

  /// Makes the newest version of the file one that is durable: either its last commit is complete,
  /// and is synchronized, or it is taken back.
  ///
  /// - Parameters:
  ///   - path: The data file.
  ///   - failedID: The commit that a process could not synchronize; 0 for none. It is taken back
  ///     even if it seems complete: the page cache may contain what the disk does not.
  ///   - durableID: The newest commit of the file that was durable when it was last open, if that is
  ///     known; otherwise 0. A page of it that has changed since is damaged.
  ///   - mayWrite: Whether the file may be changed. No other program has it open then.
  ///   - isDurable: Whether the commits to come are durable, so that the last one must be.
  ///   - noteFailure: Records that a commit could not be synchronized.
  /// - Returns: Whether a commit was taken back.
  /// - Throws: `unfinishedCommit` if the file would have to be changed and may not be, `syncFailed`,
  ///   `corrupted`, or a system error.
  /// - Complexity: O(pages of the last commit).
  static func resolve(
    path: String, failedID: UInt64, durableID: UInt64 = 0, mayWrite: Bool,
    isDurable: Bool = true, noteFailure: (UInt64) -> Void = { _ in }
  ) throws(StorageError) -> Bool {
    let opened = try OpenFile(path: path, flags: mayWrite ? O_RDWR : O_RDONLY)
    let metas = try Metas(opened, path: path)
    let seal = metas.seal(metas.newest)
    if mayWrite { try removeStaleMarks(metas, opened, path: path) }
    let isTakenBack =
      seal.isMarked && metas.newest != durableID
      && (failedID == metas.newest || !seal.isComplete(byteCount: metas.byteCount))
    if isTakenBack {
      guard mayWrite else {
        throw StorageError(.unfinishedCommit, "The last commit is not complete.", path: path)
      }
      try takeBack(metas, opened, path: path)
    }
    if !seal.isMarked, !isDurable { return false }
    // Its process may have ended before it was synchronized, or have written without durability.
    guard fdatasync(opened.descriptor) == 0 else {
      let error = errno
      // The page cache may have pages that the disk does not have.
      guard !isTakenBack, seal.isMarked, seal.hasList, metas.newest != durableID else {
        throw StorageError.system(error, path: path, "The file could not be synchronized.")
      }
      noteFailure(metas.newest)
      if mayWrite { _ = seal.writeFailure(opened.descriptor) }
      throw Environment.syncFailure(path, error)
    }
    return isTakenBack
  }

  /// Returns the id of the newest version if it is not complete.
  static func incompleteID(path: String) throws(StorageError) -> UInt64? {
    let opened = try OpenFile(path: path, flags: O_RDONLY)
    let metas = try Metas(opened, path: path)
    let seal = metas.seal(metas.newest)
    return seal.isUnfinished(byteCount: metas.byteCount) ? metas.newest : nil
  }

  /// Removes all marks of a private copy of a file, which has no commit in progress.
  ///
  /// The caller synchronizes the copy.
  ///
  /// - Parameter isCompacted: Whether the copy has one version only. Otherwise its last commit is
  ///   taken back if it is not complete.
  static func remove(fromCopy path: String, isCompacted: Bool) throws(StorageError) {
    let opened = try OpenFile(path: path, flags: O_RDWR)
    let metas = try Metas(opened, path: path)
    let seal = metas.seal(metas.newest)
    if !isCompacted, seal.isUnfinished(byteCount: metas.byteCount) {
      try takeBack(metas, opened, path: path)
    }
    for slot in [metas.newest, metas.newest &+ 1] {
      try check(metas.seal(slot).removeMarks(opened.descriptor), path)
    }
  }

  /// Returns the id of the newest complete version of a mapped file.
  ///
  /// - Parameters:
  ///   - newest: The greater id of the two meta pages.
  ///   - base: A mapping of all bytes of the file.
  static func completeID(
    newest: UInt64, base: UnsafeRawPointer, pageSize: Int, byteCount: Int
  ) -> UInt64 {
    let seal = CommitSeal(of: newest, base: base, pageSize: pageSize)
    return seal.isUnfinished(byteCount: byteCount) ? newest - 1 : newest
  }

  /// Removes marks of commits that LMDB has not written: another program may commit with their ids,
  /// and must not be taken for them.
  private static func removeStaleMarks(
    _ metas: Metas, _ opened: borrowing OpenFile, path: String
  ) throws(StorageError) {
    for slot in metas.staleMarks where slot != metas.newest || !metas.seal(slot).isMarked {
      try check(metas.seal(slot).removeMarks(opened.descriptor), path)
    }
  }

  /// Overwrites the meta page of the newest version with that of the version before, as an older
  /// one. LMDB has not reused any page of that version. The caller synchronizes the file.
  private static func takeBack(
    _ metas: Metas, _ opened: borrowing OpenFile, path: String
  ) throws(StorageError) {
    guard metas.newest >= 2, metas.other == metas.newest - 1 else {
      throw StorageError(
        .corrupted,
        "The last commit is not complete, and the meta pages are not those of consecutive versions.",
        path: path, page: metas.newest & 1)
    }
    let pageSize = metas.pageSize
    let source = MetaPage.address(metas.other, base: metas.mapping.base, pageSize: pageSize)
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: pageSize, alignment: 8)
    defer { copy.deallocate() }
    copy.initializeMemory(as: UInt8.self, repeating: 0)
    copy.copyMemory(from: UnsafeRawBufferPointer(start: source, count: PageLayout.metaEnd))
    copy.storeBytes(of: metas.newest & 1, toByteOffset: 0, as: UInt64.self)
    copy.storeBytes(of: 0, toByteOffset: CommitSeal.Layout.firstMark, as: UInt64.self)
    copy.storeBytes(
      of: metas.newest - 2, toByteOffset: PageLayout.metaTransactionID, as: UInt64.self)
    try check(
      CommitSeal.write(
        UnsafeRawBufferPointer(copy), at: Int(metas.newest & 1) * pageSize, opened.descriptor),
      path)
  }

  private static func check(_ result: Int32, _ path: String) throws(StorageError) {
    try StorageError.check(result, path: path, "The meta page could not be written.")
  }
}

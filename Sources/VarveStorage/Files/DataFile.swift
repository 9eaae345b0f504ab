import CVarve
import Glibc

/// What the head of a data file says, before LMDB is asked.
struct DataFile {
  /// The byte, beyond every file, that processes which have the file open share a lock on.
  static let useByte: Int64 = 1 << 62

  /// What a process can map at most: 2^47 bytes.
  private static let largestFile = 1 << 47

  let identity: FileIdentity
  let byteCount: Int
  let pageSize: Int
  /// Whether the file is shorter than its last page; legal, but worth a look at everything.
  var isShort: Bool { byteCount < versionBytes }
  let ownerID: UInt32
  let newestTransactionID: UInt64
  /// The bytes up to the last page of the newest version.
  let versionBytes: Int
  /// About how many tables the newest version has.
  let tableCount: Int

  /// Examines the first two pages.
  ///
  /// - Throws: `fileNotFound`, `notADatabase`, `newerFormat`, `unsupportedLibrary` when the pages are laid out
  ///   otherwise than those that ``PageMap`` reads, `corrupted` when a page of the head is damaged, `addressSpaceExhausted` when no process can map so much, or what the system reports.
  init(path: String) throws(StorageError) {
    try self.init(try OpenFile(path: path, flags: O_RDONLY), path: path)
  }

  /// Examines the first two pages of an open file, as ``init(path:)`` does.
  init(_ opened: borrowing OpenFile, path: String) throws(StorageError) {
    let status = try opened.status(path: path)
    identity = FileIdentity(status)
    byteCount = Int(status.st_size)
    guard byteCount < Self.largestFile else {
      throw StorageError(
        .addressSpaceExhausted, "The file is larger than an address space.", path: path)
    }
    ownerID = status.st_uid
    var lastPage: UInt64 = 0
    var newest: UInt64 = 0
    var size = 0
    var tables: UInt64 = 0
    let head = UnsafeMutableRawBufferPointer.allocate(byteCount: 256, alignment: 8)
    defer { head.deallocate() }
    for index in 0..<2 {
      let count = try opened.read(head, at: index * size, path: path)
      guard let base = UnsafeRawPointer(head.baseAddress), count >= PageLayout.metaEnd,
        base.u32(PageLayout.metaMagic) == PageLayout.magic,
        base.u16(PageLayout.flags) & PageLayout.meta != 0
      else {
        if index == 0 {
          throw StorageError(.notADatabase, "The file does not begin as a store does.", path: path)
        }
        throw StorageError(
          .corrupted, "The second page of the file is damaged.", path: path, page: 1)
      }
      guard base.u32(PageLayout.metaVersion) == PageLayout.dataVersion else {
        throw StorageError(
          .newerFormat, "The pages have a later layout than those of liblmdb 0.9.", path: path)
      }
      let firstSize = size
      size = Int(base.u32(PageLayout.metaFreeRecord))
      guard size >= 512, size <= 65536, size & (size - 1) == 0,
        base.u64(0) == UInt64(index), index == 0 || size == firstSize
      else {
        throw StorageError(
          .corrupted, "The head of the file is damaged.", path: path, page: UInt64(index))
      }
      guard size <= PageLayout.largestPage else {
        throw StorageError(
          .unsupportedLibrary,
          "The pages are larger than those of liblmdb 0.9.24 to 0.9.69, which is needed.",
          path: path)
      }
      let transactionID = base.u64(PageLayout.metaTransactionID)
      guard transactionID < 1 << 62 else {
        throw StorageError(
          .corrupted, "The head of the file is damaged.", path: path, page: UInt64(index))
      }
      if index == 0 || transactionID > newest {
        newest = transactionID
        lastPage = base.u64(PageLayout.metaLastPage)
        tables = base.u64(PageLayout.metaMainRecord + PageLayout.recordEntries)
      }
    }
    pageSize = size
    newestTransactionID = newest
    tableCount = Int(clamping: tables)
    guard lastPage < UInt64.max / UInt64(size) / 2 else {
      throw StorageError(.corrupted, "The head of the file is damaged.", path: path, page: 0)
    }
    versionBytes = Int(lastPage + 1) * size
  }

  /// Whether another process has the file open as a store.
  ///
  /// - Throws: What the system reports.
  static func isInUse(path: String) throws(StorageError) -> Bool {
    let opened = try OpenFile(path: path, flags: O_RDONLY)
    let result = varve_file_lock_find(opened.descriptor, useByte, nil)
    try StorageError.check(
      result == EAGAIN ? 0 : result, path: path, "The data file could not be examined.")
    return result != 0
  }

  /// Shows other processes that the file is open as a store.
  ///
  /// - Parameters:
  ///   - descriptor: LMDB's.
  ///   - path: The file, for errors.
  /// - Throws: What the system reports.
  static func beginUse(_ descriptor: Int32, path: String) throws(StorageError) {
    try StorageError.check(
      varve_file_lock(descriptor, useByte, 0), path: path, "The data file could not be locked.")
  }

  /// Ends what ``beginUse(_:path:)`` shows. The close of the descriptor would not, as long as a mapping of it lives.
  static func endUse(_ descriptor: Int32) { _ = varve_file_unlock(descriptor, useByte) }
}

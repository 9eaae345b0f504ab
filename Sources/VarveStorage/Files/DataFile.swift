import CVarve
import Glibc

/// The content of the head of a data file, read before LMDB opens it.
struct DataFile {
  /// The byte, beyond the end of every file, on which processes that have the file open share a
  /// lock.
  static let useByte: Int64 = 1 << 62

  /// The most that a process can map: 2^47 bytes.
  static let largestFile = 1 << 47

  let identity: FileIdentity
  let byteCount: Int
  let pageSize: Int
  /// Whether the file is shorter than its last page. This is legal, but a reason to check all
  /// pages.
  var isShort: Bool { byteCount < versionBytes }
  let ownerID: UInt32
  let newestTransactionID: UInt64
  /// The number of bytes up to the last page of the newest version.
  let versionBytes: Int
  /// The approximate number of tables of the newest version.
  let tableCount: Int

  /// Examines the first two pages.
  ///
  /// - Throws: `fileNotFound`, `notADatabase`, `newerFormat`, `unsupportedLibrary` when the page
  ///   layout differs from the layout that ``PageMap`` reads, `corrupted` when a page of the head
  ///   is damaged, `addressSpaceExhausted` when the file is too large to map, or a system error.
  init(path: String) throws(StorageError) {
    try self.init(try OpenFile(path: path, flags: O_RDONLY), path: path)
  }

  /// Examines the first two pages of an open file. See ``init(path:)``.
  init(_ opened: borrowing OpenFile, path: String) throws(StorageError) {
    let status = try opened.status(path: path)
    identity = FileIdentity(status)
    byteCount = Int(status.st_size)
    guard byteCount < Self.largestFile else {
      throw StorageError(
        .addressSpaceExhausted, "The file is larger than the address space.", path: path)
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
        if index == 0 { throw Self.strangeHead(head, count, path: path) }
        throw StorageError(
          .corrupted, "The second page of the file is damaged.", path: path, page: 1)
      }
      guard base.u32(PageLayout.metaVersion) == PageLayout.dataVersion else {
        throw StorageError(
          .newerFormat, "The page layout is later than that of liblmdb 0.9.", path: path)
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
          "The pages are larger than those of liblmdb 0.9.24 to 0.9.69, which is required.",
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
    guard lastPage < UInt64(Self.largestFile / size) else {
      throw StorageError(
        .corrupted, "The head of the file is damaged.", path: path, page: newest & 1)
    }
    versionBytes = Int(lastPage + 1) * size
  }

  /// The error for a first page that is not one of LMDB 0.9.
  ///
  /// The page headers of LMDB 1.0 are longer.
  private static func strangeHead(
    _ head: UnsafeMutableRawBufferPointer, _ count: Int, path: String
  ) -> StorageError {
    guard let base = UnsafeRawPointer(head.baseAddress), count >= LaterLayout.metaVersion + 4,
      base.u32(LaterLayout.metaMagic) == PageLayout.magic
    else { return StorageError(.notADatabase, "The file is not a store.", path: path) }
    return StorageError(
      .newerFormat,
      base.u32(LaterLayout.metaVersion) == LaterLayout.dataVersion
        ? "The file was written by LMDB 1.0 (data format 3), which this version of Varve does not read."
        : "The page layout is later than that of liblmdb 0.9.", path: path)
  }

  /// The first page of a file of LMDB 1.0.
  private enum LaterLayout {
    static let metaMagic = 24
    static let metaVersion = 28
    static let dataVersion: UInt32 = 3
  }

  /// Returns whether another process has the file open as a store.
  ///
  /// - Throws: A system error.
  static func isInUse(path: String) throws(StorageError) -> Bool {
    let opened = try OpenFile(path: path, flags: O_RDONLY)
    let result = varve_file_lock_find(opened.descriptor, useByte, nil)
    try StorageError.check(
      result == EAGAIN ? 0 : result, path: path, "The data file could not be examined.")
    return result != 0
  }

  /// Marks the file as open, for other processes.
  ///
  /// - Parameters:
  ///   - descriptor: LMDB's descriptor.
  ///   - path: The path of the file, for errors.
  /// - Throws: A system error.
  static func beginUse(_ descriptor: Int32, path: String) throws(StorageError) {
    try StorageError.check(
      varve_file_lock(descriptor, useByte, 0), path: path, "The data file could not be locked.")
  }

  /// Removes the mark of ``beginUse(_:path:)``. Closing the descriptor would not, as long as a
  /// mapping of the file exists.
  static func endUse(_ descriptor: Int32) { _ = varve_file_unlock(descriptor, useByte) }
}

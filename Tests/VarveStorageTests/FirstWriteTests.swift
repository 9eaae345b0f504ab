import Glibc
import Testing
import VarveTestSupport

@testable import VarveStorage

/// The checks before the first write to a file.
@Suite struct FirstWriteTests {
  private let directory = TemporaryDirectory()
  private var path: String { directory.file() }
  private let pageSize = 4096

  /// Makes a store with a few pages and a free list.
  private func makeStore() throws {
    try makeStoreWithFreeList(path, rewriteCount: 3) { transaction in
      try transaction.put(.catalog, key: "key", "value")
    }
  }

  /// The offset of a row's value in the file.
  private func offset(ofRow id: UInt64) throws -> Int {
    var options = testOptions(path)
    options.isReadOnly = true
    let environment = try Environment.open(options)
    var offset = 0
    do {
      let snapshot = try environment.snapshot()
      let value = try #require(snapshot.find(dogs, id: id)?.baseAddress)
      offset = value - snapshot.pages.base
    }
    try environment.close()
    return offset
  }

  /// Damages the page of a row, so that its entries appear to be elsewhere.
  ///
  /// - Returns: The page number.
  @discardableResult
  private func damageRow() throws -> UInt64 {
    let page = try offset(ofRow: 1401) / pageSize
    // An offset outside of the page.
    try patch(path, at: page * pageSize + 16, [0xFE, 0xFF])
    return UInt64(page)
  }

  /// Opens the store and writes.
  ///
  /// - Returns: The error of the write; nil when it succeeded.
  private func write() throws -> StorageError? {
    let environment = try Environment.open(testOptions(path))
    #expect(try environment.snapshot().text(.catalog, key: "key") == "value")
    defer { try? environment.close() }
    do {
      try environment.write { try $0.put(.catalog, key: "other", "value") }
      return nil
    } catch let error as StorageError {
      // Reads are still possible, and the next write is refused too.
      #expect(try environment.snapshot().text(.catalog, key: "key") == "value")
      #expect(environment.damageError == nil)
      expectError(error.code) { try environment.beginWrite(timeout: .zero) }
      return error
    }
  }

  @Test func damagedForeignFileIsReadButNotWritten() throws {
    try makeStore()
    let page = try damageRow()
    unlink(path + "-signal")
    for _ in 0..<2 {
      let error = try write()
      #expect(error?.code == .corrupted)
      #expect(error?.page == page)
    }
  }

  /// Flags of a running transaction: dirty, sub-page, loose, keep. The row is small, or on overflow
  /// pages.
  @Test(arguments: [0x10, 0x40, 0x4000, 0x8000], [1401, 1400] as [UInt64])
  func pageMarkedByRunningTransactionIsDamage(_ flag: Int, _ id: UInt64) throws {
    try makeStore()
    let page = try offset(ofRow: id) / pageSize
    let bytes = try readBytes(path)
    let flags = page * pageSize + PageLayout.flags
    let damaged = (Int(bytes[flags]) | Int(bytes[flags + 1]) << 8) | flag
    try patch(path, at: flags, [UInt8(damaged & 0xFF), UInt8(damaged >> 8)])
    unlink(path + "-signal")
    let error = try write()
    #expect(error?.code == .corrupted)
    #expect(error?.page == UInt64(page))
  }

  /// LMDB aborts the process on a branch with one entry, and reads the first entry of a leaf
  /// without entries.
  @Test func pageWithTooFewEntriesIsDamage() throws {
    try makeStore()
    let leaf = try offset(ofRow: 1401) / pageSize
    let bytes = try readBytes(path)
    let lower = leaf * pageSize + PageLayout.lower
    unlink(path + "-signal")
    // No entries, plus half of one.
    try patch(path, at: lower, [17, 0, 0, 16])
    #expect(try write()?.page == UInt64(leaf))
    try patch(path, at: lower, Array(bytes[lower..<lower + 4]))
    // The parent branch: only its first entry stays.
    let branch = try #require(
      stride(from: 2 * pageSize, to: bytes.count, by: pageSize).first { page in
        UInt16(bytes[page + PageLayout.flags]) == PageLayout.branch
          && bytes[page + PageLayout.lower] > 20
      })
    let node = Int(bytes[branch + 16]) | Int(bytes[branch + 17]) << 8
    let size = PageLayout.nodeHeaderSize
    try patch(
      path, at: branch + pageSize - size, Array(bytes[branch + node..<branch + node + size]))
    try patch(
      path, at: branch + 16, [UInt8((pageSize - size) & 0xFF), UInt8((pageSize - size) >> 8)])
    try patch(path, at: branch + PageLayout.lower, [18, 0])
    try patch(
      path, at: branch + PageLayout.lower + 2,
      [UInt8((pageSize - size) & 0xFF), UInt8((pageSize - size) >> 8)])
    #expect(try write()?.page == UInt64(branch / pageSize))
  }

  @Test func validForeignFileIsWritten() throws {
    try makeStore()
    unlink(path + "-signal")
    #expect(try write() == nil)
  }

  @Test func damagedSmallFileIsReadButNotWritten() throws {
    try makeStore()
    let page = try damageRow()
    #expect(try write()?.page == page)
  }

  /// A process that has checked the file leaves only single pages to the next ones.
  @Test func fileCheckedByAnotherProcessIsNotWalkedAgain() throws {
    try makeStore()
    let process = TestProcess(["holdChecked", path])
    #expect(process.line() == "committed")
    try damageRow()
    #expect(try write() == nil)
    process.go()
    process.wait()
    #expect(try write()?.code == .corrupted)
  }

  /// The other meta page seems to be the newest one then, but LMDB uses the version that readers
  /// get.
  @Test func zeroedMetaPageOfOpenFileIsDamage() throws {
    try makeStore()
    let environment = try Environment.open(testOptions(path))
    do {
      let snapshot = try environment.snapshot()
      let meta = snapshot.transactionID & 1
      try patch(path, at: Int(meta) * pageSize, [UInt8](repeating: 0, count: pageSize))
      expectError(.corrupted) { try environment.beginWrite(timeout: .zero) }
      #expect(snapshot.text(.catalog, key: "key") == "value")
    }
    try environment.close()
  }

  @Test func depthOfEmptyTableIsDamage() throws {
    try makeStore()
    var options = testOptions(path)
    options.isReadOnly = true
    var record = 0
    do {
      let environment = try Environment.open(options)
      do {
        let snapshot = try environment.snapshot()
        record = try #require(snapshot.tree(.lists)) - snapshot.pages.base
      }
      try environment.close()
    }
    try patch(path, at: record + PageLayout.recordDepth, [3, 0])
    #expect(try write()?.code == .corrupted)
  }

  @Test func readerLeavesCheckToWriter() throws {
    try makeStore()
    unlink(path + "-signal")
    try damageRow()
    #expect(try write()?.code == .corrupted)
  }

  @Test func fileBeingWrittenAtMachineCrashIsChecked() throws {
    try makeStore()
    let process = TestProcess(["leaveUnclean", path])
    #expect(process.line() == "committed")
    process.wait()
    try damageRow()
    // The signal page names another boot of the machine.
    try patch(path + "-signal", at: 16, [1, 2, 3, 4, 5, 6, 7, 8])
    let error = try checkingPaths { try write() }
    #expect(error?.code == .corrupted)
  }

  @Test func closedLargeFileIsNotWalkedAfterMachineCrash() throws {
    try makeStore()
    try damageRow()
    try patch(path + "-signal", at: 16, [1, 2, 3, 4, 5, 6, 7, 8])
    let error = try checkingPaths { try write() }
    #expect(error == nil)
  }

  @Test func freeListIsAlwaysChecked() throws {
    try makeStore()
    let list = try freeList()
    // A list with a length that reaches out of its value.
    try patch(path, at: list, [0xFF, 0xFF, 0xFF, 0])
    let error = try write()
    #expect(error?.code == .corrupted)
    #expect(error?.page == UInt64(list / pageSize))
  }

  @Test func duplicateOrUsedFreePagesAreRefused() throws {
    try makeStore()
    let list = try freeList()
    let bytes = try readBytes(path)
    let sound = Array(bytes[list..<list + 16])
    // Replaces the greatest page of the list. The root of the free list is in use, and the page
    // past the end does not exist.
    for page in [UInt64(list / pageSize), UInt64(bytes.count / pageSize) + 5, 0] {
      try patch(path, at: list + 8, withUnsafeBytes(of: page) { Array($0) })
      #expect(try write()?.code == .corrupted)
    }
    try patch(path, at: list, sound)
    #expect(try write() == nil)
  }

  /// The newest meta page, and the last page in it.
  private func newestMeta() throws -> (page: UInt64, lastPage: UInt64) {
    let bytes = try readBytes(path)
    func word(_ offset: Int) -> UInt64 {
      (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
    }
    let ids = [0, 1].map { word($0 * pageSize + PageLayout.metaTransactionID) }
    let page = ids[0] > ids[1] ? 0 : 1
    return (UInt64(page), word(page * pageSize + PageLayout.metaLastPage))
  }

  private func patchLastPage(_ number: UInt64, inMeta page: UInt64) throws {
    try patch(
      path, at: Int(page) * pageSize + PageLayout.metaLastPage,
      withUnsafeBytes(of: number) { Array($0) })
  }

  /// LMDB would add pages far beyond the end of the file.
  @Test(arguments: [1 << 12, 1 << 24] as [UInt64], [false, true])
  func lastPageBeyondEndOfFileIsDamage(_ bit: UInt64, _ isLarge: Bool) throws {
    try makeStore()
    let meta = try newestMeta()
    try patchLastPage(meta.lastPage | bit, inMeta: meta.page)
    let error = try isLarge ? checkingPaths { try write() } : write()
    #expect(error?.code == .corrupted && error?.page == meta.page)
  }

  /// The size of the file, and not its last page, decides whether all pages are checked.
  @Test func smallFileWithWrongLastPageIsWalked() throws {
    try makeStore()
    let meta = try newestMeta()
    let row = try offset(ofRow: 1401) / pageSize
    // A file that is shorter than its last page is walked at each opening too.
    let environment = try Environment.open(testOptions(path))
    try patch(path, at: row * pageSize + 16, [0xFE, 0xFF])
    try patchLastPage(meta.lastPage | 1 << 24, inMeta: meta.page)
    var page: UInt64?
    do {
      try environment.beginWrite(timeout: .zero).abort()
    } catch {
      page = error.page
    }
    #expect(page == UInt64(row))
    try environment.close()
  }

  /// LMDB does not write a page that is freed by the transaction that has allocated it.
  @Test(arguments: [false, true]) func freePagesBeyondEndOfFileAreNoDamage(_ isLarge: Bool) throws {
    try makeStore()
    let environment = try Environment.open(testOptions(path))
    try environment.write { transaction in
      try transaction.put(dogs, id: 9000, [UInt8](repeating: 1, count: 400_000))
      let isDeleted = try transaction.delete(dogs, id: 9000)
      #expect(isDeleted)
    }
    try environment.close()
    #expect(try newestMeta().lastPage >= UInt64(try readBytes(path).count / pageSize))
    let error = try isLarge ? checkingPaths { try write() } : write()
    #expect(error == nil)
  }

  @Test func lastPageBeyondLargestFileIsDamage() throws {
    try makeStore()
    let meta = try newestMeta()
    for last in [1 << 40, .max] as [UInt64] {
      try patchLastPage(last, inMeta: meta.page)
      do {
        try Environment.open(testOptions(path)).close()
        Issue.record("The file was opened.")
      } catch {
        #expect(error.code == .corrupted && error.page == meta.page)
      }
    }
  }

  @Test func lastPageThatBecomesImpossibleIsDamage() throws {
    try makeStore()
    let environment = try Environment.open(testOptions(path))
    let meta = try newestMeta()
    for last in [1 << 52, 1 << 63, .max] as [UInt64] {
      try patchLastPage(last, inMeta: meta.page)
      #expect(try environment.newestCommit().fileBytes > 0)
      expectError(.corrupted) { try environment.beginWrite(timeout: .zero) }
    }
    try environment.close()
  }

  /// The offset of the first list of free pages in the file.
  private func freeList() throws -> Int {
    let bytes = try readBytes(path)
    func word(_ offset: Int) -> UInt64 {
      (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
    }
    func half(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
    let ids = [0, 1].map { word($0 * pageSize + PageLayout.metaTransactionID) }
    let record = (ids[0] > ids[1] ? 0 : pageSize) + PageLayout.metaFreeRecord
    try #require(half(record + PageLayout.recordDepth) == 1)
    let page = Int(word(record + PageLayout.recordRoot)) * pageSize
    let node = page + half(page + PageLayout.headerSize)
    try #require(half(node + PageLayout.nodeFlags) == 0)
    return node + PageLayout.nodeHeaderSize + 8
  }
}

import Glibc
import Testing
import VarveLocks
import VarveTestSupport

@testable import VarveStorage

/// The check that reports all damaged pages.
@Suite struct PageReportTests {
  private let directory = TemporaryDirectory()
  private var path: String { directory.file() }
  private let pageSize = 4096

  /// Makes a store with trees of two levels, values in overflow pages and a free list.
  private func makeStore() throws {
    try makeStoreWithFreeList(path, rewriteCount: 1) { transaction in
      for id in 0..<1500 { try transaction.put(.indexes, key: "key \(1000 + id)", "value") }
    }
  }

  private func withEnvironment<R>(_ body: (Environment) throws -> R) throws -> R {
    var options = testOptions(path)
    options.isReadOnly = true
    let environment = try Environment.open(options)
    let result = Result { try body(environment) }
    try environment.close()
    return try result.get()
  }

  private func report() throws -> PageReport {
    try withEnvironment { environment in
      try environment.reportPages(
        of: try environment.snapshot(), WorkProgress(nil, path: path))
    }
  }

  /// The numbers of the leaves of a table.
  private func leaves(_ table: Table) throws -> [UInt64] {
    try withEnvironment { environment in
      let snapshot = try environment.snapshot()
      let record = try #require(snapshot.tree(table))
      #expect(record.u16(PageLayout.recordDepth) == 2)
      let pages = snapshot.pages
      let root = try #require(pages.page(record.u64(PageLayout.recordRoot), PageLayout.branch))
      return try (0..<pages.entryCount(root)).map {
        pages.child(try #require(pages.node(root, $0)))
      }
    }
  }

  /// The offset of the record of a table in the file.
  private func recordOffset(_ table: Table) throws -> Int {
    try withEnvironment { environment in
      let snapshot = try environment.snapshot()
      return try #require(snapshot.tree(table)) - snapshot.pages.base
    }
  }

  /// The longest list of free pages: its offset in the file.
  private func freeListOffset() throws -> Int {
    try withEnvironment { environment in
      let snapshot = try environment.snapshot()
      let pages = snapshot.pages
      let meta = try #require(environment.metaPage(of: snapshot.transactionID, snapshot.mapping))
      let record = meta.freeRecord
      #expect(UInt16(truncatingIfNeeded: record[0] >> 48) == 1)
      let page = try #require(pages.page(record[5], PageLayout.leaf))
      let lists = try (0..<pages.entryCount(page)).map { index in
        let node = try #require(pages.node(page, index))
        return try #require(pages.value(node)?.baseAddress)
      }
      let longest = try #require(lists.max { $0.u64(0) < $1.u64(0) })
      #expect(longest.u64(0) > 2)
      return longest - pages.base
    }
  }

  private func number(at offset: Int) throws -> UInt64 {
    var number: UInt64 = 0
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    #expect(pread(descriptor, &number, 8, off_t(offset)) == 8)
    return number
  }

  private func write(_ number: UInt64, at offset: Int) throws {
    try patch(path, at: offset, withUnsafeBytes(of: number) { Array($0) })
  }

  @Test func soundFileHasNoDamage() throws {
    try makeStore()
    let report = try report()
    #expect(report.damages.isEmpty && report.damageCount == 0)
    #expect(report.leakedCount == 0)
    #expect(try #require(report.freeCount) > 0)
    #expect(report.pageCount > 50 && report.pageSize == pageSize)
  }

  @Test func eachDamagedPageIsReported() throws {
    try makeStore()
    let (rows, index) = (try leaves(dogs), try leaves(.indexes))
    let damaged = [rows[2], rows[7], index[3]]
    for page in damaged { try patch(path, at: Int(page) * pageSize + 10, [0xFF]) }
    let report = try report()
    #expect(Set(report.damages.compactMap(\.page)) == Set(damaged))
    #expect(report.damageCount == 3 && report.leakedCount == nil)
  }

  @Test func pageThatIsFreeAndUsedIsReported() throws {
    try makeStore()
    let offset = try freeListOffset()
    // The list is in descending order. Its first page is replaced by a greater one that is in use,
    // or its last page by a smaller one.
    let (first, last) = (offset + 8, offset + 8 * Int(try number(at: offset)))
    let pages = try leaves(.indexes) + leaves(dogs)
    let greatest = try #require(pages.max())
    let isGreater = greatest > (try number(at: first))
    let used = isGreater ? greatest : try #require(pages.min())
    let limit = try number(at: last)
    #expect(isGreater || used < limit)
    try write(used, at: isGreater ? first : last)
    let report = try report()
    #expect(report.damages == [.init(page: used, detail: "A page is free and in use.")])
  }

  @Test func leakedPagesAreCountedAndNoDamage() throws {
    try makeStore()
    let before = try #require(try report().freeCount)
    let offset = try freeListOffset()
    let count = try number(at: offset)
    try write(count - 2, at: offset)
    let report = try report()
    #expect(report.damageCount == 0 && report.leakedCount == 2 && report.freeCount == before - 2)
  }

  /// LMDB compacts neither the file nor a copy.
  @Test func leakedPagesStayInCopies() throws {
    try makeStore()
    let offset = try freeListOffset()
    try write(try number(at: offset) - 2, at: offset)
    let byteCount = try readBytes(path).count
    let failures = Lock<[StorageError]>([])
    var options = testOptions(path)
    options.shouldCompact = { _, _ in true }
    options.compactionFailed = { error in failures.withLock { $0.append(error) } }
    let environment = try Environment.open(options)
    #expect(failures.withLock { $0.map(\.isOfLeakedPages) } == [true])
    #expect(directory.names == ["store.varve", "store.varve-lock", "store.varve-signal"])
    #expect(try readBytes(path).count == byteCount)
    #expect(try environment.snapshot().count(dogs) == 1500)
    try environment.copy(to: directory.file("copy.varve"))
    try environment.close()

    let copy = try Environment.open(testOptions(directory.file("copy.varve")))
    let report = try copy.reportPages(of: try copy.snapshot(), WorkProgress(nil, path: path))
    try copy.close()
    #expect(report.damageCount == 0 && report.leakedCount == 2)
  }

  @Test(arguments: [1 << 12, 1 << 24] as [UInt64])
  func lastPageBeyondEndOfFileIsReported(_ bit: UInt64) throws {
    try makeStore()
    let meta = try withEnvironment { Int(try $0.snapshot().transactionID & 1) }
    let offset = meta * pageSize + PageLayout.metaLastPage
    try write(try number(at: offset) | bit, at: offset)
    let report = try report()
    #expect(report.damages.map(\.page) == [UInt64(meta)])
    #expect(report.leakedCount == nil)
  }

  @Test func pageThatIsUsedTwiceIsReported() throws {
    try makeStore()
    // A second table has the root of the first one.
    let from = try recordOffset(.indexes)
    let to = try recordOffset(.catalog)
    for offset in stride(from: 0, to: PageLayout.recordSize, by: 8) {
      try write(try number(at: from + offset), at: to + offset)
    }
    let report = try report()
    let root = try number(at: from + PageLayout.recordRoot)
    #expect(report.damages == [.init(page: root, detail: "A page is used twice.")])
  }

  @Test(arguments: [
    PageLayout.recordBranchPages, PageLayout.recordLeafPages, PageLayout.recordOverflowPages,
  ])
  func wrongNumberOfPagesIsReported(_ field: Int) throws {
    try makeStore()
    let offset = try recordOffset(dogs) + field
    try write(try number(at: offset) + 1, at: offset)
    let report = try report()
    #expect(report.damages.map(\.detail) == ["The record of a tree has another number of pages."])
    #expect(report.leakedCount == nil)
    // LMDB only counts with the numbers.
    try withEnvironment { try StructureWalk.check(try $0.snapshot()) }
  }

  @Test func wrongNumberOfEntriesIsReported() throws {
    try makeStore()
    let offset = try recordOffset(dogs) + PageLayout.recordEntries
    try write(try number(at: offset) + 1, at: offset)
    let report = try report()
    #expect(report.damages.map(\.detail) == ["The record of a tree has another count."])
  }

  @Test func walkCanBeStopped() throws {
    try makeStore()
    try withEnvironment { environment in
      let observer = WorkObserver { $0.completedBytes == 0 }
      let progress = WorkProgress(observer, path: path)
      try progress.begin(total: 10)
      expectError(.cancelled) {
        try environment.reportPages(of: try environment.snapshot(), progress)
      }
    }
  }

  /// A check reads the pages of its version while other processes commit.
  @Test func metaPagesOfLaterVersionsAreNotDamage() throws {
    try makeStore()
    let environment = try Environment.open(testOptions(path))
    defer { try? environment.close() }
    let snapshot = try environment.snapshot()
    let meta = try #require(environment.metaPage(of: snapshot.transactionID, snapshot.mapping))
    for number in 0..<5 {
      #expect(
        meta.damageOfPair(base: snapshot.mapping.base, pageSize: pageSize) == nil,
        "\(number) commits")
      try environment.write { try $0.put(.catalog, key: "key", "\(number)") }
    }
  }

  /// One bit makes the version before the newest one.
  @Test func versionWithChangedTransactionIDIsReported() throws {
    try makeStore()
    let environment = try Environment.open(testOptions(path))
    let older = try environment.snapshot().transactionID - 1
    try environment.close()
    try patch(
      path, at: Int(older & 1) * pageSize + PageLayout.metaTransactionID,
      withUnsafeBytes(of: (older | 1 << 20).littleEndian) { Array($0) })

    let expected = "The meta pages are not those of consecutive versions."
    #expect(try report().damages.map(\.detail).contains(expected))
    let damaged = try Environment.open(testOptions(path))
    expectError(.corrupted) { try damaged.write { try $0.put(.catalog, key: "key", "value") } }
    try damaged.close()
  }
}

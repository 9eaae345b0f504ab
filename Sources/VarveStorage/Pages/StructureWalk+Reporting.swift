/// Walks that continue after damage.
extension StructureWalk {
  /// Checks all pages of a version, and reports each damaged page.
  ///
  /// The pages below a damaged page are not checked. Pages that are neither used nor free are
  /// counted: they harm no data. LMDB cannot compact a file that has them; see
  /// `Environment.copy(to:observer:)`.
  ///
  /// - Parameters:
  ///   - meta: The meta page of the version, or nil if it is no longer the newest. Its free list is
  ///     then not checked.
  ///   - progress: Counts the pages of the trees, and may stop the walk.
  /// - Throws: `cancelled`; `addressSpaceExhausted` without memory for the walk.
  /// - Complexity: O(pages), and two bits for each page of the file.
  static func report(
    _ snapshot: Snapshot, _ meta: MetaPage?, _ progress: WorkProgress
  ) throws(StorageError) -> PageReport {
    let mapping = snapshot.mapping
    let pageSize = snapshot.pages.pageSize
    let length = mapping.readableLength(mapping.byteCount)
    let end = meta?.end(byteCount: length, pageSize: pageSize) ?? snapshot.pages.limit
    let limit = min(UInt64(length / pageSize), end)
    let pages = PageMap(base: mapping.base, pageSize: pageSize, limit: limit)
    var walk = try StructureWalk(pages: pages, end: end, path: snapshot.environment.path)
    walk.progress = progress
    walk.report = PageReport(
      pageSize: pages.pageSize, pageCount: Int(clamping: end), hasFreeList: meta != nil)
    let main = TreeWords.mainRecord(snapshot.trees)
    if let meta {
      try walk.checkMeta(meta, main)
      try walk.checkFreeList(meta, main)
    }
    try walk.checkMain(main)
    // After other damage, free pages may be unknown.
    if let meta, walk.report?.damageCount == 0, let damage = walk.damageOfEnd(meta) {
      try walk.note(damage)
    }
    guard var report = walk.report else { preconditionFailure("The walk has a report.") }
    if meta != nil, report.damageCount == 0 {
      report.leakedCount = Int(clamping: end) - 2 - Int(clamping: walk.foundCount)
    }
    return report
  }

  /// Compares the meta page, which the next write uses, with the other one, and with the record that
  /// the snapshot copied when it began.
  private mutating func checkMeta(
    _ meta: MetaPage, _ main: UnsafeRawPointer
  ) throws(StorageError) {
    if let damage = meta.damageOfPair(base: pages.base, pageSize: pages.pageSize) {
      try note(damage)
    }
    for word in meta.mainRecord.indices where meta.mainRecord[word] != main.u64(8 * word) {
      return try note(
        PageDamage(
          page: meta.transactionID & 1, detail: "The meta page has changed without a commit."))
    }
  }

  private mutating func checkFreeList(
    _ meta: MetaPage, _ main: UnsafeRawPointer
  ) throws(StorageError) {
    free = PageSet(limit: max(pages.limit, end))
    let record = UnsafeMutablePointer<InlineArray<6, UInt64>>.allocate(capacity: 1)
    defer { record.deallocate() }
    record.initialize(to: meta.freeRecord)
    let list = UnsafeRawPointer(record)
    do throws(StorageError) {
      try checkKinds(free: list, main: main)
    } catch {
      guard error.code == .corrupted else { throw error }
      report?.note(PageDamage(page: 0, detail: "A tree is of an unknown kind."))
    }
    try checkTree(list, Tree(hasIntegerKeys: true, isFreeList: true, lastID: meta.transactionID))
  }

  /// Compares the numbers of pages in the record of a tree with those found. LMDB only counts with
  /// them, so that a walk without a report ignores them.
  mutating func checkPageCounts(
    _ record: UnsafeRawPointer, _ tree: Tree
  ) throws(StorageError) {
    guard report != nil else { return }
    if record.u64(PageLayout.recordBranchPages) != tree.branchPages
      || record.u64(PageLayout.recordLeafPages) != tree.leafPages
      || tree.hasAllValues
        && record.u64(PageLayout.recordOverflowPages) != tree.overflowPages
    {
      try note(
        PageDamage(
          page: record.u64(PageLayout.recordRoot),
          detail: "The record of a tree has another number of pages."))
    }
  }
}

extension Environment {
  /// Checks the pages of a version, and reports each damaged page. See `StructureWalk`.
  ///
  /// The free list is checked for the newest version only.
  ///
  /// - Throws: `cancelled`; `addressSpaceExhausted` without memory for the walk.
  /// - Complexity: O(pages).
  package func reportPages(
    of snapshot: Snapshot, _ progress: WorkProgress
  ) throws(StorageError) -> PageReport {
    try StructureWalk.report(
      snapshot, metaPage(of: snapshot.transactionID, snapshot.mapping), progress)
  }
}

extension Snapshot {
  /// The number of pages of the version.
  package var pageCount: Int { Int(clamping: pages.limit) }
}

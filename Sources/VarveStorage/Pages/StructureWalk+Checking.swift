extension StructureWalk {
  /// Checks a pinned version, or a file that no process writes to.
  ///
  /// - Parameters:
  ///   - meta: The meta page of the version.
  ///   - path: The path of the file, for errors.
  ///   - extent: The pages to check.
  ///   - isReadOnly: Whether the last page may be wrong. The version can be read then, but LMDB
  ///     would add pages after it.
  ///   - observer: May stop the walk.
  /// - Throws: `corrupted` with the first damaged page; `cancelled` when the observer stops the
  ///   walk.
  /// - Complexity: O(pages that are checked), and one bit for each page of the file.
  static func check(
    _ meta: MetaPage, mapping: ReadMapping, pageSize: Int, path: String,
    extent: Extent = .everything, isReadOnly: Bool = false, observer: WorkObserver? = nil
  ) throws(StorageError) {
    _ = try checkedPages(
      meta, mapping: mapping, pageSize: pageSize, path: path, extent: extent,
      isReadOnly: isReadOnly, observer: observer)
  }

  /// Checks a version like ``check(_:mapping:pageSize:path:extent:isReadOnly:observer:)``.
  ///
  /// - Returns: The pages that are free, and those that have been checked.
  static func checkedPages(
    _ meta: MetaPage, mapping: ReadMapping, pageSize: Int, path: String,
    extent: Extent, isReadOnly: Bool = false, observer: WorkObserver? = nil
  ) throws(StorageError) -> PageSet {
    let length = mapping.readableLength(mapping.byteCount)
    let end = meta.end(byteCount: length, pageSize: pageSize)
    let limit = min(UInt64(length / pageSize), end)
    let records = UnsafeMutablePointer<InlineArray<6, UInt64>>.allocate(capacity: 2)
    defer { records.deallocate() }
    records.initialize(to: meta.freeRecord)
    (records + 1).initialize(to: meta.mainRecord)
    var walk = try StructureWalk(
      pages: PageMap(base: mapping.base, pageSize: pageSize, limit: limit), end: end, path: path,
      observer: observer)
    let (free, main) = (UnsafeRawPointer(records), UnsafeRawPointer(records + 1))
    try walk.checkKinds(free: free, main: main)
    if extent != .tables {
      try walk.checkTree(
        free, Tree(hasIntegerKeys: true, isFreeList: true, lastID: meta.transactionID))
    }
    if extent == .everything {
      try walk.checkMain(main)
    } else {
      try walk.checkTables(main)
    }
    if extent == .freeList { try walk.checkRoots() }
    if extent != .tables, !isReadOnly, let damage = walk.damageOfEnd(meta) {
      throw walk.damaged(damage)
    }
    return walk.seen
  }

  /// Returns the damage of a last page beyond the end of the file, after a walk over the free list.
  ///
  /// LMDB does not write a page that is freed by the transaction that has allocated it. All other
  /// pages of a version are in the file.
  func damageOfEnd(_ meta: MetaPage) -> PageDamage? {
    if meta.lastPage < pages.limit || meta.lastPage - pages.limit &+ 1 == unwrittenCount {
      return nil
    }
    return PageDamage(
      page: meta.transactionID & 1,
      detail: "The last page lies beyond the end of the file, and not all pages up to it are free.")
  }

  /// Checks all tables of a snapshot.
  ///
  /// - Throws: `corrupted` with the first damaged page.
  /// - Complexity: O(pages).
  package static func check(_ snapshot: Snapshot) throws(StorageError) {
    var walk = try StructureWalk(
      pages: snapshot.pages, end: snapshot.pages.limit, path: snapshot.environment.path)
    try walk.checkMain(TreeWords.mainRecord(snapshot.trees))
  }

  /// Trees with several values per key are not created by Varve, and have pages of another form.
  func checkKinds(
    free: UnsafeRawPointer, main: UnsafeRawPointer
  ) throws(StorageError) {
    // The record of the free list has flags of the environment in addition to those of the tree.
    for record in [free, main]
    where record.u16(PageLayout.recordFlags) & PageLayout.duplicateFlags != 0 {
      throw damaged(0, "A tree is of an unknown kind.")
    }
    guard main.u16(PageLayout.recordFlags) & PageLayout.integerKeyFlag == 0 else {
      throw damaged(0, "The unnamed table has keys of another kind.")
    }
  }

  /// Checks the root of each table in the unnamed table.
  private mutating func checkRoots() throws(StorageError) {
    for record in subtrees {
      let root = record.u64(PageLayout.recordRoot)
      do throws(PageDamage) {
        if try isEmptyTree(record) { continue }
        _ = try pages.checkedRoot(root, isLeaf: record.u16(PageLayout.recordDepth) == 1)
      } catch {
        throw damaged(error)
      }
      guard seen.insert(root) else { throw damaged(root, "A page is used twice.") }
    }
  }

  /// Checks the list of pages that a transaction has freed: LMDB reuses these pages without looking
  /// at them.
  ///
  /// - Parameters:
  ///   - node: The entry: the id of the transaction, and the list of its pages.
  ///   - value: The list: the number of pages, and their numbers in descending order.
  ///   - number: The page of the entry.
  ///   - tree: The free list.
  /// - Throws: The damage.
  mutating func checkFreePages(
    _ node: UnsafeRawPointer, _ value: UnsafeRawBufferPointer, _ number: UInt64, _ tree: Tree
  ) throws(PageDamage) {
    let id = node.u64(PageLayout.nodeHeaderSize)
    guard id > 0, id <= tree.lastID else {
      throw PageDamage(page: number, detail: "Pages were freed by a later transaction.")
    }
    guard let list = value.baseAddress, value.count >= 8,
      list.u64(0) <= UInt64(value.count / 8 - 1)
    else {
      throw PageDamage(page: number, detail: "A list of free pages is longer than its entry.")
    }
    var previous = end
    for index in 0..<Int(list.u64(0)) {
      let page = list.u64(8 * (index + 1))
      guard page >= 2, page < previous else {
        throw PageDamage(
          page: number,
          detail: "A list of free pages is unordered, or has pages that do not exist.")
      }
      guard seen.insert(page) else {
        throw PageDamage(page: page, detail: "A page is free and in use.")
      }
      _ = free?.insert(page)
      foundCount += 1
      if page >= pages.limit { unwrittenCount += 1 }
      report?.noteFree()
      previous = page
    }
  }
}

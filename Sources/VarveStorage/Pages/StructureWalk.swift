/// A walk over every page of a version, which checks all extents.
///
/// LMDB trusts the pages it reads, so damaged pages make it crash. The walk finds the damage that
/// is known to cause crashes, and pages with the content of other pages. It does not check values.
/// It either ends at the first damage, or reports each damaged page and continues with the next
/// subtree (`StructureWalk+Reporting.swift`).
///
/// Thread safety: one thread at a time.
package struct StructureWalk {
  let pages: PageMap
  let path: String
  /// One more than the number of the last page of the version. The file may be shorter: pages that
  /// were freed before they were written are not in it.
  let end: UInt64
  let seen: PageSet
  /// The free pages among them, for a walk with a report.
  var free: PageSet?
  /// The table records in a leaf of the unnamed table.
  var subtrees: [UnsafeRawPointer] = []
  /// The first table of the unnamed table that no store has.
  private var foreignTable: PageDamage?
  private var hasRootRecord = false
  /// The observer that may stop the walk.
  let observer: WorkObserver?
  /// The damage found so far; nil for a walk that ends at the first damage.
  var report: PageReport?
  /// The progress of a walk with a report.
  var progress: WorkProgress?
  /// The number of pages that were found to be in use or free, each counted once.
  var foundCount: UInt64 = 0
  /// The number of free pages beyond the end of the file.
  var unwrittenCount: UInt64 = 0

  /// The pages to check.
  enum Extent {
    /// All trees, and the free list.
    case everything
    /// The unnamed table.
    case tables
    /// The free list, the unnamed table, and the root of each other table.
    case freeList
  }

  /// A tree, and the requirements on its entries.
  struct Tree {
    var hasIntegerKeys = false
    var isMain = false
    var isFreeList = false
    /// The greatest valid key of an entry of the free list.
    var lastID: UInt64 = .max
    var counted: UInt64 = 0
    var branchPages: UInt64 = 0
    var leafPages: UInt64 = 0
    var overflowPages: UInt64 = 0
    /// Whether all pages of the tree could be read.
    var isWhole = true
    /// Whether all overflow pages have been counted.
    var hasAllValues = true
  }

  init(
    pages: PageMap, end: UInt64, path: String, observer: WorkObserver? = nil
  ) throws(StorageError) {
    guard let seen = PageSet(limit: max(pages.limit, end)) else {
      throw StorageError(
        .addressSpaceExhausted, "There is no memory to check the pages.", path: path)
    }
    self.pages = pages
    self.end = end
    self.path = path
    self.observer = observer
    self.seen = seen
  }

  /// Checks the unnamed table, and all tables in it.
  mutating func checkMain(_ record: UnsafeRawPointer) throws(StorageError) {
    try checkTables(record)
    for subtree in subtrees {
      let flags = subtree.u16(PageLayout.recordFlags)
      try checkTree(subtree, Tree(hasIntegerKeys: flags & PageLayout.integerKeyFlag != 0))
    }
  }

  /// Checks the unnamed table.
  ///
  /// - Throws: `notADatabase` if it has tables of another program, and no root record.
  mutating func checkTables(_ record: UnsafeRawPointer) throws(StorageError) {
    try checkTree(record, Tree(isMain: true))
    guard let foreignTable else { return }
    guard hasRootRecord || report != nil else { throw StorageError.noRootRecord(path) }
    try note(foreignTable)
  }

  mutating func checkTree(_ record: UnsafeRawPointer, _ tree: Tree) throws(StorageError) {
    let root = record.u64(PageLayout.recordRoot)
    let entries = record.u64(PageLayout.recordEntries)
    do throws(PageDamage) {
      if try isEmptyTree(record) { return }
    } catch {
      return try note(error)
    }
    var tree = tree
    try checkPage(
      root, level: Int(record.u16(PageLayout.recordDepth)), PageBounds(), &tree)
    guard tree.isWhole else { return }
    if tree.counted != entries {
      try note(PageDamage(page: root, detail: "The record of a tree has another count."))
    }
    try checkPageCounts(record, tree)
  }

  /// Checks the depth and the count in the record of a tree.
  ///
  /// - Returns: Whether the tree has no pages.
  func isEmptyTree(_ record: UnsafeRawPointer) throws(PageDamage) -> Bool {
    let root = record.u64(PageLayout.recordRoot)
    guard root == PageLayout.noPage else {
      guard TreeWords.isPlausible(record) else {
        throw PageDamage(page: root, detail: "A tree has no depth.")
      }
      return false
    }
    // LMDB adds to the depth when it creates the root.
    guard record.u64(PageLayout.recordEntries) == 0, record.u16(PageLayout.recordDepth) == 0 else {
      throw PageDamage(page: root, detail: "The record of an empty tree has entries, or a depth.")
    }
    return true
  }

  private mutating func checkPage(
    _ number: UInt64, level: Int, _ bounds: PageBounds, _ tree: inout Tree
  ) throws(StorageError) {
    let isLeaf = level == 1
    try observer?.check(path: path)
    if let progress { try progress.advance() }
    let page: UnsafeRawPointer
    do throws(PageDamage) {
      try visit(number)
      page = try pages.checkedPage(
        number, isLeaf: isLeaf, bounds, hasIntegerKeys: tree.hasIntegerKeys,
        isFreeList: tree.isFreeList)
    } catch {
      tree.isWhole = false
      return try note(error)
    }
    let count = pages.entryCount(page)
    if isLeaf {
      tree.leafPages += 1
      tree.counted += UInt64(count)
      return try checkValues(page, number, &tree)
    }
    tree.branchPages += 1
    for index in 0..<count {
      let node = page + pages.nodeOffset(page, index)
      var below = bounds
      if index > 0 { below.lower = node }
      if index + 1 < count { below.upper = page + pages.nodeOffset(page, index + 1) }
      try checkPage(pages.child(node), level: level - 1, below, &tree)
    }
  }

  private mutating func checkValues(
    _ page: UnsafeRawPointer, _ number: UInt64, _ tree: inout Tree
  ) throws(StorageError) {
    for index in 0..<pages.entryCount(page) {
      let node = page + pages.nodeOffset(page, index)
      do throws(PageDamage) {
        let value = try pages.checkedValue(node, number, allowsTables: tree.isMain)
        if node.u16(PageLayout.nodeFlags) & PageLayout.bigData != 0 {
          try visitRun(value, &tree)
        }
        if tree.isFreeList {
          try checkFreePages(node, value, number, tree)
        } else if tree.isMain {
          try checkTable(node, value, number)
        }
      } catch {
        tree.hasAllValues = false
        try note(error)
      }
    }
  }

  /// Records that the pages of a value in overflow pages are in use.
  private mutating func visitRun(
    _ value: UnsafeRawBufferPointer, _ tree: inout Tree
  ) throws(PageDamage) {
    guard let start = value.baseAddress else { return }
    let page = start - PageLayout.headerSize
    let first = page.u64(0)
    let count = UInt64(page.u32(PageLayout.overflowPages))
    tree.overflowPages += count
    for offset in 0..<count { try visit(first + offset) }
  }

  /// Checks an entry of the unnamed table, and remembers the record of a table.
  private mutating func checkTable(
    _ node: UnsafeRawPointer, _ value: UnsafeRawBufferPointer, _ number: UInt64
  ) throws(PageDamage) {
    let name = pages.key(node)
    let table = Table(name: name)
    guard node.u16(PageLayout.nodeFlags) & PageLayout.subData != 0 else {
      if table != nil { throw PageDamage(page: number, detail: "A table has no tree.") }
      if name.elementsEqual(RootRecord.keyBytes) { hasRootRecord = true }
      return
    }
    // Under its changed name, the entries of a table would not be found.
    guard let table, table.classID != 0 else {
      if foreignTable == nil {
        foreignTable = PageDamage(page: number, detail: "A table has an unknown name.")
      }
      return
    }
    guard value.count == PageLayout.recordSize, let record = value.baseAddress else {
      throw PageDamage(page: number, detail: "The record of a table has the wrong size.")
    }
    guard record.u16(PageLayout.recordFlags) & ~PageLayout.integerKeyFlag == 0 else {
      throw PageDamage(page: number, detail: "A table is of an unknown kind.")
    }
    // Only the record shows the kind of keys of an empty table.
    guard hasKeys(record, of: table) else {
      throw PageDamage(page: number, detail: "A table has keys of another kind.")
    }
    subtrees.append(record)
  }

  private func hasKeys(_ record: UnsafeRawPointer, of table: Table) -> Bool {
    (record.u16(PageLayout.recordFlags) & PageLayout.integerKeyFlag != 0) == table.hasIntegerKeys
  }

  /// Records that a page is in use.
  private mutating func visit(_ number: UInt64) throws(PageDamage) {
    guard number >= 2, number < pages.limit else {
      throw PageDamage(page: number, detail: "A page lies beyond the end of the file.")
    }
    guard seen.insert(number) else {
      if let free, free.contains(number) {
        throw PageDamage(page: number, detail: "A page is free and in use.")
      }
      throw PageDamage(page: number, detail: "A page is used twice.")
    }
    foundCount += 1
  }

  /// Reports damage, or ends the walk.
  mutating func note(_ damage: PageDamage) throws(StorageError) {
    guard report != nil else { throw damaged(damage) }
    report?.note(damage)
  }

  func damaged(_ page: UInt64, _ detail: StaticString) -> StorageError {
    StorageError(.corrupted, detail, path: path, page: page)
  }

  func damaged(_ damage: PageDamage) -> StorageError { damaged(damage.page, damage.detail) }
}

/// A walk over every page of a version, which checks all extents.
///
/// LMDB trusts the pages it reads, so damaged pages make it crash. The walk finds the damage that
/// is known to cause crashes, and pages with the content of other pages. It does not check values.
///
/// Thread safety: one thread at a time.
package struct StructureWalk {
  let pages: PageMap
  let path: String
  /// One more than the number of the last page of the version. The file may be shorter: pages that
  /// were freed before they were written are not in it.
  let end: UInt64
  let seen: PageSet
  /// The table records in a leaf of the unnamed table.
  var subtrees: [UnsafeRawPointer] = []
  /// The observer that may stop the walk.
  let observer: CopyObserver?

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
  }

  init(
    pages: PageMap, end: UInt64, path: String, observer: CopyObserver? = nil
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
    try checkTree(record, Tree(isMain: true))
    for subtree in subtrees {
      let flags = subtree.u16(PageLayout.recordFlags)
      try checkTree(subtree, Tree(hasIntegerKeys: flags & PageLayout.integerKeyFlag != 0))
    }
  }

  mutating func checkTree(_ record: UnsafeRawPointer, _ tree: Tree) throws(StorageError) {
    let root = record.u64(PageLayout.recordRoot)
    let entries = record.u64(PageLayout.recordEntries)
    if try isEmptyTree(record) { return }
    var tree = tree
    try checkPage(
      root, level: Int(record.u16(PageLayout.recordDepth)), PageBounds(), &tree)
    guard tree.counted == entries else {
      throw damaged(root, "The record of a tree has another count.")
    }
  }

  /// Checks the depth and the count in the record of a tree.
  ///
  /// - Returns: Whether the tree has no pages.
  func isEmptyTree(_ record: UnsafeRawPointer) throws(StorageError) -> Bool {
    let root = record.u64(PageLayout.recordRoot)
    guard root == PageLayout.noPage else {
      guard TreeWords.isPlausible(record) else { throw damaged(root, "A tree has no depth.") }
      return false
    }
    // LMDB adds to the depth when it creates the root.
    guard record.u64(PageLayout.recordEntries) == 0, record.u16(PageLayout.recordDepth) == 0 else {
      throw damaged(root, "The record of an empty tree has entries, or a depth.")
    }
    return true
  }

  private mutating func checkPage(
    _ number: UInt64, level: Int, _ bounds: PageBounds, _ tree: inout Tree
  ) throws(StorageError) {
    let isLeaf = level == 1
    try observer?.check(path: path)
    try visit(number)
    let page: UnsafeRawPointer
    do throws(PageDamage) {
      page = try pages.checkedPage(
        number, isLeaf: isLeaf, bounds, hasIntegerKeys: tree.hasIntegerKeys,
        isFreeList: tree.isFreeList)
    } catch {
      throw damaged(error)
    }
    let count = pages.entryCount(page)
    if isLeaf {
      tree.counted += UInt64(count)
      for index in 0..<count { try checkValue(page + pages.nodeOffset(page, index), number, tree) }
      return
    }
    for index in 0..<count {
      let node = page + pages.nodeOffset(page, index)
      var below = bounds
      if index > 0 { below.lower = node }
      if index + 1 < count { below.upper = page + pages.nodeOffset(page, index + 1) }
      try checkPage(pages.child(node), level: level - 1, below, &tree)
    }
  }

  private mutating func checkValue(
    _ node: UnsafeRawPointer, _ number: UInt64, _ tree: Tree
  ) throws(StorageError) {
    let flags = node.u16(PageLayout.nodeFlags)
    let value: UnsafeRawBufferPointer
    do throws(PageDamage) {
      value = try pages.checkedValue(node, number, allowsTables: tree.isMain)
    } catch {
      throw damaged(error)
    }
    if flags & PageLayout.bigData != 0, let start = value.baseAddress {
      let page = start - PageLayout.headerSize
      let first = page.u64(0)
      for offset in 0..<UInt64(page.u32(PageLayout.overflowPages)) { try visit(first + offset) }
    }
    if tree.isFreeList { return try checkFreePages(node, value, number, tree) }
    let table = tree.isMain ? Table(name: pages.key(node)) : nil
    guard flags & PageLayout.subData != 0 else {
      if table != nil { throw damaged(number, "A table has no tree.") }
      return
    }
    guard value.count == PageLayout.recordSize, let record = value.baseAddress else {
      throw damaged(number, "The record of a table has the wrong size.")
    }
    guard record.u16(PageLayout.recordFlags) & ~PageLayout.integerKeyFlag == 0 else {
      throw damaged(number, "A table is of an unknown kind.")
    }
    // Only the record shows the kind of keys of an empty table.
    if let table, !hasKeys(record, of: table) {
      throw damaged(number, "A table has keys of another kind.")
    }
    subtrees.append(record)
  }

  private func hasKeys(_ record: UnsafeRawPointer, of table: Table) -> Bool {
    (record.u16(PageLayout.recordFlags) & PageLayout.integerKeyFlag != 0) == table.hasIntegerKeys
  }

  /// Records that a page is in use.
  private func visit(_ number: UInt64) throws(StorageError) {
    guard number >= 2, number < pages.limit else {
      throw damaged(number, "A page lies beyond the end of the file.")
    }
    guard seen.insert(number) else { throw damaged(number, "A page is used twice.") }
  }

  func damaged(_ page: UInt64, _ detail: StaticString) -> StorageError {
    StorageError(.corrupted, detail, path: path, page: page)
  }

  func damaged(_ damage: PageDamage) -> StorageError { damaged(damage.page, damage.detail) }
}

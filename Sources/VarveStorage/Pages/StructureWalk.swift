/// A walk over every page of a version, with all extents checked.
///
/// LMDB trusts what it reads: damaged pages make it crash. The walk finds the damage that is known to, and pages that
/// stand in the place of others; it says nothing about values.
///
/// Thread safety: one thread at a time.
package struct StructureWalk {
  let pages: PageMap
  let path: String
  /// One more than the number of the last page of the version. The file may be shorter: what was freed before it was
  /// written is not in it.
  let end: UInt64
  let seen: PageSet
  /// What a leaf of the unnamed table refers to.
  var subtrees: [UnsafeRawPointer] = []
  /// Who may stop the walk.
  let observer: CopyObserver?

  /// What is checked.
  enum Extent {
    /// All trees, and the free list.
    case everything
    /// The unnamed table.
    case tables
    /// The free list, the unnamed table, and the root of each other table.
    case freeList
  }

  /// A tree, and what its entries must be.
  struct Tree {
    var hasIntegerKeys = false
    var isMain = false
    var isFreeList = false
    /// The greatest key that an entry of the free list may have.
    var lastID: UInt64 = .max
    var counted: UInt64 = 0
  }

  /// The entries of the pages above that stand beside the way to a page: no key below it is less than the one, and all
  /// are less than the other.
  struct Bounds {
    var lower: UnsafeRawPointer?
    var upper: UnsafeRawPointer?
  }

  init(
    pages: PageMap, end: UInt64, path: String, observer: CopyObserver? = nil
  ) throws(StorageError) {
    guard let seen = PageSet(limit: max(pages.limit, end)) else {
      throw StorageError(
        .addressSpaceExhausted, "There is no room for a look at the pages.", path: path)
    }
    self.pages = pages
    self.end = end
    self.path = path
    self.observer = observer
    self.seen = seen
  }

  /// Checks the unnamed table, and all tables that it names.
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
    if root == PageLayout.noPage {
      guard entries == 0 else { throw damaged(root, "An empty tree claims entries.") }
      return
    }
    guard TreeWords.isPlausible(record) else { throw damaged(root, "A tree has no depth.") }
    var tree = tree
    try checkPage(
      root, level: Int(record.u16(PageLayout.recordDepth)), Bounds(), &tree)
    guard tree.counted == entries else { throw damaged(root, "A tree claims another count.") }
  }

  private mutating func checkPage(
    _ number: UInt64, level: Int, _ bounds: Bounds, _ tree: inout Tree
  ) throws(StorageError) {
    let isLeaf = level == 1
    try observer?.check(path: path)
    try visit(number)
    let kind = isLeaf ? PageLayout.leaf : PageLayout.branch
    guard let page = pages.page(number, kind), hasFlags(page, kind) else {
      throw damaged(number, "A page is not of the expected kind.")
    }
    let count = pages.entryCount(page)
    guard hasEntries(page, isLeaf: isLeaf, isFreeList: tree.isFreeList) else {
      throw damaged(number, "A page has too few entries.")
    }
    try checkEntries(page, isLeaf: isLeaf, tree)
    guard pages.isBounded(page, isLeaf: isLeaf, bounds.lower, bounds.upper, tree.hasIntegerKeys)
    else { throw damaged(number, "A page holds keys of another one.") }
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

  /// Checks where the entries of a page lie, and the order of their keys.
  private func checkEntries(
    _ page: UnsafeRawPointer, isLeaf: Bool, _ tree: Tree
  ) throws(StorageError) {
    let number = page.u64(0)
    let upper = Int(page.u16(PageLayout.lower + 2))
    guard upper >= Int(page.u16(PageLayout.lower)), upper <= pages.pageSize else {
      throw damaged(number, "The free room of a page is damaged.")
    }
    var previous: UnsafeRawPointer?
    var byteCount = 0
    for index in 0..<pages.entryCount(page) {
      let offset = pages.nodeOffset(page, index)
      guard offset >= upper, offset & 1 == 0, let node = pages.node(page, index) else {
        throw damaged(number, "An entry reaches out of its page.")
      }
      byteCount += pages.nodeSize(node, isLeaf: isLeaf)
      // The first entry of a branch page has no key.
      guard isLeaf || index > 0 else { continue }
      let keySize = Int(node.u16(PageLayout.nodeKeySize))
      guard tree.hasIntegerKeys ? keySize == 8 : keySize > 0 && keySize <= pages.largestKey else {
        throw damaged(number, "A key has the wrong size.")
      }
      if let previous, pages.order(previous, node, tree.hasIntegerKeys) >= 0 {
        throw damaged(number, "Keys are out of order.")
      }
      previous = node
    }
    // LMDB moves the entries of a page as one piece.
    guard byteCount == pages.pageSize - upper else {
      throw damaged(number, "The entries of a page overlap.")
    }
  }

  private mutating func checkValue(
    _ node: UnsafeRawPointer, _ number: UInt64, _ tree: Tree
  ) throws(StorageError) {
    let flags = node.u16(PageLayout.nodeFlags)
    guard flags & ~(PageLayout.bigData | (tree.isMain ? PageLayout.subData : 0)) == 0,
      let value = pages.value(node),
      flags & PageLayout.bigData != 0
        || pages.nodeSize(node, isLeaf: true) <= pages.largestNode
    else { throw damaged(number, "A value reaches out of its page.") }
    if flags & PageLayout.bigData != 0, let start = value.baseAddress {
      let page = start - PageLayout.headerSize
      let first = page.u64(0)
      guard hasFlags(page, PageLayout.overflow) else {
        throw damaged(first, "A page is not of the expected kind.")
      }
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
      throw damaged(number, "A table is of a kind that is not known.")
    }
    // Of an empty table nothing else says of which kind its keys are.
    if let table, !hasKeys(record, of: table) {
      throw damaged(number, "A table has keys of another kind.")
    }
    subtrees.append(record)
  }

  /// Whether a page has the flag of its kind alone. LMDB clears those of a running transaction before it writes a page;
  /// a page that has one is changed in place, in a map that cannot be written.
  func hasFlags(_ page: UnsafeRawPointer, _ kind: UInt16) -> Bool {
    page.u16(PageLayout.flags) == kind
  }

  /// Whether a page has as many entries as LMDB takes for granted, and a whole number of them.
  func hasEntries(_ page: UnsafeRawPointer, isLeaf: Bool, isFreeList: Bool = false) -> Bool {
    page.u16(PageLayout.lower) & 1 == 0 && pages.entryCount(page) >= (isLeaf || isFreeList ? 1 : 2)
  }

  private func hasKeys(_ record: UnsafeRawPointer, of table: Table) -> Bool {
    (record.u16(PageLayout.recordFlags) & PageLayout.integerKeyFlag != 0) == table.hasIntegerKeys
  }

  /// Notes that a page is in use.
  private func visit(_ number: UInt64) throws(StorageError) {
    guard number >= 2, number < pages.limit else {
      throw damaged(number, "A page lies beyond the end of the file.")
    }
    guard seen.insert(number) else { throw damaged(number, "A page is used twice.") }
  }

  func damaged(_ page: UInt64, _ detail: StaticString) -> StorageError {
    StorageError(.corrupted, detail, path: path, page: page)
  }
}

extension PageMap {
  /// The most bytes that an entry of a page has; a larger value lies in pages of its own.
  var largestNode: Int { ((pageSize - PageLayout.headerSize) / 2) & ~1 - 2 }

  /// The longest key that a page takes, whatever LMDB was built for.
  var largestKey: Int { largestNode - PageLayout.nodeHeaderSize }

  /// The bytes that an entry takes up in its page.
  func nodeSize(_ node: UnsafeRawPointer, isLeaf: Bool) -> Int {
    var size = PageLayout.nodeHeaderSize + Int(node.u16(PageLayout.nodeKeySize))
    if isLeaf {
      size += node.u16(PageLayout.nodeFlags) & PageLayout.bigData != 0 ? 8 : Int(node.u32(0))
    }
    return (size + 1) & ~1
  }

  /// The order of the keys of two entries of a tree.
  @inline(__always)
  func order(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ hasIntegerKeys: Bool
  ) -> Int {
    guard hasIntegerKeys else { return PageMap.compare(key(left), key(right)) }
    let (left, right) = (left.u64(PageLayout.nodeHeaderSize), right.u64(PageLayout.nodeHeaderSize))
    return left < right ? -1 : left == right ? 0 : 1
  }
}

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

  /// The separators next to the path to a page: the inclusive lower bound and the exclusive upper
  /// bound of every key below it.
  struct Bounds {
    var lower: UnsafeRawPointer?
    var upper: UnsafeRawPointer?
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
    if root == PageLayout.noPage {
      guard entries == 0 else { throw damaged(root, "The record of an empty tree has entries.") }
      return
    }
    guard TreeWords.isPlausible(record) else { throw damaged(root, "A tree has no depth.") }
    var tree = tree
    try checkPage(
      root, level: Int(record.u16(PageLayout.recordDepth)), Bounds(), &tree)
    guard tree.counted == entries else {
      throw damaged(root, "The record of a tree has another count.")
    }
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
    else { throw damaged(number, "A page has the keys of another page.") }
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

  /// Checks the offsets of the entries of a page, and the order of their keys.
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
        throw damaged(number, "An entry reaches outside its page.")
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
    // LMDB moves the entries of a page as one block.
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
    else { throw damaged(number, "A value reaches outside its page.") }
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
      throw damaged(number, "A table is of an unknown kind.")
    }
    // Only the record shows the kind of keys of an empty table.
    if let table, !hasKeys(record, of: table) {
      throw damaged(number, "A table has keys of another kind.")
    }
    subtrees.append(record)
  }

  /// Whether a page has only the flag of its kind. LMDB clears the flags of a running transaction
  /// before it writes a page; a page with such a flag would be modified in place, in a read-only
  /// map.
  func hasFlags(_ page: UnsafeRawPointer, _ kind: UInt16) -> Bool {
    page.u16(PageLayout.flags) == kind
  }

  /// Whether a page has the minimum number of entries that LMDB assumes, and a valid count.
  func hasEntries(_ page: UnsafeRawPointer, isLeaf: Bool, isFreeList: Bool = false) -> Bool {
    page.u16(PageLayout.lower) & 1 == 0 && pages.entryCount(page) >= (isLeaf || isFreeList ? 1 : 2)
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
}

extension PageMap {
  /// The maximum size of an entry in a page in bytes; a larger value is stored in overflow pages.
  var largestNode: Int { ((pageSize - PageLayout.headerSize) / 2) & ~1 - 2 }

  /// The longest key that fits in a page, regardless of how LMDB was built.
  var largestKey: Int { largestNode - PageLayout.nodeHeaderSize }

  /// Returns the number of bytes that an entry occupies in its page.
  func nodeSize(_ node: UnsafeRawPointer, isLeaf: Bool) -> Int {
    var size = PageLayout.nodeHeaderSize + Int(node.u16(PageLayout.nodeKeySize))
    if isLeaf {
      size += node.u16(PageLayout.nodeFlags) & PageLayout.bigData != 0 ? 8 : Int(node.u32(0))
    }
    return (size + 1) & ~1
  }

  /// Compares the keys of two entries of a tree.
  @inline(__always)
  func order(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ hasIntegerKeys: Bool
  ) -> Int {
    guard hasIntegerKeys else { return PageMap.compare(key(left), key(right)) }
    let (left, right) = (left.u64(PageLayout.nodeHeaderSize), right.u64(PageLayout.nodeHeaderSize))
    return left < right ? -1 : left == right ? 0 : 1
  }
}

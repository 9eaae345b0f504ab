/// A walk over every page of a version, with all extents checked.
///
/// LMDB trusts what it reads: damaged pages make it crash. The walk finds every damage that could, and
/// says nothing about values.
///
/// Thread safety: one thread at a time.
package struct StructureWalk {
  private let pages: PageMap
  private let path: String
  /// One bit a page.
  private var seen: [UInt64]
  /// What a leaf of the unnamed table refers to.
  private var subtrees: [UnsafeRawPointer] = []
  /// Who may stop the walk.
  private let observer: CopyObserver?

  private init(pages: PageMap, path: String, observer: CopyObserver? = nil) {
    self.pages = pages
    self.path = path
    self.observer = observer
    seen = Array(repeating: 0, count: Int(pages.limit / 64) + 1)
  }

  /// Checks a version that is pinned, or a file that nobody writes to.
  ///
  /// - Parameters:
  ///   - meta: The meta page of the version.
  ///   - mapping: The map of the file.
  ///   - pageSize: The size of its pages.
  ///   - path: The file, for errors.
  ///   - onlyTables: Whether to look at the unnamed table alone.
  ///   - observer: May stop the walk.
  /// - Throws: `corrupted` with the first damaged page; `cancelled` when the observer stops the walk.
  /// - Complexity: O(pages).
  static func check(
    _ meta: MetaPage, mapping: ReadMapping, pageSize: Int, path: String, onlyTables: Bool = false,
    observer: CopyObserver? = nil
  ) throws(StorageError) {
    let length = mapping.readableLength(mapping.byteCount)
    let limit = min(UInt64(length / pageSize), meta.lastPage &+ 1)
    let records = UnsafeMutablePointer<InlineArray<6, UInt64>>.allocate(capacity: 2)
    defer { records.deallocate() }
    records.initialize(to: meta.freeRecord)
    (records + 1).initialize(to: meta.mainRecord)
    var walk = StructureWalk(
      pages: PageMap(base: mapping.base, pageSize: pageSize, limit: limit), path: path,
      observer: observer)
    let main = UnsafeRawPointer(records + 1)
    if onlyTables { return try walk.checkTree(main, hasIntegerKeys: false, isMain: true) }
    try walk.checkTree(UnsafeRawPointer(records), hasIntegerKeys: true, isMain: false)
    try walk.checkMain(main)
  }

  /// Checks all tables of a snapshot.
  ///
  /// - Throws: `corrupted` with the first damaged page.
  /// - Complexity: O(pages).
  package static func check(_ snapshot: Snapshot) throws(StorageError) {
    guard snapshot.isPaged else { return }
    var walk = StructureWalk(pages: snapshot.pages, path: snapshot.environment.path)
    try walk.checkMain(TreeWords.mainRecord(snapshot.trees))
  }

  private mutating func checkMain(_ record: UnsafeRawPointer) throws(StorageError) {
    try checkTree(record, hasIntegerKeys: false, isMain: true)
    for subtree in subtrees {
      let flags = subtree.u16(PageLayout.recordFlags)
      try checkTree(
        subtree, hasIntegerKeys: flags & PageLayout.integerKeyFlag != 0, isMain: false)
    }
  }

  private mutating func checkTree(
    _ record: UnsafeRawPointer, hasIntegerKeys: Bool, isMain: Bool
  ) throws(StorageError) {
    let root = record.u64(PageLayout.recordRoot)
    let depth = Int(record.u16(PageLayout.recordDepth))
    let entries = record.u64(PageLayout.recordEntries)
    if root == PageLayout.noPage {
      guard entries == 0 else { throw damaged(root, "An empty tree claims entries.") }
      return
    }
    guard TreeWords.isPlausible(record) else { throw damaged(root, "A tree has no depth.") }
    var counted: UInt64 = 0
    try checkPage(
      root, level: depth, hasIntegerKeys: hasIntegerKeys, isMain: isMain, counted: &counted)
    guard counted == entries else { throw damaged(root, "A tree claims another count.") }
  }

  private mutating func checkPage(
    _ number: UInt64, level: Int, hasIntegerKeys: Bool, isMain: Bool, counted: inout UInt64
  ) throws(StorageError) {
    let isLeaf = level == 1
    try observer?.check(path: path)
    try visit(number)
    guard let page = pages.page(number, isLeaf ? PageLayout.leaf : PageLayout.branch) else {
      throw damaged(number, "A page is not of the expected kind.")
    }
    let count = pages.entryCount(page)
    let upper = Int(page.u16(PageLayout.lower + 2))
    guard upper >= Int(page.u16(PageLayout.lower)), upper <= pages.pageSize else {
      throw damaged(number, "The free room of a page is damaged.")
    }
    var previous: UnsafeRawPointer?
    for index in 0..<count {
      guard pages.nodeOffset(page, index) >= upper, let node = pages.node(page, index) else {
        throw damaged(number, "An entry reaches out of its page.")
      }
      let hasKey = isLeaf || index > 0
      if hasKey, hasIntegerKeys, node.u16(PageLayout.nodeKeySize) != 8 {
        throw damaged(number, "An integer key has the wrong size.")
      }
      if hasKey, let previous {
        let isAscending =
          hasIntegerKeys
          ? previous.u64(PageLayout.nodeHeaderSize) < node.u64(PageLayout.nodeHeaderSize)
          : PageMap.compare(pages.key(previous), pages.key(node)) < 0
        guard isAscending else { throw damaged(number, "Keys are out of order.") }
      }
      if hasKey { previous = node }
      if isLeaf {
        try checkValue(node, in: number, isMain: isMain)
      } else {
        try checkPage(
          pages.child(node), level: level - 1, hasIntegerKeys: hasIntegerKeys, isMain: isMain,
          counted: &counted)
      }
    }
    if isLeaf { counted += UInt64(count) }
  }

  private mutating func checkValue(
    _ node: UnsafeRawPointer, in number: UInt64, isMain: Bool
  ) throws(StorageError) {
    let flags = node.u16(PageLayout.nodeFlags)
    guard flags & ~(PageLayout.bigData | (isMain ? PageLayout.subData : 0)) == 0,
      let value = pages.value(node)
    else { throw damaged(number, "A value reaches out of its page.") }
    if flags & PageLayout.bigData != 0, let start = value.baseAddress {
      let page = start - PageLayout.headerSize
      let first = page.u64(0)
      for offset in 0..<UInt64(page.u32(PageLayout.overflowPages)) { try visit(first + offset) }
    }
    let table = isMain ? Table(name: pages.key(node)) : nil
    guard flags & PageLayout.subData != 0 else {
      if table != nil { throw damaged(number, "A table has no tree.") }
      return
    }
    guard value.count == PageLayout.recordSize, let record = value.baseAddress else {
      throw damaged(number, "The record of a table has the wrong size.")
    }
    // Of an empty table nothing else says of which kind its keys are.
    if let table, !hasKeys(record, of: table) {
      throw damaged(number, "A table has keys of another kind.")
    }
    subtrees.append(record)
  }

  private func hasKeys(_ record: UnsafeRawPointer, of table: Table) -> Bool {
    (record.u16(PageLayout.recordFlags) & PageLayout.integerKeyFlag != 0) == table.hasIntegerKeys
  }

  private mutating func visit(_ number: UInt64) throws(StorageError) {
    guard number >= 2, number < pages.limit else {
      throw damaged(number, "A page lies beyond the end of the file.")
    }
    let bit = UInt64(1) << (number & 63)
    guard seen[Int(number >> 6)] & bit == 0 else { throw damaged(number, "A page is used twice.") }
    seen[Int(number >> 6)] |= bit
  }

  private func damaged(_ page: UInt64, _ detail: StaticString) -> StorageError {
    StorageError(.corrupted, detail, path: path, page: page)
  }
}

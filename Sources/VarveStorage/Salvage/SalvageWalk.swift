/// A walk over the entries of the tables of a damaged file, which leaves out damaged pages.
///
/// A page below a damaged branch page is not found.
///
/// Thread safety: one thread at a time.
struct SalvageWalk {
  typealias Body =
    (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws(StorageError) -> Void

  private let pages: PageMap
  /// The last page of the version, if its meta page is not damaged.
  private let lastPage: UInt64
  /// The pages of which a part could not be read.
  private let unreadable: PageSet
  private let seen: PageSet
  private let progress: WorkProgress
  var found: SalvagedPages

  init(
    _ pages: PageMap, lastPage: UInt64, unreadable: [Range<Int>], _ found: SalvagedPages,
    _ progress: WorkProgress
  ) throws(StorageError) {
    guard let seen = PageSet(limit: pages.limit), let damaged = PageSet(limit: pages.limit) else {
      throw StorageError(.addressSpaceExhausted, "There is no memory to walk the pages.")
    }
    self.pages = pages
    self.lastPage = lastPage
    self.seen = seen
    self.found = found
    self.progress = progress
    self.unreadable = damaged
    for range in unreadable {
      let first = UInt64(range.lowerBound / pages.pageSize)
      let end = min(UInt64((range.upperBound - 1) / pages.pageSize) + 1, pages.limit)
      // Two ranges may be in one page.
      for page in first..<max(first, end) { _ = damaged.insert(page) }
    }
  }

  /// Calls `body` with the readable entries of a table, in order.
  ///
  /// - Throws: The error of `body`, `cancelled`.
  mutating func walk(
    _ table: Table, _ record: UnsafeRawPointer, _ body: Body
  ) throws(StorageError) {
    let root = record.u64(PageLayout.recordRoot)
    let entries = record.u64(PageLayout.recordEntries)
    var count = found.tables[table] ?? .init()
    count.expected = Int(clamping: entries)
    found.tables[table] = count
    if root == PageLayout.noPage { return }
    guard TreeWords.isPlausible(record) else {
      return found.note(PageDamage(page: root, detail: "A tree has no depth."), in: table)
    }
    try walk(
      root, level: Int(record.u16(PageLayout.recordDepth)), PageBounds(), table, body)
  }

  private mutating func walk(
    _ number: UInt64, level: Int, _ bounds: PageBounds, _ table: Table, _ body: Body
  ) throws(StorageError) {
    try progress.advance(by: pages.pageSize)
    let page: UnsafeRawPointer
    do throws(PageDamage) {
      try visit(number)
      page = try pages.checkedPage(
        number, isLeaf: level == 1, bounds, hasIntegerKeys: table.hasIntegerKeys)
    } catch {
      found.note(error, in: table)
      if table == .main || table == .catalog, level == 1 {
        try passSoundEntries(number, table, body)
      }
      return
    }
    for index in 0..<pages.entryCount(page) {
      let node = page + pages.nodeOffset(page, index)
      guard level > 1 else {
        try passEntry(node, number, table, body)
        continue
      }
      var below = bounds
      if index > 0 { below.lower = node }
      if index + 1 < pages.entryCount(page) {
        below.upper = page + pages.nodeOffset(page, index + 1)
      }
      try walk(pages.child(node), level: level - 1, below, table, body)
    }
  }

  /// Passes the entries of a damaged leaf of the unnamed table or the catalog that are inside the page:
  /// a small store has all its tables and classes in these leaves. The entries are checked further by
  /// their content.
  private mutating func passSoundEntries(
    _ number: UInt64, _ table: Table, _ body: Body
  ) throws(StorageError) {
    guard let page = try? pages.checkedRoot(number, isLeaf: true) else { return }
    for index in 0..<pages.entryCount(page) {
      guard let node = pages.node(page, index), !pages.key(node).isEmpty else { continue }
      try passEntry(node, number, table, body)
    }
  }

  private mutating func passEntry(
    _ node: UnsafeRawPointer, _ number: UInt64, _ table: Table, _ body: Body
  ) throws(StorageError) {
    let value: UnsafeRawBufferPointer
    do throws(PageDamage) {
      value = try pages.checkedValue(node, number, allowsTables: table == .main)
      if node.u16(PageLayout.nodeFlags) & PageLayout.bigData != 0, let start = value.baseAddress {
        let page = start - PageLayout.headerSize
        let first = page.u64(0)
        for offset in 0..<UInt64(page.u32(PageLayout.overflowPages)) { try visit(first + offset) }
      }
    } catch {
      return found.note(error, in: table)
    }
    do throws(StorageError) {
      try body(pages.key(node), value)
      found.tables[table]?.found += 1
    } catch {
      // LMDB accepts only keys of up to 511 bytes.
      guard error.code == .keyTooLong || error.code == .valueTooLong else { throw error }
      found.note(PageDamage(page: number, detail: "A key or a value is too long."), in: table)
    }
  }

  private mutating func visit(_ number: UInt64) throws(PageDamage) {
    guard number >= 2, number < pages.limit else {
      throw PageDamage(page: number, detail: "A page lies beyond the end of the file.")
    }
    // The meta page is damaged, or the number of the page.
    if number > lastPage { found.isMetaDamaged = true }
    guard !unreadable.contains(number) else {
      throw PageDamage(page: number, detail: "A page could not be read.")
    }
    guard seen.insert(number) else {
      throw PageDamage(page: number, detail: "A page is used twice.")
    }
  }
}

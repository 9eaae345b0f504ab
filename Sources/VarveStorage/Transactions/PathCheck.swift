/// Checks, before LMDB reads or changes an entry of a table in a write, the pages that it touches.
///
/// The pages are those of the version before the write, which is pinned: LMDB copies a page before
/// it changes it, and its copies consist of entries of checked pages. A page that LMDB has not
/// copied has the same place among the others as in that version, so that the path to a key leads
/// to the pages that LMDB reads, with one exception: when branch pages are merged, the keys between
/// a separator and the first key of its leaf move to the leaf before it.
///
/// Thread safety: one thread at a time.
final class PathCheck {
  /// The way LMDB uses an entry.
  enum Use: Equatable {
    /// LMDB reads the entry with a key, or adds one.
    case read
    /// LMDB moves a cursor to a key, or from it to the next or the previous entry.
    case move
    /// LMDB puts a value of some bytes, and frees the overflow pages of the old value. The leaf
    /// becomes emptier, as by a deletion, when the new value needs less room in it.
    case put(Int)
    /// LMDB deletes an entry, and moves or merges the entries of pages that become too empty.
    case delete
  }

  /// A page on the path to an entry.
  struct Step {
    var page: UnsafeRawPointer
    var number: UInt64
    /// 1 for a leaf.
    var level: Int
    /// The entry of a branch page that the path follows.
    var index: Int
    var bounds: PageBounds
  }

  /// The leaf checked last, and the keys whose leaf it is.
  struct Leaf {
    var page: UnsafeRawPointer
    /// The entry with the inclusive lower bound.
    var lower: UnsafeRawPointer?
    /// The entry with the exclusive upper bound.
    var upper: UnsafeRawPointer?
    /// Whether the leaves next to it have been checked.
    var hasNeighbours: Bool
    /// Whether the pages that a deletion in it may touch have been checked.
    var isDeletable: Bool
  }

  struct TableState {
    let root: UInt64
    let depth: Int
    let hasIntegerKeys: Bool
    var leaf: Leaf?
    var hasCheckedFirst = false
    var hasCheckedLast = false
  }

  private let base: Snapshot
  let pages: PageMap
  private let checked: CheckedPages
  /// The tables by index; nil before their first use.
  private var tables: [TableState?] = []
  /// The pages in which entries may be deleted, or get shorter values.
  var deletable: Set<UInt64> = []
  /// The path to the leaf checked last, from the root.
  var steps: [Step] = []
  /// The path to a page next to it.
  var side: [Step] = []
  /// The error that prevented a check.
  private(set) var failure: StorageError?
  /// Whether the pages of the whole version must be checked, because the pages that LMDB will touch
  /// cannot be determined.
  var needsWalk = false

  init(_ base: Snapshot, _ checked: CheckedPages) {
    self.base = base
    self.pages = base.pages
    self.checked = checked
  }

  /// Checks the pages that LMDB touches for a key.
  ///
  /// - Complexity: O(1) comparisons for a key of the leaf checked last, otherwise one search and one
  ///   look-up a page, and for each page that is visited for the first time O(its entries).
  func check(
    _ table: Table, _ key: UnsafeRawBufferPointer, _ use: Use
  ) throws(PageDamage) {
    let index = try load(table)
    guard var state = tables[index], state.depth > 0 else { return }
    guard key.count == 8 || !state.hasIntegerKeys else {
      needsWalk = true
      return
    }
    let isKnown =
      state.leaf.map { leaf in
        isKey(key, of: leaf, state.hasIntegerKeys) && (use != .delete || leaf.isDeletable)
          && (use != .move || leaf.hasNeighbours)
      } ?? false
    if !isKnown {
      state.leaf = try checkedLeaf(state, key, use)
      tables[index] = state
    }
    guard let leaf = state.leaf else { return }
    let newCount: Int
    switch use {
    case .put(let count): newCount = count
    case .delete: newCount = 0
    case .read, .move: return
    }
    guard let old = try checkedEntry(leaf.page, key, state.hasIntegerKeys), !leaf.isDeletable,
      use == .delete || pages.leafBytes(newCount, keyCount: key.count) < old
    else { return }
    // The put of a shorter value moves no entries, but a later deletion next to the leaf may.
    if isKnown { try findPath(state, key) }
    tables[index]?.leaf = try checkedForDeletion(leaf, state)
  }

  /// Checks the path to the first or the last entry of a table.
  func checkEnd(_ table: Table, isFirst: Bool) throws(PageDamage) {
    let index = try load(table)
    guard let state = tables[index], state.depth > 0,
      !(isFirst ? state.hasCheckedFirst : state.hasCheckedLast)
    else { return }
    steps.removeAll(keepingCapacity: true)
    steps.append(try root(state))
    while steps.count < state.depth {
      steps.append(try child(of: steps[steps.count - 1], state, isFirst: isFirst))
    }
    if isFirst {
      tables[index]?.hasCheckedFirst = true
    } else {
      tables[index]?.hasCheckedLast = true
    }
  }

  private func load(_ table: Table) throws(PageDamage) -> Int {
    let index = Int(table.index)
    if index < tables.count, tables[index] != nil { return index }
    if index >= tables.count {
      tables.append(contentsOf: repeatElement(nil, count: index + 1 - tables.count))
    }
    let record = base.tree(table)
    // A table that does not exist in the version has no pages to check.
    if record == nil, let damage = base.environment.damageError {
      throw PageDamage(page: damage.page ?? 0, detail: "The record of a table is damaged.")
    }
    let root = record?.u64(PageLayout.recordRoot) ?? PageLayout.noPage
    let depth = record?.u16(PageLayout.recordDepth) ?? 0
    guard (root == PageLayout.noPage) == (depth == 0) else {
      throw PageDamage(page: root, detail: "A tree has no depth, or no root.")
    }
    tables[index] = TableState(
      root: root, depth: Int(depth), hasIntegerKeys: table.hasIntegerKeys, leaf: nil)
    return index
  }

  // MARK: Paths

  /// Makes `steps` the path to the leaf of a key, and checks the pages on it.
  private func findPath(
    _ state: TableState, _ key: UnsafeRawBufferPointer
  ) throws(PageDamage) {
    steps.removeAll(keepingCapacity: true)
    steps.append(try root(state))
    while steps.count < state.depth {
      let last = steps.count - 1
      let page = steps[last].page
      let index =
        state.hasIntegerKeys
        ? pages.childIndex(page, id: key.loadUnaligned(as: UInt64.self))
        : pages.childIndex(page, key: key)
      guard let index else { throw PageDamage(page: steps[last].number) }
      steps[last].index = index
      steps.append(try child(of: steps[last], state))
    }
  }

  private func checkedLeaf(
    _ state: TableState, _ key: UnsafeRawBufferPointer, _ use: Use
  ) throws(PageDamage) -> Leaf {
    try findPath(state, key)
    let step = steps[steps.count - 1]
    guard let first = pages.node(step.page, 0) else { throw PageDamage(page: step.number) }
    var leaf = Leaf(
      page: step.page, lower: first, upper: step.bounds.upper, hasNeighbours: false,
      isDeletable: false)
    switch use {
    case .delete:
      leaf = try checkedForDeletion(leaf, state)
    case .move:
      for isForward in [false, true] {
        restartSide()
        _ = try moveSide(at: state.depth - 1, isForward: isForward, state)
      }
      leaf.hasNeighbours = true
      leaf.lower = step.bounds.lower
    case .read, .put:
      if order(key, first, state.hasIntegerKeys) < 0 {
        restartSide()
        _ = try moveSide(at: state.depth - 1, isForward: false, state)
        leaf.lower = step.bounds.lower
      }
    }
    return leaf
  }

  /// Checks the pages that a deletion in the leaf of the path may touch.
  private func checkedForDeletion(
    _ leaf: Leaf, _ state: TableState
  ) throws(PageDamage) -> Leaf {
    try checkDeletion(state)
    var leaf = leaf
    leaf.isDeletable = true
    leaf.hasNeighbours = true
    leaf.lower = steps[steps.count - 1].bounds.lower
    return leaf
  }

  private func root(_ state: TableState) throws(PageDamage) -> Step {
    let page = try visit(state.root, level: state.depth, PageBounds(), state)
    return Step(
      page: page, number: state.root, level: state.depth, index: 0, bounds: PageBounds())
  }

  /// Returns the page below the first or the last entry of a branch page, after its check.
  func child(
    of step: Step, _ state: TableState, isFirst: Bool
  ) throws(PageDamage) -> Step {
    var step = step
    step.index = isFirst ? 0 : pages.entryCount(step.page) - 1
    return try child(of: step, state)
  }

  /// Returns the page that the path follows below a branch page, after its check.
  func child(of step: Step, _ state: TableState) throws(PageDamage) -> Step {
    guard let node = pages.node(step.page, step.index) else {
      throw PageDamage(page: step.number)
    }
    var bounds = step.bounds
    if step.index > 0 { bounds.lower = node }
    if step.index + 1 < pages.entryCount(step.page) {
      guard let next = pages.node(step.page, step.index + 1) else {
        throw PageDamage(page: step.number)
      }
      bounds.upper = next
    }
    let (number, level) = (pages.child(node), step.level - 1)
    let page = try visit(number, level: level, bounds, state)
    return Step(page: page, number: number, level: level, index: 0, bounds: bounds)
  }

  /// Returns a page, after its check when this is its first visit.
  private func visit(
    _ number: UInt64, level: Int, _ bounds: PageBounds, _ state: TableState
  ) throws(PageDamage) -> UnsafeRawPointer {
    let isLeaf = level == 1
    if checked.contains(number) {
      let kind = isLeaf ? PageLayout.leaf : PageLayout.branch
      guard let page = pages.page(number, kind) else {
        throw PageDamage(page: number, detail: "A page is not of the expected kind.")
      }
      guard
        pages.isBounded(page, isLeaf: isLeaf, bounds.lower, bounds.upper, state.hasIntegerKeys)
      else { throw PageDamage(page: number, detail: "A page has the keys of another page.") }
      return page
    }
    let page = try pages.checkedPage(
      number, isLeaf: isLeaf, bounds, hasIntegerKeys: state.hasIntegerKeys)
    if level < state.depth { try checkUse(of: number..<number + 1) }
    if isLeaf { try pages.checkValues(page, number) }
    checked.insert(number)
    return page
  }

  // MARK: Entries

  /// Checks the overflow pages of an entry that is changed or deleted: LMDB frees as many pages as
  /// their header says.
  ///
  /// - Returns: The bytes of the entry in its leaf; nil if the leaf does not have it.
  private func checkedEntry(
    _ page: UnsafeRawPointer, _ key: UnsafeRawBufferPointer, _ hasIntegerKeys: Bool
  ) throws(PageDamage) -> Int? {
    let index =
      hasIntegerKeys
      ? pages.lowerBound(page, id: key.loadUnaligned(as: UInt64.self))
      : pages.lowerBound(page, key: key)
    guard let index else { throw PageDamage(page: page.u64(0)) }
    guard index < pages.entryCount(page), let node = pages.node(page, index),
      order(key, node, hasIntegerKeys) == 0
    else { return nil }
    let byteCount = pages.nodeSize(node, isLeaf: true)
    guard node.u16(PageLayout.nodeFlags) & PageLayout.bigData != 0 else { return byteCount }
    let value = try pages.checkedValue(node, page.u64(0), allowsTables: false)
    guard let start = value.baseAddress else { return byteCount }
    let run = start - PageLayout.headerSize
    let count = UInt64(run.u32(PageLayout.overflowPages))
    // A value that LMDB has replaced by a smaller one in the transaction that put it keeps its
    // pages.
    let needed = UInt64(PageLayout.headerSize + value.count + pages.pageSize - 1) >> pages.shift
    if count > needed { needsWalk = true }
    let first = run.u64(0)
    try checkUse(of: first..<first + needed)
    return byteCount
  }

  /// Ensures that pages of a tree are neither free nor in use elsewhere: LMDB would reuse a free one
  /// while its entries are still read.
  ///
  /// - Complexity: O(pages of the free list and of the unnamed table) for the first pages of a
  ///   transaction, then O(numbers).
  private func checkUse(of numbers: Range<UInt64>) throws(PageDamage) {
    if checked.reservedVersion != base.transactionID { try loadReservedPages() }
    for number in numbers where checked.isReserved(number) {
      throw PageDamage(page: number, detail: "A page is used twice, or free and in use.")
    }
  }

  /// Reads the free list of the version before the write, which is the newest one.
  ///
  /// An error that is not damage, for example without memory, is in `failure`.
  private func loadReservedPages() throws(PageDamage) {
    let environment = base.environment
    do throws(StorageError) {
      guard let meta = environment.metaPage(of: base.transactionID, base.mapping) else {
        throw StorageError(
          .corrupted, "The newest meta page is damaged.", path: environment.path,
          page: base.transactionID & 1)
      }
      checked.reserve(
        try StructureWalk.checkedPages(
          meta, mapping: base.mapping, pageSize: pages.pageSize, path: environment.path,
          extent: .freeList), of: meta)
    } catch {
      if error.code != .corrupted { failure = error }
      throw PageDamage(
        page: error.page ?? 0, detail: "The free list, or the unnamed table, is damaged.")
    }
  }

  private func isKey(
    _ key: UnsafeRawBufferPointer, of leaf: Leaf, _ hasIntegerKeys: Bool
  ) -> Bool {
    if let lower = leaf.lower, order(key, lower, hasIntegerKeys) < 0 { return false }
    if let upper = leaf.upper, order(key, upper, hasIntegerKeys) >= 0 { return false }
    return true
  }

  /// Compares a key with the key of an entry.
  private func order(
    _ key: UnsafeRawBufferPointer, _ node: UnsafeRawPointer, _ hasIntegerKeys: Bool
  ) -> Int {
    guard hasIntegerKeys else { return PageMap.compare(key, pages.key(node)) }
    let (id, other) = (
      key.loadUnaligned(as: UInt64.self), node.u64(PageLayout.nodeHeaderSize)
    )
    return id < other ? -1 : id == other ? 0 : 1
  }
}

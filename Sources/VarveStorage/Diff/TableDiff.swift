/// The difference between two versions of a table: the changed entries one by one, in key order.
///
/// The result does not depend on the commits in between: an entry that was deleted and inserted
/// again is modified, or not reported if its value is equal to the old one. The old version may
/// also be the later one. A table that a version does not contain is empty there.
///
/// Both trees are walked in parallel, and shared subtrees are skipped: LMDB never writes to a page
/// that a pinned version reaches, nor reuses its number, so equal numbers in two pinned versions of
/// one environment denote one page with the same subtree.
///
/// The diff retains both snapshots.
///
/// Thread safety: one thread at a time; several diffs may walk two snapshots concurrently.
package struct TableDiff: ~Copyable {
  private let from: Snapshot
  private let to: Snapshot
  private let bounds: KeyBounds?
  /// The frames of both walks. They are allocated separately, so that a diff is small and cheap to
  /// move.
  private let frames: UnsafeMutablePointer<TreeWalker.Frame>
  private var old: TreeWalker
  private var new: TreeWalker
  /// The entry of the last change.
  private var last: UnsafeRawPointer?
  private var damage: PageDamage?

  /// - Throws: `corrupted` when the tree of a table cannot be found.
  init(
    _ from: Snapshot, _ to: Snapshot, _ table: Table, _ range: KeyRange
  ) throws(StorageError) {
    let roots = (try from.treeRoot(table), try to.treeRoot(table))
    let bounds = KeyBounds.make(range, of: table)
    self.from = from
    self.to = to
    self.bounds = bounds
    frames = .allocate(capacity: roots.0.depth + roots.1.depth)
    old = TreeWalker(
      roots.0, pages: from.pages, table: table, bounds: bounds, frames: frames)
    new = TreeWalker(
      roots.1, pages: to.pages, table: table, bounds: bounds, frames: frames + roots.0.depth)
  }

  deinit { frames.deallocate() }

  /// The number of tree pages read so far.
  package var pagesRead: Int { old.pagesRead + new.pagesRead }

  /// Returns the next change.
  ///
  /// - Returns: The change; nil when there are no more.
  /// - Throws: `corrupted` when a page is damaged. The environment records it, and every later call
  ///   throws the same error.
  /// - Complexity: All calls together read the pages that differ between the versions and the pages
  ///   above them, regardless of the size of the table.
  package mutating func next() throws(StorageError) -> EntryChange? {
    if let damage { throw error(damage) }
    do throws(PageDamage) {
      return try nextChange()
    } catch {
      damage = error
      from.noteDamage(page: error.page)
      throw self.error(error)
    }
  }

  /// Skips the remaining changes, and counts them.
  ///
  /// - Parameter limit: The number at which counting stops.
  /// - Returns: The number of changes, at most `limit`.
  /// - Throws: `corrupted` when a page is damaged.
  /// - Complexity: That of as many calls of `next()`.
  package mutating func count(upTo limit: Int = .max) throws(StorageError) -> Int {
    var count = 0
    while count < limit, try next() != nil { count += 1 }
    return count
  }

  private func error(_ damage: PageDamage) -> StorageError {
    StorageError(
      .corrupted, damage.detail, path: from.environment.path, page: damage.page)
  }
}

extension TableDiff {
  /// Walks both trees to the next entry that differs.
  ///
  /// Invariant: everything ahead of a walk is at or above its current position. Therefore the walk
  /// at the lower position advances: it enters its page, or its entry does not exist in the other
  /// tree. At equal positions the walk on the page of greater height advances, because that page
  /// may contain the position of the other walk. Since each walk advances only when its position is
  /// the lower one, both walks reach every shared page.
  private mutating func nextChange() throws(PageDamage) -> EntryChange? {
    while true {
      if old.height == new.height {
        if old.height < 0 { return nil }
        if old.height == 0 {
          if try TreeWalker.passSameEntries(&old, &new) { continue }
          if let change = try nextOfTwoEntries() { return change }
          continue
        }
        if old.number == new.number {
          try TreeWalker.passSharedPages(&old, &new)
          continue
        }
      }
      if isOldNext {
        if old.height == 0 { return try deletion() }
        try old.enter()
      } else {
        if new.height == 0 { return try insertion() }
        try new.enter()
      }
    }
  }

  /// Whether the old walk advances, if not both walks are on entries. A walk at its end does not
  /// advance.
  private var isOldNext: Bool {
    if old.height < 0 || new.height < 0 { return new.height < 0 }
    let order = positionOrder
    return order == 0 ? old.height > new.height : order < 0
  }

  /// The order of the positions of the two walks; negative if the old walk is lower. Neither walk
  /// may be at its end.
  private var positionOrder: Int {
    guard let left = old.bound else { return new.bound == nil ? 0 : -1 }
    guard let right = new.bound else { return 1 }
    return old.pages.order(left, right, old.hasIntegerKeys)
  }

  /// Passes the lower of two entries, or both if their keys are equal.
  ///
  /// - Returns: The change, or nil when both entries are equal.
  @inline(__always)
  private mutating func nextOfTwoEntries() throws(PageDamage) -> EntryChange? {
    let order = old.pages.order(old.node, new.node, old.hasIntegerKeys)
    if order < 0 { return try deletion() }
    if order > 0 { return try insertion() }
    let change = try modification()
    try old.advance()
    try new.advance()
    return change
  }

  private mutating func deletion() throws(PageDamage) -> EntryChange {
    let change = EntryChange(key: old.key, old: try old.value(), new: nil)
    guard ascends(old.node) else { throw PageDamage(page: old.page(of: old.node)) }
    try old.advance()
    return change
  }

  private mutating func insertion() throws(PageDamage) -> EntryChange {
    let change = EntryChange(key: new.key, old: nil, new: try new.value())
    guard ascends(new.node) else { throw PageDamage(page: new.page(of: new.node)) }
    try new.advance()
    return change
  }

  @inline(__always)
  private mutating func modification() throws(PageDamage) -> EntryChange? {
    let byteCount = old.node.u32(0)
    if byteCount == new.node.u32(0), let page = old.overflowPage, page == new.overflowPage {
      return nil
    }
    let before = try old.value()
    let after = try new.value()
    if PageMap.areEqual(before, after) { return nil }
    guard ascends(new.node) else { throw PageDamage(page: new.page(of: new.node)) }
    return EntryChange(key: new.key, old: before, new: after)
  }

  /// Whether a change is greater than the previous one. It is unless pages are damaged.
  @inline(__always)
  private mutating func ascends(_ node: UnsafeRawPointer) -> Bool {
    if let last, old.pages.order(last, node, old.hasIntegerKeys) >= 0 { return false }
    last = node
    return true
  }
}

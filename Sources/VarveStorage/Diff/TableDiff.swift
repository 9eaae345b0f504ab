/// The entries in which two versions of a table differ, one after the other, in the order of their keys.
///
/// Nothing depends on the commits in between: an entry that was deleted and inserted again is modified, or
/// not reported when its value is the old one. Nor on the direction of time: the old version may be the
/// later one. A table that a version does not have is empty there.
///
/// Both trees are walked side by side, and what they share is passed over: LMDB never writes to a page that
/// a pinned version reaches, nor uses its number again, so one number in two pinned versions of one
/// environment is one page with all that is below it.
///
/// The diff holds both snapshots.
///
/// Thread safety: one thread at a time; several diffs may walk two snapshots at once.
package struct TableDiff: ~Copyable {
  private let from: Snapshot
  private let to: Snapshot
  private let bounds: KeyBounds?
  /// What the walks keep of the pages on their ways from the roots. In memory of its own, so that a diff is
  /// small and is not copied about.
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

  /// How many pages of the trees have been read.
  package var pagesRead: Int { old.pagesRead + new.pagesRead }

  /// The next change.
  ///
  /// - Returns: The change; nil when there are no more.
  /// - Throws: `corrupted` when a page is not what it must be. The environment notes it, and every later call
  ///   throws the same.
  /// - Complexity: All calls together read the pages in which the versions differ and those above them,
  ///   whatever the size of the table.
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

  /// Counts the changes that are left, and passes them.
  ///
  /// - Parameter limit: When to stop.
  /// - Returns: The number, which is at most `limit`.
  /// - Throws: As `next()`.
  /// - Complexity: As that many calls of `next()`.
  package mutating func count(upTo limit: Int = .max) throws(StorageError) -> Int {
    var count = 0
    while count < limit, try next() != nil { count += 1 }
    return count
  }

  private func error(_ damage: PageDamage) -> StorageError {
    StorageError(
      .corrupted, "A page is not what it must be.", path: from.environment.path,
      page: damage.page)
  }
}

extension TableDiff {
  /// Walks both trees up to the next entry that they do not have in common.
  ///
  /// Nothing that lies ahead of a walk is below the place where it stands. So the walk that stands lower goes
  /// on: it enters its page, or its entry is one that the other tree does not have. Of two that stand
  /// equally low the one on the page of greater height does: what the other stands on may be in it. And
  /// since neither goes on before it is the lower one, both come to what they share.
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

  /// Which of two walks goes on that do not both stand on entries. One that is at its end does not.
  private var isOldNext: Bool {
    if old.height < 0 || new.height < 0 { return new.height < 0 }
    let order = orderOfPlaces
    return order == 0 ? old.height > new.height : order < 0
  }

  /// Which walk stands lower: the old one when negative. Not at the end of one.
  private var orderOfPlaces: Int {
    guard let left = old.bound else { return new.bound == nil ? 0 : -1 }
    guard let right = new.bound else { return 1 }
    return old.pages.order(left, right, old.hasIntegerKeys)
  }

  /// Passes the lower of two entries, or both if they have one key.
  ///
  /// - Returns: The change, or nil when both are the same.
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

  /// Whether a change comes behind the one before: so it is, unless pages are damaged.
  @inline(__always)
  private mutating func ascends(_ node: UnsafeRawPointer) -> Bool {
    if let last, old.pages.order(last, node, old.hasIntegerKeys) >= 0 { return false }
    last = node
    return true
  }
}

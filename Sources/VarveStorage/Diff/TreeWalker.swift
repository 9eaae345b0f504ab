/// The root of a table's tree.
struct TreeRoot {
  /// The page number of the root; `PageLayout.noPage` for an empty tree.
  var number = PageLayout.noPage
  var depth = 0
}

/// A walk over one tree in key order, which enters pages only on request.
///
/// The position of a walk is a page that it has not entered, an entry, or the end. Heights count
/// from the entries: an entry has height 0, a leaf 1, the root the depth of the tree.
///
/// Pages are checked as `PageMap` does. A walk enters no more pages than the version has, so a
/// cycle of pages is detected as damage in bounded time.
///
/// Thread safety: one thread at a time.
struct TreeWalker: ~Copyable {
  /// One page on the path from the root.
  struct Frame {
    var page: UnsafeRawPointer
    /// The lower bound of the page, which is the bound of its first child.
    var bound: UnsafeRawPointer?
    var index: Int
    var count: Int
  }

  let pages: PageMap
  let hasIntegerKeys: Bool
  /// The flags that an entry may have.
  private let allowedFlags: UInt16
  private let depth: Int
  /// The bounds of the range. See `KeyBounds`.
  private let lower: UnsafeRawPointer?
  private let upper: UnsafeRawPointer?

  /// The pages above the innermost one, one per level. The caller owns the memory.
  private let frames: UnsafeMutablePointer<Frame>
  /// The innermost page entered. Its fields are stored outside `frames`, because each move reads
  /// them.
  var page: UnsafeRawPointer
  private var pageBound: UnsafeRawPointer?
  var index = 0
  var count = 0
  /// The level of the innermost page; -1 above the root.
  private var top = -1
  /// The height of the current position; -1 at the end.
  private(set) var height: Int
  /// The page number of the current position, if it is a page.
  private(set) var number: UInt64
  /// The entry at the current position, if it is an entry.
  private(set) var node: UnsafeRawPointer
  /// A lower bound for every key at or below the current position: the entry itself, or an entry of
  /// a branch page. Nil is less than every key.
  private(set) var bound: UnsafeRawPointer?
  /// The number of pages that the walk may still enter.
  private var pagesLeft: UInt64

  /// Creates a walk that has not entered the root yet.
  ///
  /// - Parameters:
  ///   - pages: The pages of the version.
  ///   - bounds: The bounds of the range; they and `frames` must outlive the walk.
  ///   - frames: Memory for one frame per level of the tree.
  init(
    _ root: TreeRoot, pages: PageMap, table: Table, bounds: KeyBounds?,
    frames: UnsafeMutablePointer<Frame>
  ) {
    self.pages = pages
    hasIntegerKeys = table.hasIntegerKeys
    allowedFlags = PageLayout.bigData | (table == .main ? PageLayout.subData : 0)
    depth = root.depth
    lower = bounds?.lower
    upper = bounds?.upper
    self.frames = frames
    height = root.number == PageLayout.noPage ? -1 : root.depth
    number = root.number
    node = pages.base
    page = pages.base
    pagesLeft = pages.limit
  }

  /// The number of pages entered.
  var pagesRead: Int { Int(pages.limit &- pagesLeft) }

  /// Advances past the current position.
  @inline(__always)
  mutating func advance() throws(PageDamage) {
    index &+= 1
    if index < count { try land() } else { try climb() }
  }

  /// Advances past the innermost page.
  private mutating func climb() throws(PageDamage) {
    while top > 0 {
      top &-= 1
      page = frames[top].page
      pageBound = frames[top].bound
      index = frames[top].index &+ 1
      count = frames[top].count
      if index < count { return try land() }
    }
    end()
  }

  private mutating func end() {
    top = -1
    height = -1
    count = 0
  }

  /// Enters the current page, and moves to its first child in the range.
  ///
  /// - Precondition: `height > 0`.
  mutating func enter() throws(PageDamage) {
    let isLeaf = height == 1
    guard pagesLeft > 0,
      let entered = pages.page(number, isLeaf ? PageLayout.leaf : PageLayout.branch)
    else { throw PageDamage(page: number) }
    pagesLeft &-= 1
    if top >= 0 {
      (frames + top).initialize(
        to: Frame(page: page, bound: pageBound, index: index, count: count))
    }
    top = depth &- height
    page = entered
    pageBound = bound
    index = 0
    count = pages.entryCount(page)
    if let lower {
      guard let first = isLeaf ? firstEntry(lower) : child(lower) else {
        throw PageDamage(page: number)
      }
      index = first
    }
    // The whole leaf may be less than the range.
    if index < count { try land() } else { try climb() }
  }

  /// Adopts the entry of the innermost page at its index as the position.
  @inline(__always)
  private mutating func land() throws(PageDamage) {
    guard let node = pages.node(page, index) else { throw PageDamage(page: page.u64(0)) }
    height = depth &- 1 &- top
    // The key of the first entry of a branch page is meaningless.
    let hasKey = height == 0 || index > 0
    if hasKey, hasIntegerKeys, node.u16(PageLayout.nodeKeySize) != 8 {
      throw PageDamage(page: page.u64(0))
    }
    bound = hasKey ? node : pageBound
    if height == 0 { self.node = node } else { number = pages.child(node) }
    if let upper, let bound, pages.order(bound, upper, hasIntegerKeys) >= 0 { end() }
  }

  private func child(_ lower: UnsafeRawPointer) -> Int? {
    hasIntegerKeys
      ? pages.childIndex(page, id: lower.u64(PageLayout.nodeHeaderSize))
      : pages.childIndex(page, key: pages.key(lower))
  }

  private func firstEntry(_ lower: UnsafeRawPointer) -> Int? {
    hasIntegerKeys
      ? pages.lowerBound(page, id: lower.u64(PageLayout.nodeHeaderSize))
      : pages.lowerBound(page, key: pages.key(lower))
  }
}

/// The entry at the current position.
extension TreeWalker {
  /// - Precondition: `height == 0`.
  var key: UnsafeRawBufferPointer { pages.key(node) }

  /// - Precondition: `height == 0`.
  @inline(__always)
  func value() throws(PageDamage) -> UnsafeRawBufferPointer {
    guard node.u16(PageLayout.nodeFlags) & ~allowedFlags == 0, let value = pages.value(node) else {
      throw PageDamage(page: page(of: node))
    }
    return value
  }

  /// The first overflow page of the value, if it has any.
  @inline(__always)
  var overflowPage: UInt64? {
    guard node.u16(PageLayout.nodeFlags) & PageLayout.bigData != 0 else { return nil }
    let start = PageLayout.nodeHeaderSize &+ Int(node.u16(PageLayout.nodeKeySize))
    let offset = (node - pages.base) & (pages.pageSize &- 1)
    return offset &+ start &+ 8 <= pages.pageSize ? node.u64(start) : nil
  }

  /// Returns the page that contains an entry.
  func page(of node: UnsafeRawPointer) -> UInt64 { UInt64(node - pages.base) >> pages.shift }
}

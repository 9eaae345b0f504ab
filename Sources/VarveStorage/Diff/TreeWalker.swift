/// A page that is not what it must be.
struct PageDamage: Error {
  let page: UInt64
}

/// Where the walk of a table's tree starts.
struct TreeRoot {
  /// `PageLayout.noPage` when there is nothing below.
  var number = PageLayout.noPage
  var depth = 0
}

/// A walk over one tree in the order of its keys, in which pages are entered only when asked for.
///
/// It stands on a page that it has not entered, on an entry, or at the end. Heights count from the
/// entries: an entry has height 0, a leaf 1, the root the depth of the tree.
///
/// Pages are checked as `PageMap` does. A walk enters no more pages than the version has: pages that lead
/// back to themselves are damage, found in bounded time.
///
/// Thread safety: one thread at a time.
struct TreeWalker: ~Copyable {
  /// One page on the way from the root.
  struct Frame {
    var page: UnsafeRawPointer
    /// The bound of the page, which is that of its first child.
    var bound: UnsafeRawPointer?
    var index: Int
    var count: Int
  }

  let pages: PageMap
  let hasIntegerKeys: Bool
  /// What the flags of an entry may say.
  private let knownFlags: UInt16
  private let depth: Int
  /// The ends of the range, as `KeyBounds` has them.
  private let lower: UnsafeRawPointer?
  private let upper: UnsafeRawPointer?

  /// The pages above the innermost one; room for one a level, which is the caller's.
  private let frames: UnsafeMutablePointer<Frame>
  /// The innermost page entered. Its parts are apart from `frames`, where each step would look them up.
  var page: UnsafeRawPointer
  private var pageBound: UnsafeRawPointer?
  var index = 0
  var count = 0
  /// The level of the innermost page; -1 above the root.
  private var top = -1
  /// The height of what the walk stands on; -1 at the end.
  private(set) var height: Int
  /// The page that the walk stands on, if it does.
  private(set) var number: UInt64
  /// The entry that the walk stands on, if it does.
  private(set) var node: UnsafeRawPointer
  /// An entry that nothing below what the walk stands on is less than: the entry itself, or one of a branch
  /// page. Nil is below everything.
  private(set) var bound: UnsafeRawPointer?
  /// How many more pages there can be.
  private var pagesLeft: UInt64

  /// A walk that has not entered the root yet.
  ///
  /// - Parameters:
  ///   - root: Where the tree starts.
  ///   - pages: The pages of its version.
  ///   - table: Whose tree it is.
  ///   - bounds: The ends of the range; they and `frames` must outlive the walk.
  ///   - frames: Memory for as many frames as the tree is deep.
  init(
    _ root: TreeRoot, pages: PageMap, table: Table, bounds: KeyBounds?,
    frames: UnsafeMutablePointer<Frame>
  ) {
    self.pages = pages
    hasIntegerKeys = table.hasIntegerKeys
    knownFlags = PageLayout.bigData | (table == .main ? PageLayout.subData : 0)
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

  /// Goes on behind what the walk stands on.
  @inline(__always)
  mutating func advance() throws(PageDamage) {
    index &+= 1
    if index < count { try land() } else { try climb() }
  }

  /// Goes on behind the innermost page.
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

  /// Enters the page that the walk stands on, and goes to the first of what is below and in the range.
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
    // All of a leaf may be below the range.
    if index < count { try land() } else { try climb() }
  }

  /// Takes up what the innermost page has at its index.
  @inline(__always)
  private mutating func land() throws(PageDamage) {
    guard let node = pages.node(page, index) else { throw PageDamage(page: page.u64(0)) }
    height = depth &- 1 &- top
    // The key of the first entry of a branch page means nothing.
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

/// The entry that the walk stands on.
extension TreeWalker {
  /// - Precondition: `height == 0`.
  var key: UnsafeRawBufferPointer { pages.key(node) }

  /// - Precondition: `height == 0`.
  @inline(__always)
  func value() throws(PageDamage) -> UnsafeRawBufferPointer {
    guard node.u16(PageLayout.nodeFlags) & ~knownFlags == 0, let value = pages.value(node) else {
      throw PageDamage(page: page(of: node))
    }
    return value
  }

  /// The first of the pages in which the value lies, if it has pages of its own.
  @inline(__always)
  var overflowPage: UInt64? {
    guard node.u16(PageLayout.nodeFlags) & PageLayout.bigData != 0 else { return nil }
    let start = PageLayout.nodeHeaderSize &+ Int(node.u16(PageLayout.nodeKeySize))
    let offset = (node - pages.base) & (pages.pageSize &- 1)
    return offset &+ start &+ 8 <= pages.pageSize ? node.u64(start) : nil
  }

  /// The page in which an entry lies.
  func page(of node: UnsafeRawPointer) -> UInt64 { UInt64(node - pages.base) >> pages.shift }
}

/// The pages that a commit has written: those of its trees that the version before does not have.
///
/// LMDB never changes a page of a committed version, so a page with the same number in both versions
/// is the same page, and so is everything below it. The trees are compared level by level, and the
/// levels are counted from the leaves, since a tree may have become higher or lower.
struct CommitPages {
  private let old: PageMap
  private let new: PageMap
  private let limit: Int
  private var numbers: [UInt64] = []

  /// A tree, by its root and its number of levels.
  private struct Tree {
    let root: UInt64
    let depth: Int

    init(record: UnsafeRawPointer) {
      root = record.u64(PageLayout.recordRoot)
      depth = root == PageLayout.noPage ? 0 : Int(record.u16(PageLayout.recordDepth))
    }

    static let empty = Tree(root: PageLayout.noPage, depth: 0)

    private init(root: UInt64, depth: Int) {
      self.root = root
      self.depth = depth
    }
  }

  /// Returns the numbers of the pages.
  ///
  /// - Parameters:
  ///   - old: The version before the commit, and its pages.
  ///   - new: The version of the commit, and its pages.
  ///   - limit: The largest number of pages to return.
  /// - Returns: nil if there are more, or if a page is damaged.
  /// - Complexity: O(entries of the changed pages of both versions), up to `limit` pages of the new
  ///   version, and about four times as many on a level of the old one.
  static func numbers(
    from old: (meta: MetaPage, pages: PageMap), to new: (meta: MetaPage, pages: PageMap),
    limit: Int
  ) -> [UInt64]? {
    var pages = CommitPages(old: old.pages, new: new.pages, limit: limit)
    func isCompared(_ oldRecord: InlineArray<6, UInt64>, _ newRecord: InlineArray<6, UInt64>)
      -> Bool
    {
      withUnsafeBytes(of: oldRecord) { oldBytes in
        withUnsafeBytes(of: newRecord) { newBytes in
          guard let oldRecord = oldBytes.baseAddress, let newRecord = newBytes.baseAddress else {
            return false
          }
          return pages.compare(Tree(record: oldRecord), Tree(record: newRecord))
        }
      }
    }
    guard isCompared(old.meta.mainRecord, new.meta.mainRecord) else { return nil }
    if CommitMutant.current != .listWithoutFreeList {
      guard isCompared(old.meta.freeRecord, new.meta.freeRecord) else { return nil }
    }
    return pages.numbers
  }

  private init(old: PageMap, new: PageMap, limit: Int) {
    self.old = old
    self.new = new
    self.limit = limit
  }

  /// Adds the pages of a tree.
  ///
  /// - Returns: Whether all pages are valid, and not too many.
  private mutating func compare(_ oldTree: Tree, _ newTree: Tree) -> Bool {
    guard oldTree.root != newTree.root, newTree.depth > 0 else { return true }
    let depth = max(oldTree.depth, newTree.depth)
    guard depth <= PageLayout.maximumDepth else { return false }
    var oldLevel: [UInt64] = []
    var newLevel: [UInt64] = []
    for height in stride(from: depth - 1, through: 0, by: -1) {
      if oldTree.depth == height + 1 { oldLevel.append(oldTree.root) }
      if newTree.depth == height + 1 { newLevel.append(newTree.root) }
      Self.removeCommon(&oldLevel, &newLevel)
      guard numbers.count + newLevel.count <= limit, oldLevel.count <= 4 * limit + 512 else {
        return false
      }
      numbers += newLevel
      if height == 0 { break }
      guard let oldChildren = Self.children(oldLevel, old),
        let newChildren = Self.children(newLevel, new)
      else { return false }
      oldLevel = oldChildren
      newLevel = newChildren
    }
    return compareLeaves(oldLevel, newLevel)
  }

  /// Removes the pages that both levels of a tree have.
  private static func removeCommon(_ old: inout [UInt64], _ new: inout [UInt64]) {
    // Most children of changed pages are the same, in the same order: a few are replaced, and a
    // split or a merge moves the rest by one or two.
    var (oldRest, newRest): ([UInt64], [UInt64]) = ([], [])
    var (i, j) = (0, 0)
    while i < old.count, j < new.count {
      if old[i] == new[j] {
        (i, j) = (i + 1, j + 1)
        continue
      }
      let (a, b) = distance(old[i...], new[j...])
      oldRest += old[i..<i + a]
      newRest += new[j..<j + b]
      (i, j) = (i + a, j + b)
    }
    oldRest += old[i...]
    newRest += new[j...]
    if oldRest.count > 1 || newRest.count > 1, !oldRest.isEmpty, !newRest.isEmpty {
      let common = Set(oldRest).intersection(newRest)
      oldRest.removeAll(where: common.contains)
      newRest.removeAll(where: common.contains)
    }
    (old, new) = (oldRest, newRest)
  }

  /// Returns the numbers of pages before the next common one, if it is near; otherwise one each.
  private static func distance(
    _ old: ArraySlice<UInt64>, _ new: ArraySlice<UInt64>
  ) -> (Int, Int) {
    for sum in 1...6 {
      for a in max(0, sum - 3)...min(sum, 3) where a < old.count && sum - a < new.count {
        if old[old.startIndex + a] == new[new.startIndex + sum - a] { return (a, sum - a) }
      }
    }
    return (1, 1)
  }

  /// Returns the children of branch pages, in their order; nil if a page is damaged.
  private static func children(_ level: [UInt64], _ map: PageMap) -> [UInt64]? {
    var result: [UInt64] = []
    for number in level {
      guard let page = map.page(number, PageLayout.branch) else { return nil }
      for index in 0..<map.entryCount(page) {
        guard let node = map.node(page, index) else { return nil }
        result.append(map.child(node))
      }
    }
    return result
  }

  /// Adds the overflow pages and the trees below the entries of leaves.
  private mutating func compareLeaves(_ oldLevel: [UInt64], _ newLevel: [UInt64]) -> Bool {
    guard let newEntries = Self.entries(newLevel, new) else { return false }
    if newEntries.runs.isEmpty, newEntries.tables.isEmpty { return true }
    guard let oldEntries = Self.entries(oldLevel, old) else { return false }
    var rest = newEntries.runs
    if !rest.isEmpty, !oldEntries.runs.isEmpty {
      let known = Set(oldEntries.runs.map(\.first))
      rest.removeAll { known.contains($0.first) }
    }
    for run in rest {
      guard run.count <= UInt64(limit - numbers.count), run.first < new.limit,
        run.count <= new.limit - run.first
      else { return false }
      numbers += run.first..<(run.first + run.count)
    }
    return compareTables(oldEntries.tables, newEntries.tables)
  }

  /// What the entries of leaves refer to.
  private struct Entries {
    /// The overflow pages of long values.
    var runs: [(first: UInt64, count: UInt64)] = []
    /// The entries of tables, in the order of their names.
    var tables: [UnsafeRawPointer] = []
  }

  private static func entries(_ leaves: [UInt64], _ map: PageMap) -> Entries? {
    var result = Entries()
    for number in leaves {
      guard let page = map.page(number, PageLayout.leaf) else { return nil }
      for index in 0..<map.entryCount(page) {
        guard let node = map.node(page, index) else { return nil }
        let flags = node.u16(PageLayout.nodeFlags)
        if flags & (PageLayout.bigData | PageLayout.subData) == 0 { continue }
        guard let value = map.value(node) else { return nil }
        if flags & PageLayout.subData != 0 {
          guard value.count == PageLayout.recordSize else { return nil }
          result.tables.append(node)
        } else if let start = value.baseAddress {
          let first = start - PageLayout.headerSize
          result.runs.append((first.u64(0), UInt64(first.u32(PageLayout.overflowPages))))
        }
      }
    }
    return result
  }

  /// Adds the pages of the tables whose entries are in changed leaves.
  private mutating func compareTables(
    _ oldTables: [UnsafeRawPointer], _ newTables: [UnsafeRawPointer]
  ) -> Bool {
    var rest = oldTables[...]
    for node in newTables {
      let name = new.key(node)
      while let first = rest.first, PageMap.compare(old.key(first), name) < 0 {
        rest.removeFirst()
      }
      guard let record = new.value(node)?.baseAddress else { return false }
      var before = Tree.empty
      if let first = rest.first, PageMap.compare(old.key(first), name) == 0 {
        guard let oldRecord = old.value(first)?.baseAddress else { return false }
        before = Tree(record: oldRecord)
      }
      guard compare(before, Tree(record: record)) else { return false }
    }
    return true
  }
}

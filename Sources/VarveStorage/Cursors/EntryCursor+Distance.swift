import CVarve

extension EntryCursor {
  /// Returns the number of entries from one cursor through another, both included.
  ///
  /// The range between the two paths consists of whole subtrees, of whose leaves only the headers
  /// are read.
  ///
  /// - Precondition: Both cursors are on entries of one tree over pages.
  static func distance(_ start: borrowing EntryCursor, _ end: borrowing EntryCursor) -> Int {
    let leaf = start.depth - 1
    let level = firstDifference(start, end)
    let first = Int(start.frames[leaf].index)
    let last = Int(end.frames[leaf].index)
    guard level < leaf else { return max(0, last - first + 1) }
    var counter = SubtreeCounter(start)
    var total = Int(start.frames[leaf].count) - first + last + 1
    total += counter.entries(
      start.frames[level].page, from: Int(start.frames[level].index) + 1,
      to: Int(end.frames[level].index), height: leaf - level)
    for below in (level + 1)..<max(level + 1, leaf) {
      total += counter.entries(
        start.frames[below].page, from: Int(start.frames[below].index) + 1,
        to: Int(start.frames[below].count), height: leaf - below)
      total += counter.entries(
        end.frames[below].page, from: 0, to: Int(end.frames[below].index), height: leaf - below)
    }
    return total
  }

  /// Estimates `distance(_:_:)`, assuming that subtrees are as large as those on the two paths and
  /// a few in between.
  static func estimatedDistance(_ start: borrowing EntryCursor, _ end: borrowing EntryCursor) -> Int
  {
    let leaf = start.depth - 1
    let level = firstDifference(start, end)
    let between =
      Int(end.frames[min(level, leaf)].index) - Int(start.frames[min(level, leaf)].index)
    // So few leaves are counted exactly.
    guard level < leaf - 1 || (level < leaf && between > 16) else { return distance(start, end) }
    let fanouts = sampledFanouts(start, end, level: level)
    var size = 1.0
    var total = Double(start.frames[leaf].count - start.frames[leaf].index)
    total += Double(end.frames[leaf].index + 1)
    // From the leaves up: `size` is the size of a subtree whose root is on the level below.
    for above in (level..<leaf).reversed() {
      size *= fanouts[above + 1]
      let children =
        above == level
        ? between - 1
        : Int(start.frames[above].count - start.frames[above].index - 1)
          + Int(end.frames[above].index)
      total += Double(max(0, children)) * size
    }
    return total < 1e15 ? Int(total) : Int.max
  }

  /// Returns the first level on which the paths of two cursors differ, or the leaf level if they do
  /// not differ.
  private static func firstDifference(
    _ start: borrowing EntryCursor, _ end: borrowing EntryCursor
  ) -> Int {
    var level = 0
    while level < start.depth - 1, start.frames[level].index == end.frames[level].index {
      level += 1
    }
    return level
  }

  /// Returns the average number of entries of a page on each level below `top`, sampled on the two
  /// paths and a few paths between them.
  private static func sampledFanouts(
    _ start: borrowing EntryCursor, _ end: borrowing EntryCursor, level top: Int
  ) -> InlineArray<32, Double> {
    var sample = FanoutSample()
    for level in (top + 1)..<start.depth {
      sample.add(Int(start.frames[level].count), level: level)
      sample.add(Int(end.frames[level].count), level: level)
    }
    let first = Int(start.frames[top].index) + 1
    let between = first..<max(first, Int(end.frames[top].index))
    if !between.isEmpty {
      sample.descend(
        start.pages, start.frames[top].page, between, level: top, leaf: start.depth - 1)
    } else if top + 1 < start.depth - 1 {
      let frames = (start.frames[top + 1], end.frames[top + 1])
      sample.descend(
        start.pages, frames.0.page,
        (Int(frames.0.index) + 1)..<max(Int(frames.0.index) + 1, Int(frames.0.count)),
        level: top + 1, leaf: start.depth - 1)
      sample.descend(
        start.pages, frames.1.page, 0..<Int(frames.1.index), level: top + 1, leaf: start.depth - 1)
    }
    return sample.averages
  }
}

/// The number of entries of sampled pages, by level.
private struct FanoutSample {
  private var sums = InlineArray<32, Double>(repeating: 0)
  private var counts = InlineArray<32, Double>(repeating: 0)

  mutating func add(_ count: Int, level: Int) {
    sums[level] += Double(count)
    counts[level] += 1
  }

  /// Adds the pages on eight paths from some children of a page down to the leaves.
  mutating func descend(
    _ pages: PageMap, _ page: UnsafeRawPointer, _ children: Range<Int>, level top: Int, leaf: Int
  ) {
    guard !children.isEmpty else { return }
    let ways = 8
    for way in 0..<ways {
      var page = page
      var index = children.lowerBound + children.count * (2 * way + 1) / (2 * ways)
      for level in (top + 1)...leaf {
        guard let node = pages.node(page, index),
          let child = pages.page(
            pages.child(node), level == leaf ? PageLayout.leaf : PageLayout.branch)
        else { return }
        page = child
        let count = pages.entryCount(child)
        add(count, level: level)
        // A different index on each path.
        index = count * (2 * way + 1) / (2 * ways)
      }
    }
  }

  var averages: InlineArray<32, Double> {
    var result = sums
    for level in result.indices where counts[level] > 0 { result[level] /= counts[level] }
    return result
  }
}

/// Counts the entries of whole subtrees by the headers of their leaves.
///
/// A damaged page ends the count. So do more leaves than the file has pages.
private struct SubtreeCounter {
  private let pages: PageMap
  private let snapshot: Snapshot?
  private var leavesLeft: UInt64

  init(_ cursor: borrowing EntryCursor) {
    pages = cursor.pages
    snapshot = cursor.snapshot
    leavesLeft = cursor.pages.limit
  }

  /// Counts the entries below some children of a branch page.
  ///
  /// - Parameter height: The number of levels from the page down to its leaves, at least 1.
  mutating func entries(_ page: UnsafeRawPointer, from first: Int, to end: Int, height: Int) -> Int
  {
    guard first < end else { return 0 }
    var total = 0
    for index in first..<end {
      guard leavesLeft > 0, let node = pages.node(page, index) else { return damaged(page, total) }
      let number = pages.child(node)
      if height == 1 {
        if index + Self.ahead < end { prefetchLeaf(page, index + Self.ahead) }
        guard let leaf = pages.page(number, PageLayout.leaf) else { return damaged(number, total) }
        total += pages.entryCount(leaf)
        leavesLeft -= 1
      } else {
        guard let child = pages.page(number, PageLayout.branch) else {
          return damaged(number, total)
        }
        total += entries(child, from: 0, to: pages.entryCount(child), height: height - 1)
      }
    }
    return total
  }

  /// The number of leaves to prefetch ahead: each header is in a page of its own, and reading it
  /// would stall.
  private static let ahead = 16

  @inline(__always)
  private func prefetchLeaf(_ page: UnsafeRawPointer, _ index: Int) {
    guard let node = pages.node(page, index) else { return }
    let number = pages.child(node)
    guard number < pages.limit else { return }
    varve_prefetch(pages.base + Int(truncatingIfNeeded: number &<< pages.shift), 1)
  }

  private mutating func damaged(_ page: UnsafeRawPointer, _ total: Int) -> Int {
    damaged(page.u64(0), total)
  }

  private mutating func damaged(_ number: UInt64, _ total: Int) -> Int {
    snapshot?.noteDamage(page: number)
    leavesLeft = 0
    return total
  }
}

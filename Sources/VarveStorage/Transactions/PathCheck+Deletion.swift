/// The pages that a deletion touches.
///
/// LMDB moves an entry from a page to its neighbour, or merges both, when the neighbour is less than
/// a quarter full, or is a branch page with one entry. A put of a value that needs less room in the
/// leaf counts as a deletion: LMDB merges the leaf when an entry next to it is deleted. The
/// neighbours are those of the tree at that moment: after merges, pages that were further apart. The
/// pages that may be touched are therefore, on each level and on both sides of a page with deletions,
///
/// - the pages up to the first one that has no deletions and is so full that the page merged from it
///   and others needs no entries of its neighbours;
/// - one more page to the right, which may become the first page below a branch page, whose first
///   key LMDB looks up, or the next page of the cursor;
/// - the first pages below each of them, for the same look-up.
///
/// Between two neighbouring pages with deletions, one check serves both, so that the deletion of a
/// range visits each page a few times.
extension PathCheck {
  /// The number of entries from which on a branch page cannot lose so many of them that one is left:
  /// one by a merge of the pages below, and one for each of ``manyPages``.
  private static let manyChildren = 4
  /// The number of almost empty pages in a row up to which they are visited. Beyond it, all pages
  /// are checked.
  private static let manyPages = 2

  /// Checks the pages that a deletion in the leaf of the path may touch.
  ///
  /// - Complexity: O(depth) pages, in a leaf without deletions.
  func checkDeletion(_ state: TableState) throws(PageDamage) {
    var position = state.depth - 1
    while position > 0, deletable.insert(steps[position].number).inserted {
      for isForward in [false, true] { try checkSide(at: position, isForward: isForward, state) }
      try checkFirstPages(below: steps[position], state)
      position -= 1
    }
  }

  private func checkSide(
    at position: Int, isForward: Bool, _ state: TableState
  ) throws(PageDamage) {
    restartSide()
    var fullPages = isForward ? 2 : 1
    var emptyPages = 0
    while fullPages > 0, try moveSide(at: position, isForward: isForward, state) {
      let step = side[position]
      try checkFirstPages(below: step, state)
      if deletable.contains(step.number) { return }
      if isFull(step) { fullPages -= 1 } else { emptyPages += 1 }
      if emptyPages > Self.manyPages {
        needsWalk = true
        return
      }
    }
  }

  private func isFull(_ step: Step) -> Bool {
    // Only deletions make a page emptier than it is here: new entries add to it, and the pages that
    // a split makes of it have its entries together.
    if step.level > 1 { return pages.entryCount(step.page) >= Self.manyChildren }
    let room = Int(step.page.u16(PageLayout.lower + 2)) - Int(step.page.u16(PageLayout.lower))
    // Somewhat more than LMDB's quarter.
    return room * 3 <= (pages.pageSize - PageLayout.headerSize) * 2
  }

  /// Checks the first page on each level below a page.
  private func checkFirstPages(below step: Step, _ state: TableState) throws(PageDamage) {
    var step = step
    while step.level > 1 { step = try child(of: step, state, isFirst: true) }
  }

  // MARK: Neighbours

  /// Makes `side` the path to the leaf checked last.
  func restartSide() {
    side.removeAll(keepingCapacity: true)
    side.append(contentsOf: steps)
  }

  /// Moves `side` to the next or the previous page of a level, and checks the pages on its path.
  ///
  /// - Parameter position: The position of the level in the path.
  /// - Returns: Whether there is one.
  func moveSide(
    at position: Int, isForward: Bool, _ state: TableState
  ) throws(PageDamage) -> Bool {
    var parent = position - 1
    while parent >= 0 {
      let step = side[parent]
      if isForward ? step.index + 1 < pages.entryCount(step.page) : step.index > 0 { break }
      parent -= 1
    }
    guard parent >= 0 else { return false }
    side.removeLast(side.count - parent - 1)
    side[parent].index += isForward ? 1 : -1
    while side.count <= position {
      var step = try child(of: side[side.count - 1], state)
      if step.level > 1, !isForward { step.index = pages.entryCount(step.page) - 1 }
      side.append(step)
    }
    return true
  }
}

extension PageMap {
  /// Checks the extents of the values in a leaf, without reading overflow pages.
  func checkValues(_ page: UnsafeRawPointer, _ number: UInt64) throws(PageDamage) {
    for index in 0..<entryCount(page) {
      let offset = nodeOffset(page, index)
      let node = page + offset
      let flags = node.u16(PageLayout.nodeFlags)
      let size = nodeSize(node, isLeaf: true)
      guard flags & ~PageLayout.bigData == 0, size <= largestNode, offset + size <= pageSize else {
        throw PageDamage(page: number, detail: "A value reaches outside its page.")
      }
    }
  }
}

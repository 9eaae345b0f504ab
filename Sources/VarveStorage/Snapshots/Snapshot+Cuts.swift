extension Snapshot {
  /// Returns ids that cut a table with integer keys into parts of whole leaves, taken from the keys
  /// of the upper branch pages. The parts are as even as those pages are full; every id belongs to
  /// one part.
  ///
  /// - Parameter parts: The desired number of parts.
  /// - Returns: The first id of each part but the first one, ascending. Fewer than `parts - 1` for
  ///   a small table; none in a forked process.
  /// - Complexity: O(entries of the two upper levels).
  package func cuts(_ table: Table, parts: Int) -> [UInt64] {
    guard parts > 1, !ProcessFork.isChild, let record = tree(table) else { return [] }
    let root = record.u64(PageLayout.recordRoot)
    let depth = Int(record.u16(PageLayout.recordDepth))
    guard depth > 1, root != PageLayout.noPage else { return [] }
    var ids = separators(of: root)
    if ids.count < 4 * parts, depth > 2 { ids = lowerSeparators(of: root) }
    // Damaged pages may contain anything.
    var ascending: [UInt64] = []
    for id in ids where id > ascending.last ?? 0 { ascending.append(id) }
    guard ascending.count >= parts else { return ascending }
    return (1..<parts).map { ascending[$0 * (ascending.count + 1) / parts - 1] }
  }

  /// Returns the keys of a branch page, without the meaningless key of the first entry.
  private func separators(of number: UInt64) -> [UInt64] {
    guard let page = pages.page(number, PageLayout.branch) else { return [] }
    return (1..<max(1, pages.entryCount(page))).compactMap { key(page, $0) }
  }

  /// Returns the keys of a branch page and of its child pages.
  private func lowerSeparators(of number: UInt64) -> [UInt64] {
    guard let page = pages.page(number, PageLayout.branch) else { return [] }
    var ids: [UInt64] = []
    for index in 0..<pages.entryCount(page) {
      if index > 0, let id = key(page, index) { ids.append(id) }
      if let node = pages.node(page, index) { ids += separators(of: pages.child(node)) }
    }
    return ids
  }

  private func key(_ page: UnsafeRawPointer, _ index: Int) -> UInt64? {
    guard let node = pages.node(page, index), pages.key(node).count == 8 else { return nil }
    return node.u64(PageLayout.nodeHeaderSize)
  }
}

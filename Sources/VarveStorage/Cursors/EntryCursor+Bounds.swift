/// Checks that the keys of a page lie in the range that the branch pages above it define.
///
/// A page that has been replaced by the content of another page is valid in itself. Its keys reveal
/// it: they do not lie between the separators next to the entry that refers to it.
extension EntryCursor {
  /// Whether the keys of a leaf are less than a bound, and the keys of the next leaf are not.
  @inline(__always)
  mutating func isBetween(_ leaf: Frame, _ bound: UnsafeRawPointer, _ next: Frame) -> Bool {
    if hasIntegerKeys {
      // A walk over rows spends only a few instructions on each row, so every instruction counts
      // here.
      let last = pages.nodeOffset(leaf.page, Int(leaf.count) &- 1)
      let first = pages.nodeOffset(next.page, 0)
      guard max(last, first) &+ PageLayout.nodeHeaderSize &+ 8 <= pages.pageSize else {
        return false
      }
      let key = bound.u64(PageLayout.nodeHeaderSize)
      return (leaf.page + last).u64(PageLayout.nodeHeaderSize) < key
        && key <= (next.page + first).u64(PageLayout.nodeHeaderSize)
    }
    guard let last = pages.node(leaf.page, Int(leaf.count) - 1),
      let first = pages.node(next.page, 0)
    else { return false }
    return pages.order(last, bound, hasIntegerKeys) < 0
      && pages.order(bound, first, hasIntegerKeys) <= 0
  }

  /// Whether the keys of all pages on the path to the cursor lie between the separators next to the
  /// path.
  var isBounded: Bool {
    @inline(never) mutating get {
      var lower: UnsafeRawPointer?
      var upper: UnsafeRawPointer?
      for level in 0..<depth {
        let frame = frames[level]
        let isLeaf = level == depth - 1
        guard pages.isBounded(frame.page, isLeaf: isLeaf, lower, upper, hasIntegerKeys) else {
          return false
        }
        if isLeaf { return true }
        if frame.index > 0 { lower = pages.node(frame.page, Int(frame.index)) }
        if frame.index + 1 < frame.count {
          upper = pages.node(frame.page, Int(frame.index) + 1)
        }
      }
      return true
    }
  }
}

extension PageMap {
  /// Whether the keys of a checked page are in the range from `lower` up to, but not including,
  /// `upper`.
  ///
  /// - Parameters:
  ///   - isLeaf: Whether the first entry of the page has a key.
  ///   - lower: An entry with the lower bound; nil is less than every key.
  ///   - upper: An entry with the exclusive upper bound; nil is greater than every key.
  /// - Returns: Whether they are; false also for a damaged page.
  func isBounded(
    _ page: UnsafeRawPointer, isLeaf: Bool, _ lower: UnsafeRawPointer?,
    _ upper: UnsafeRawPointer?, _ hasIntegerKeys: Bool
  ) -> Bool {
    let count = entryCount(page)
    let index = isLeaf ? 0 : 1
    guard count > index else { return true }
    guard let first = node(page, index), let last = node(page, count - 1) else { return false }
    if let lower, order(lower, first, hasIntegerKeys) > 0 { return false }
    if let upper, order(last, upper, hasIntegerKeys) >= 0 { return false }
    return true
  }

  /// Returns why a search found nothing at the edge of a leaf: the entry does not exist, or the
  /// path led to a page with the content of another page.
  ///
  /// - Complexity: That of the search.
  @usableFromInline @inline(never)
  func missing(_ record: UnsafeRawPointer, key: UnsafeRawBufferPointer) -> PageSearchResult {
    missing(record, hasIntegerKeys: false) { childIndex($0, key: key) }
  }

  @usableFromInline @inline(never)
  func missing(_ record: UnsafeRawPointer, id: UInt64) -> PageSearchResult {
    missing(record, hasIntegerKeys: true) { childIndex($0, id: id) }
  }

  @inline(__always)
  private func missing(
    _ record: UnsafeRawPointer, hasIntegerKeys: Bool, childIndex: (UnsafeRawPointer) -> Int?
  ) -> PageSearchResult {
    var number = record.u64(PageLayout.recordRoot)
    var level = record.u16(PageLayout.recordDepth)
    var lower: UnsafeRawPointer?
    var upper: UnsafeRawPointer?
    while true {
      let isLeaf = level <= 1
      guard let page = page(number, isLeaf ? PageLayout.leaf : PageLayout.branch),
        isBounded(page, isLeaf: isLeaf, lower, upper, hasIntegerKeys)
      else { return .damaged(number) }
      if isLeaf { return .missing }
      guard let index = childIndex(page), let node = node(page, index) else {
        return .damaged(number)
      }
      if index > 0 { lower = node }
      if index + 1 < entryCount(page) {
        guard let next = self.node(page, index + 1) else { return .damaged(number) }
        upper = next
      }
      number = child(node)
      level &-= 1
    }
  }
}

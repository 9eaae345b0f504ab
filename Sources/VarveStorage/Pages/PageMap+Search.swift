public import CVarve

/// The result of a search for one entry.
@usableFromInline
enum PageSearchResult {
  case found(UnsafeRawPointer)
  case missing
  /// The number of a damaged page.
  case damaged(UInt64)
}

extension PageMap {
  /// Finds the entry of a table with byte keys.
  ///
  /// - Complexity: O(log n) comparisons, one page a level.
  @inlinable
  func find(_ record: UnsafeRawPointer, key: UnsafeRawBufferPointer) -> PageSearchResult {
    var number = record.u64(PageLayout.recordRoot)
    if number == PageLayout.noPage { return .missing }
    var level = record.u16(PageLayout.recordDepth)
    // The lower bound of all keys below, and whether the path is the right edge.
    var lower: UnsafeRawPointer?
    var isLast = true
    while level > 1 {
      guard let page = page(number, PageLayout.branch),
        let index = childIndex(page, key: key), let node = node(page, index)
      else { return .damaged(number) }
      if index > 0 { lower = node }
      if index &+ 1 < entryCount(page) { isLast = false }
      number = child(node)
      level &-= 1
    }
    guard let page = page(number, PageLayout.leaf), let index = lowerBound(page, key: key)
    else { return .damaged(number) }
    let count = entryCount(page)
    guard index < count else {
      // Most new entries are at the end of their table: there, a comparison with the last key must
      // suffice.
      if isLast, let last = node(page, count &- 1),
        lower.map({ PageMap.compare(self.key($0), self.key(last)) <= 0 }) ?? true
      {
        return .missing
      }
      return missing(record, key: key)
    }
    guard let node = node(page, index) else { return .damaged(number) }
    if PageMap.compare(self.key(node), key) == 0 { return .found(node) }
    return index > 0 || lower == nil ? .missing : missing(record, key: key)
  }

  /// Returns the index of the branch entry below which a key belongs; nil when the page is damaged.
  @inlinable
  func childIndex(_ page: UnsafeRawPointer, key: UnsafeRawBufferPointer) -> Int? {
    var low = 1
    var high = entryCount(page) &- 1
    while low <= high {
      let middle = (low &+ high) &>> 1
      guard let node = node(page, middle) else { return nil }
      if PageMap.compare(self.key(node), key) <= 0 { low = middle &+ 1 } else { high = middle &- 1 }
    }
    return high
  }

  /// Returns the index of the first entry of a leaf that is not less than a key; nil when the page
  /// is damaged.
  ///
  /// Each entry is in a cache line of its own, and a leaf is seldom cached. A plain search would
  /// wait for memory at each entry it reads; this one prefetches seven entries at once, and then
  /// reads three of them.
  @inlinable
  func lowerBound(_ page: UnsafeRawPointer, key: UnsafeRawBufferPointer) -> Int? {
    // Invariant: all entries before `low` are less than the key, and none from `high` on is.
    var low = 0
    var high = entryCount(page)
    while high &- low >= 8 {
      let (start, step) = (low, (high &- low) &>> 3)
      for part in 1...7 {
        let offset = nodeOffset(page, start &+ part &* step)
        varve_prefetch_line(page + (offset &+ PageLayout.nodeHeaderSize))
      }
      var (less, notLess) = (0, 8)
      while notLess &- less > 1 {
        let part = (less &+ notLess) &>> 1
        guard let node = node(page, start &+ part &* step) else { return nil }
        if PageMap.compare(self.key(node), key) < 0 { less = part } else { notLess = part }
      }
      if less > 0 { low = start &+ less &* step &+ 1 }
      if notLess < 8 { high = start &+ notLess &* step }
    }
    while low < high {
      let middle = (low &+ high) &>> 1
      guard let node = node(page, middle) else { return nil }
      if PageMap.compare(self.key(node), key) < 0 { low = middle &+ 1 } else { high = middle }
    }
    return low
  }

  /// LMDB's order of byte keys: bytes first, then length.
  @inlinable @inline(__always)
  static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    varve_compare_bytes(left.baseAddress, left.count, right.baseAddress, right.count)
  }

  /// Whether the values of two entries, which may be the same memory, have equal bytes.
  @inline(__always)
  static func areEqual(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  ) -> Bool {
    left.count == right.count
      && (left.baseAddress == right.baseAddress || compare(left, right) == 0)
  }
}

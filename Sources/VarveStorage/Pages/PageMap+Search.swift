public import CVarve

/// What a search for one entry ends with.
@usableFromInline
enum PageSearchResult {
  case found(UnsafeRawPointer)
  case missing
  /// The page that is not what it must be.
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
    while level > 1 {
      guard let page = page(number, PageLayout.branch),
        let index = childIndex(page, key: key), let node = node(page, index)
      else { return .damaged(number) }
      number = child(node)
      level &-= 1
    }
    guard let page = page(number, PageLayout.leaf), let index = lowerBound(page, key: key)
    else { return .damaged(number) }
    guard index < entryCount(page), let node = node(page, index) else { return .missing }
    return PageMap.compare(self.key(node), key) == 0 ? .found(node) : .missing
  }

  /// The entry of a branch page below which a key belongs; nil when the page is damaged.
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

  /// The first entry of a leaf page that is not less than a key; nil when the page is damaged.
  @inlinable
  func lowerBound(_ page: UnsafeRawPointer, key: UnsafeRawBufferPointer) -> Int? {
    var low = 0
    var high = entryCount(page)
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

  /// Whether two entries' values, which may be the same memory, have the same bytes.
  @inline(__always)
  static func areEqual(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  ) -> Bool {
    left.count == right.count
      && (left.baseAddress == right.baseAddress || compare(left, right) == 0)
  }
}

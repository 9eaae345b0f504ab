public import CVarve

/// The known bounds of the keys below a page: the separators next to its entry in the pages above
/// it.
@usableFromInline
struct IDBounds {
  /// The inclusive lower bound of the keys; nil on the left edge of the tree.
  @usableFromInline var lower: UInt64?
  /// The exclusive upper bound of the keys; nil on the right edge of the tree.
  @usableFromInline var upper: UInt64?

  @inlinable @inline(__always)
  init() {}
}

/// Searches in tables with integer keys.
///
/// Ids are mostly dense, so a search interpolates the index of a key between the bounds of the
/// page: usually it reads one entry of a page. Each entry is in a cache line of its own. From a
/// wrong guess, the search gallops with doubling strides, and then bisects the last interval.
extension PageMap {
  /// Finds an entry.
  ///
  /// - Parameters:
  ///   - record: The checked record of the tree.
  ///   - id: The key.
  /// - Returns: The entry, or why there is none.
  /// - Complexity: O(log n), one page a level.
  @inlinable
  func find(_ record: UnsafeRawPointer, id: UInt64) -> PageSearchResult {
    var number = record.u64(PageLayout.recordRoot)
    if number == PageLayout.noPage { return .missing }
    var level = record.u16(PageLayout.recordDepth)
    var bounds = IDBounds()
    while level > 1 {
      guard let page = page(number, PageLayout.branch),
        let index = childIndex(page, id: id, &bounds)
      else { return .damaged(number) }
      let offset = nodeOffset(page, index)
      guard offset &+ PageLayout.nodeHeaderSize <= pageSize else { return .damaged(number) }
      number = child(page + offset)
      level &-= 1
    }
    prefetch(leaf: number, id: id, bounds)
    guard let page = page(number, PageLayout.leaf),
      let end = upperBound(page, id: id, from: 0, bounds, stopsAtEqual: true)
    else { return .damaged(number) }
    guard end > 0 else { return bounds.lower == nil ? .missing : missing(record, id: id) }
    // The search has read this entry to find the bound, so its offset has been checked.
    let node = page + nodeOffset(page, end &- 1)
    let key = node.u64(PageLayout.nodeHeaderSize)
    guard key == id else {
      // Most new entries are at the end of their table: there, a comparison with the last key must
      // suffice.
      if end < entryCount(page) || bounds.upper == nil && key >= bounds.lower ?? 0 {
        return .missing
      }
      return missing(record, id: id)
    }
    return node.u16(PageLayout.nodeKeySize) == 8 ? .found(node) : .damaged(number)
  }

  /// Prefetches the cache lines that a search of a leaf reads, apart from the header, so that it
  /// waits for memory only once: the second line, which may contain the offset of the entry, and
  /// the location that the entry has if entries of equal size were appended in key order. A
  /// prefetch of a wrong location is useless but harmless.
  @inlinable @inline(__always)
  func prefetch(leaf number: UInt64, id: UInt64, _ bounds: IDBounds) {
    guard number < limit else { return }
    let page = base + Int(truncatingIfNeeded: number &<< shift)
    varve_prefetch_line(page + 64)
    guard let lower = bounds.lower, let upper = bounds.upper, id >= lower, id < upper,
      upper &- lower < 1 &<< 12
    else { return }
    // The size of an entry and its offset; entries have an even size.
    let share =
      UInt32(truncatingIfNeeded: pageSize &- PageLayout.headerSize)
      / UInt32(truncatingIfNeeded: upper &- lower)
    let size = Int(share &- 2) & ~1
    let offset = pageSize &- size &* (Int(truncatingIfNeeded: id &- lower) &+ 1)
    guard size > 0, offset > 0 else { return }
    varve_prefetch_line(page + offset)
    varve_prefetch_line(page + offset + 64)
  }

  /// Returns the index of the branch entry below which a key belongs; nil when the page is damaged.
  @inlinable
  func childIndex(_ page: UnsafeRawPointer, id: UInt64) -> Int? {
    var bounds = IDBounds()
    return childIndex(page, id: id, &bounds)
  }

  /// Returns the index of the branch entry below which a key belongs, using the bounds of the page,
  /// and replaces them with the bounds of the child page. Returns nil when the page is damaged.
  @inlinable @inline(__always)
  func childIndex(_ page: UnsafeRawPointer, id: UInt64, _ bounds: inout IDBounds) -> Int? {
    // The key of the first entry is meaningless: the entry covers everything below the second key.
    guard let end = upperBound(page, id: id, from: 1, bounds, stopsAtEqual: false) else {
      return nil
    }
    // The search has read the entries on both sides of the bound.
    if end > 1 { bounds.lower = page.u64(nodeOffset(page, end &- 1) &+ PageLayout.nodeHeaderSize) }
    if end < entryCount(page) {
      bounds.upper = page.u64(nodeOffset(page, end) &+ PageLayout.nodeHeaderSize)
    }
    return end &- 1
  }

  /// Returns the index of the first entry of a leaf that is not less than a key; nil when the page
  /// is damaged.
  @inlinable
  func lowerBound(_ page: UnsafeRawPointer, id: UInt64) -> Int? {
    if id == 0 { return 0 }
    return upperBound(page, id: id &- 1, from: 0, IDBounds(), stopsAtEqual: false)
  }

  /// Returns the index of the first entry of a page that is greater than a key; nil when the page
  /// is damaged.
  ///
  /// - Parameters:
  ///   - page: A checked page.
  ///   - start: The first entry that has a key: 1 in a branch page, 0 in a leaf.
  ///   - bounds: The known bounds of the keys of the page.
  ///   - stopsAtEqual: Whether the search may stop at a guess that matches the key; otherwise the
  ///     entries on both sides of the bound have been read.
  /// - Returns: The index, or the number of entries.
  /// - Complexity: O(log n); a few entries if keys are evenly spread.
  @inlinable @inline(__always)
  func upperBound(
    _ page: UnsafeRawPointer, id: UInt64, from start: Int, _ bounds: IDBounds, stopsAtEqual: Bool
  ) -> Int? {
    // Invariant: all entries before `low` are at most the key, and all from `high` on are greater.
    var low = start
    var high = entryCount(page)
    guard low < high else { return low }
    guard let guess = guess(page, id: id, from: start, count: high, bounds) else { return nil }
    // The caller reads the value next.
    if stopsAtEqual { varve_prefetch_line(page + nodeOffset(page, guess) + 64) }
    guard let key = key(page, guess) else { return nil }
    var step = 1
    if key <= id {
      if stopsAtEqual, key == id { return guess &+ 1 }
      low = guess &+ 1
      while low < high {
        let probe = min(low &+ step, high) &- 1
        guard let key = self.key(page, probe) else { return nil }
        if key > id {
          high = probe
          break
        }
        low = probe &+ 1
        step &<<= 1
      }
    } else {
      high = guess
      while low < high {
        let probe = max(high &- step, low)
        guard let key = self.key(page, probe) else { return nil }
        if key <= id {
          low = probe &+ 1
          break
        }
        high = probe
        step &<<= 1
      }
    }
    while low < high {
      let middle = (low &+ high) &>> 1
      guard let key = self.key(page, middle) else { return nil }
      if key <= id { low = middle &+ 1 } else { high = middle }
    }
    return low
  }

  /// Returns the index that a key would have if the keys between the bounds were evenly spread. The
  /// first or the last key of the page replaces an unknown bound.
  ///
  /// - Returns: `start` or a greater index; nil when the page is damaged.
  @inlinable @inline(__always)
  func guess(
    _ page: UnsafeRawPointer, id: UInt64, from start: Int, count: Int, _ bounds: IDBounds
  ) -> Int? {
    var first = 0
    var end = count
    let lower: UInt64
    if let bound = bounds.lower {
      lower = bound
    } else {
      guard let key = key(page, start) else { return nil }
      first = start
      lower = key
    }
    let upper: UInt64
    if let bound = bounds.upper {
      upper = bound
    } else {
      guard let key = key(page, count &- 1) else { return nil }
      end = count &- 1
      upper = key
    }
    // Bounds and keys of a damaged page may be unordered.
    guard id > lower, upper > lower else { return max(first, start) }
    guard id < upper else { return count &- 1 }
    // 48 bits of either, so that no product has more than 63.
    let shift = UInt64(truncatingIfNeeded: max(0, 16 &- (upper &- lower).leadingZeroBitCount))
    let distance = (id &- lower) &>> shift
    let span = (upper &- lower) &>> shift
    let steps = distance &* UInt64(truncatingIfNeeded: end &- first) / span
    return max(start, min(first &+ Int(truncatingIfNeeded: steps), count &- 1))
  }

  /// Returns the key of an entry of a checked page, or nil when the entry reaches outside the page.
  @inlinable @inline(__always)
  func key(_ page: UnsafeRawPointer, _ index: Int) -> UInt64? {
    let offset = nodeOffset(page, index)
    guard offset <= pageSize &- 16 else { return nil }
    return page.u64(offset &+ PageLayout.nodeHeaderSize)
  }
}

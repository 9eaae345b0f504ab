public import CVarve

/// A leaf of a table with integer keys, optimized for entries of the plain form.
///
/// Thread safety: a value; the page is valid while its snapshot lives.
@usableFromInline
package struct TableLeaf {
  @usableFromInline package let page: UnsafeRawPointer
  /// The entries of the leaf that belong to the walk.
  @usableFromInline package let start: Int
  @usableFromInline package let end: Int
  @usableFromInline package let pageSize: Int
  /// A later leaf of the walk to prefetch, or this leaf when none is known.
  @usableFromInline let later: UnsafeRawPointer
  /// The number of bytes of the later leaf to prefetch for each entry of this one.
  @usableFromInline let share: Int

  init(
    page: UnsafeRawPointer, start: Int, end: Int, pageSize: Int, later: UnsafeRawPointer? = nil
  ) {
    self.page = page
    self.start = start
    self.end = end
    self.pageSize = pageSize
    self.later = later ?? page
    share = Self.share(of: pageSize, for: end - start)
  }

  /// Returns the number of bytes of a later leaf to prefetch for each of `count` entries.
  static func share(of pageSize: Int, for count: Int) -> Int {
    let count = UInt32(truncatingIfNeeded: max(1, count))
    return Int((UInt32(truncatingIfNeeded: pageSize) + count - 1) / count)
  }

  /// The offset of the key in a plain entry.
  @inlinable package static var keyOffset: Int { PageLayout.nodeHeaderSize }
  /// The offset of the value in a plain entry.
  @inlinable package static var valueOffset: Int { PageLayout.nodeHeaderSize &+ 8 }

  /// Returns a plain entry: an 8-byte key, and a value stored after it.
  ///
  /// - Parameter index: Between `start` and `end`.
  /// - Returns: The offset of the entry in the page, and the number of bytes of its value, which
  ///   begins `valueOffset` bytes later; nil for an entry of another form.
  @inlinable @inline(__always)
  package func plainEntry(at index: Int) -> (offset: Int, byteCount: Int)? {
    let offset = Int(page.u16(PageLayout.headerSize &+ 2 &* index))
    guard offset &+ TableLeaf.valueOffset <= pageSize else { return nil }
    let node = page + offset
    let byteCount = Int(node.u32(0))
    // Flags and key size in one load: no flags, a key of 8 bytes.
    guard node.u32(PageLayout.nodeFlags) == 8 << 16,
      offset &+ TableLeaf.valueOffset &+ byteCount <= pageSize
    else { return nil }
    return (offset, byteCount)
  }

  /// Returns the key and the value of a plain entry. See ``plainEntry(at:)``.
  @inlinable @inline(__always)
  package func plainRow(at index: Int) -> (id: UInt64, value: UnsafeRawBufferPointer)? {
    guard let (offset, byteCount) = plainEntry(at: index) else { return nil }
    let node = page + offset
    return (
      node.u64(TableLeaf.keyOffset),
      UnsafeRawBufferPointer(start: node + TableLeaf.valueOffset, count: byteCount)
    )
  }

  /// Returns a plain entry whose value has at least `least` bytes. See ``plainEntry(at:)``.
  ///
  /// - Returns: The offset of the entry in the page, and how many bytes more than `least` its value
  ///   has.
  @inlinable @inline(__always)
  package func plainEntry(at index: Int, least: Int) -> (offset: Int, surplus: UInt64)? {
    let offset = Int(page.u16(PageLayout.headerSize &+ 2 &* index))
    let room = pageSize &- TableLeaf.valueOffset &- least &- offset
    guard room >= 0 else { return nil }
    // Loads the number of bytes, no flags and a key of 8 bytes in one load: any other content makes
    // the difference larger than a page.
    let surplus = (page + offset).u64(0) &- (8 << 48 | UInt64(truncatingIfNeeded: least))
    return surplus <= UInt64(truncatingIfNeeded: room) ? (offset, surplus) : nil
  }

  /// Prefetches a part of a later leaf. One call for each entry of this leaf prefetches the whole
  /// later leaf.
  ///
  /// A processor has few line-fill buffers. Prefetching a whole page at once fills them and delays
  /// other reads. Spread over the work on the entries, the prefetch costs nothing.
  ///
  /// - Parameter index: The entry being processed.
  /// - Complexity: O(1) amortized, without waiting for memory.
  @inlinable @inline(__always)
  package func prefetchLater(beside index: Int) {
    varve_prefetch(later + (index &- start) &* share, share)
  }
}

/// A walk over the leaves of a table with integer keys, which reads rows in place.
///
/// A damaged page is recorded, and ends the walk.
///
/// Thread safety: one thread at a time; several walks may read one snapshot concurrently.
package struct LeafCursor: ~Copyable {
  /// The current leaf, which has at least one entry after `next()` returned true.
  package private(set) var leaf: TableLeaf

  private var cursor: EntryCursor
  private var lower: UInt64
  private var last: UInt64
  private var isBegun = false
  private var isDone = false

  fileprivate init(_ cursor: consuming EntryCursor, from lower: UInt64, through last: UInt64) {
    leaf = TableLeaf(
      page: cursor.pages.base, start: 0, end: 0, pageSize: cursor.pages.pageSize)
    self.lower = lower
    self.last = last
    self.cursor = cursor
  }

  /// Restarts the walk with another range of ids.
  ///
  /// - Parameters:
  ///   - lower: The least id of the walk.
  ///   - last: The greatest id of the walk.
  package mutating func restart(from lower: UInt64, through last: UInt64) {
    self.lower = lower
    self.last = last
    isBegun = false
    isDone = false
  }

  /// Moves to the next leaf, or to the first one on the first call.
  ///
  /// - Returns: Whether there is one.
  /// - Complexity: O(1) amortized, O(depth) for the first call.
  package mutating func next() -> Bool {
    guard !isDone else { return false }
    let isFound: Bool
    if isBegun {
      // The next leaf follows its last entry.
      if let frame = cursor.leafFrame() { cursor.moveInLeaf(to: frame.count - 1) }
      isFound = cursor.turnLeaf(isForward: true)
    } else {
      isBegun = true
      isFound = cursor.seek(id: lower)
    }
    guard isFound, let frame = cursor.leafFrame() else { return finish() }
    var end = Int(frame.count)
    if last < .max {
      guard let bound = cursor.pages.lowerBound(frame.page, id: last + 1) else {
        cursor.noteDamage(page: frame.page.u64(0))
        return finish()
      }
      if bound < end {
        end = bound
        isDone = true
      }
    }
    leaf = TableLeaf(
      page: frame.page, start: Int(frame.index), end: end, pageSize: leaf.pageSize,
      later: isDone ? nil : cursor.leafAddress(ahead: 2))
    return leaf.start < leaf.end ? true : finish()
  }

  /// Returns an entry of any form.
  ///
  /// - Parameter index: Between `start` and `end`.
  /// - Returns: The key and the value; the value is empty if it is damaged. Nil when the entry is
  ///   damaged, which ends the walk.
  package mutating func entry(at index: Int) -> (id: UInt64, value: UnsafeRawBufferPointer)? {
    guard let node = cursor.pages.node(leaf.page, index), cursor.pages.key(node).count == 8 else {
      cursor.noteDamage(page: leaf.page.u64(0))
      _ = finish()
      return nil
    }
    let id = node.u64(PageLayout.nodeHeaderSize)
    if let value = cursor.pages.value(node) { return (id, value) }
    cursor.noteDamage(page: leaf.page.u64(0))
    return (id, UnsafeRawBufferPointer(start: nil, count: 0))
  }

  private mutating func finish() -> Bool {
    isDone = true
    return false
  }
}

extension EntryCursor {
  /// The current leaf of the cursor.
  // Mutating, like the following members, to access the cursor in place: it is a large value.
  @inline(__always)
  mutating func leafFrame() -> Frame? {
    engine == nil && depth > 0 && position == .entry ? frames[depth - 1] : nil
  }

  /// Moves to another entry of the leaf.
  mutating func moveInLeaf(to index: Int32) { frames[depth - 1].index = index }

  /// Returns the address of the leaf `count` leaves later, if both are children of the same branch
  /// page. That leaf has not been checked.
  @inline(__always)
  mutating func leafAddress(ahead count: Int32) -> UnsafeRawPointer? {
    guard depth > 1 else { return nil }
    let branch = frames[depth - 2]
    guard branch.count - branch.index > count,
      let node = pages.node(branch.page, Int(branch.index + count))
    else { return nil }
    let number = pages.child(node)
    guard number < pages.limit else { return nil }
    return pages.base + Int(truncatingIfNeeded: number &<< pages.shift)
  }

  fileprivate func noteDamage(page: UInt64) { snapshot?.noteDamage(page: page) }
}

extension Snapshot {
  /// Returns a walk over the leaves of a table with integer keys, before the first leaf.
  ///
  /// - Parameters:
  ///   - lower: The least id of the walk.
  ///   - last: The greatest id of the walk.
  package func leaves(
    _ table: Table, from lower: UInt64 = 0, through last: UInt64 = .max
  ) -> LeafCursor {
    LeafCursor(cursor(table), from: lower, through: last)
  }
}

public import CVarve

/// The entries of a leaf of a table with integer keys, those of the usual form above all.
///
/// Thread safety: a value; the page is valid while its snapshot lives.
@usableFromInline
package struct TableLeaf {
  @usableFromInline package let page: UnsafeRawPointer
  /// The entries that belong to a walk.
  @usableFromInline package let start: Int
  @usableFromInline package let end: Int
  @usableFromInline package let pageSize: Int
  /// A leaf that the walk comes to later; this one when none is known.
  @usableFromInline let later: UnsafeRawPointer
  /// The bytes of the later leaf that are asked for beside each entry of this one.
  @usableFromInline let share: Int

  init(
    page: UnsafeRawPointer, start: Int, end: Int, pageSize: Int, later: UnsafeRawPointer? = nil
  ) {
    self.page = page
    self.start = start
    self.end = end
    self.pageSize = pageSize
    self.later = later ?? page
    let count = UInt32(truncatingIfNeeded: max(1, end - start))
    share = Int((UInt32(truncatingIfNeeded: pageSize) + count - 1) / count)
  }

  /// Where the key lies in a plain entry.
  @inlinable package static var keyOffset: Int { PageLayout.nodeHeaderSize }
  /// Where the value begins in a plain entry.
  @inlinable package static var valueOffset: Int { PageLayout.nodeHeaderSize &+ 8 }

  /// An entry in its page: an 8-byte key, and a value that lies behind it.
  ///
  /// - Parameter index: Between `start` and `end`.
  /// - Returns: Where the entry begins in the page, and the number of bytes of its value, which begins
  ///   `valueOffset` bytes later; nil for an entry of another form.
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

  /// As ``plainEntry(at:)``, with the key and the value.
  @inlinable @inline(__always)
  package func plainRow(at index: Int) -> (id: UInt64, value: UnsafeRawBufferPointer)? {
    guard let (offset, byteCount) = plainEntry(at: index) else { return nil }
    let node = page + offset
    return (
      node.u64(TableLeaf.keyOffset),
      UnsafeRawBufferPointer(start: node + TableLeaf.valueOffset, count: byteCount)
    )
  }

  /// As ``plainEntry(at:)``, for an entry whose value has at least `least` bytes.
  ///
  /// - Returns: Where the entry begins in the page, and how many bytes more than `least` its value has.
  @inlinable @inline(__always)
  package func plainEntry(at index: Int, least: Int) -> (offset: Int, surplus: UInt64)? {
    let offset = Int(page.u16(PageLayout.headerSize &+ 2 &* index))
    let room = pageSize &- TableLeaf.valueOffset &- least &- offset
    guard room >= 0 else { return nil }
    // The number of bytes, no flags and a key of 8 bytes in one load: whatever else stands there makes the
    // difference larger than a page.
    let surplus = (page + offset).u64(0) &- (8 << 48 | UInt64(truncatingIfNeeded: least))
    return surplus <= UInt64(truncatingIfNeeded: room) ? (offset, surplus) : nil
  }

  /// Asks for a part of a later leaf to be brought near, all of which is near when this was called once for each
  /// entry of this leaf.
  ///
  /// A processor has few places for what it waits for. A whole page at once fills them, and what is read
  /// meanwhile waits in the same queue; beside the work on the entries the page comes for nothing.
  ///
  /// - Parameter index: The entry that is looked at.
  /// - Complexity: O(1) amortised, without waiting for memory.
  @inlinable @inline(__always)
  package func prefetchLater(beside index: Int) {
    varve_prefetch(later + (index &- start) &* share, share)
  }
}

/// A walk over the leaves of a table with integer keys, whose rows are read where they lie.
///
/// A damaged page is noted, and ends the walk.
///
/// Thread safety: one thread at a time; several walks may read one snapshot at once.
package struct LeafCursor: ~Copyable {
  /// The leaf; it has at least one entry after a `next()` that was true.
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

  /// Makes the walk one over the leaves of a range of ids, which has not begun.
  ///
  /// - Parameters:
  ///   - lower: The least id that belongs to the walk.
  ///   - last: The greatest id that does.
  package mutating func restart(from lower: UInt64, through last: UInt64) {
    self.lower = lower
    self.last = last
    isBegun = false
    isDone = false
  }

  /// Goes to the next leaf; the first time, to the first one.
  ///
  /// - Returns: Whether there is one.
  /// - Complexity: O(1) amortised, O(depth) the first time.
  package mutating func next() -> Bool {
    guard !isDone else { return false }
    let isFound: Bool
    if isBegun {
      // Beyond it lies the next leaf.
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

  /// An entry of any form.
  ///
  /// - Parameter index: Between `start` and `end`.
  /// - Returns: Its key, and its value: no bytes where that is damaged. Nil when the entry is damaged, which
  ///   ends the walk.
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
  /// The leaf that the cursor stands in.
  // Mutating, like what follows, so that it is used in place: a cursor is large.
  @inline(__always)
  mutating func leafFrame() -> Frame? {
    engine == nil && depth > 0 && place == .entry ? frames[depth - 1] : nil
  }

  /// Stands on another entry of the leaf.
  mutating func moveInLeaf(to index: Int32) { frames[depth - 1].index = index }

  /// Where a leaf lies that comes so many leaves later, if it hangs from the same branch page. It has not been
  /// looked at.
  @inline(__always)
  fileprivate mutating func leafAddress(ahead count: Int32) -> UnsafeRawPointer? {
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
  /// A walk over the leaves of a table with integer keys.
  ///
  /// - Parameters:
  ///   - table: Which one.
  ///   - lower: The least id that belongs to the walk.
  ///   - last: The greatest id that does.
  /// - Returns: The walk, which has not begun.
  package func leaves(
    _ table: Table, from lower: UInt64 = 0, through last: UInt64 = .max
  ) -> LeafCursor {
    LeafCursor(cursor(table), from: lower, through: last)
  }
}

/// A walk over a table with byte keys, forwards only, as fast as memory gives its entries.
///
/// As with an ``EntryCursor``, keys and values are valid while the snapshot lives; on a write transaction until its
/// next write.
///
/// Thread safety: one thread at a time; several walks may read one snapshot at once.
@usableFromInline
package struct KeyScanCursor: ~Copyable {
  /// The key of the current entry; empty when the cursor is on none.
  @usableFromInline package var key = UnsafeRawBufferPointer(start: nil, count: 0)
  /// The value of the current entry.
  @usableFromInline package var value = UnsafeRawBufferPointer(start: nil, count: 0)

  @usableFromInline var leaf: UnsafeRawPointer
  @usableFromInline var index = 0
  @usableFromInline var entryCount = 0
  @usableFromInline let pageSize: Int
  /// Finds the leaves, and every entry of a table that a transaction has changed.
  var cursor: EntryCursor

  init(_ cursor: consuming EntryCursor) {
    leaf = cursor.pages.base
    pageSize = cursor.pages.pageSize
    self.cursor = cursor
  }

  /// Goes to the first entry whose key is not less than another.
  ///
  /// - Returns: Whether there is one.
  /// - Complexity: O(log n) comparisons.
  package mutating func seek(key: UnsafeRawBufferPointer) -> Bool {
    cursor.seek(key: key) ? take() : finish()
  }

  /// Goes to the next entry.
  ///
  /// - Returns: Whether there is one.
  /// - Complexity: O(1) amortised.
  @inlinable @inline(__always)
  package mutating func next() -> Bool {
    index &+= 1
    if index < entryCount {
      let offset = Int(leaf.u16(PageLayout.headerSize &+ 2 &* index))
      if offset &+ PageLayout.nodeHeaderSize <= pageSize {
        let node = leaf + offset
        let byteCount = Int(node.u32(0))
        let keyCount = Int(node.u16(PageLayout.nodeKeySize))
        let valueOffset = PageLayout.nodeHeaderSize &+ keyCount
        if node.u16(PageLayout.nodeFlags) == 0, offset &+ valueOffset &+ byteCount <= pageSize {
          key = UnsafeRawBufferPointer(start: node + PageLayout.nodeHeaderSize, count: keyCount)
          value = UnsafeRawBufferPointer(start: node + valueOffset, count: byteCount)
          return true
        }
      }
    }
    return nextSlowly()
  }

  /// The next entry where it lies in another leaf, is a large value, is damaged, or comes from LMDB.
  @usableFromInline @inline(never)
  mutating func nextSlowly() -> Bool {
    // Brings the cursor to the entry before the wanted one.
    if entryCount > 0 { cursor.moveInLeaf(to: Int32(truncatingIfNeeded: index - 1)) }
    return cursor.next() ? take() : finish()
  }

  /// Takes over the entry that the cursor stands on.
  private mutating func take() -> Bool {
    key = cursor.key
    value = cursor.value
    if let frame = cursor.leafFrame() {
      leaf = frame.page
      index = Int(frame.index)
      entryCount = Int(frame.count)
    }
    return true
  }

  private mutating func finish() -> Bool {
    key = UnsafeRawBufferPointer(start: nil, count: 0)
    value = key
    entryCount = 0
    index = 0
    cursor.place = .end
    return false
  }
}

extension TableReader {
  /// A walk over a table with byte keys that is not yet on any entry.
  package func keyScan(_ table: Table) -> KeyScanCursor { KeyScanCursor(cursor(table)) }
}

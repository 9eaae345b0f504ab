public import CVarve

/// A fast forward-only walk over a table with byte keys.
///
/// As for an ``EntryCursor``, keys and values are valid while the snapshot lives; in a write
/// transaction until its next write.
///
/// Thread safety: one thread at a time; several walks may read one snapshot concurrently.
@usableFromInline
package struct KeyScanCursor: ~Copyable {
  /// The key of the current entry; empty when the cursor is on no entry.
  @usableFromInline package var key = UnsafeRawBufferPointer(start: nil, count: 0)
  /// The value of the current entry.
  @usableFromInline package var value = UnsafeRawBufferPointer(start: nil, count: 0)

  @usableFromInline var leaf: UnsafeRawPointer
  @usableFromInline var index = 0
  @usableFromInline var entryCount = 0
  @usableFromInline let pageSize: Int
  /// A later leaf to prefetch. See ``TableLeaf``.
  @usableFromInline var later: UnsafeRawPointer
  /// The number of bytes of the later leaf to prefetch for each entry of this one; 0 when none is
  /// known.
  @usableFromInline var share = 0
  /// Finds the leaves, and every entry of a table that a transaction has changed.
  var cursor: EntryCursor

  init(_ cursor: consuming EntryCursor) {
    leaf = cursor.pages.base
    later = leaf
    pageSize = cursor.pages.pageSize
    self.cursor = cursor
  }

  /// Moves to the first entry whose key is not less than `key`.
  ///
  /// - Returns: Whether there is one.
  /// - Complexity: O(log n) comparisons.
  package mutating func seek(key: UnsafeRawBufferPointer) -> Bool {
    cursor.seek(key: key) ? take() : finish()
  }

  /// Moves to the next entry.
  ///
  /// - Returns: Whether there is one.
  /// - Complexity: O(1) amortized.
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
          varve_prefetch(later + index &* share, share)
          return true
        }
      }
    }
    return nextSlowly()
  }

  /// Moves to the next entry, and returns it; nil at the end.
  ///
  /// - Complexity: O(1) amortized.
  @inlinable @inline(__always)
  package mutating func nextEntry()
    -> (key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)?
  {
    next() ? (key, value) : nil
  }

  /// Moves to the next entry if it is in another leaf, is a large value, is damaged, or comes from
  /// LMDB.
  @usableFromInline @inline(never)
  mutating func nextSlowly() -> Bool {
    // Moves the cursor to the entry before the next one.
    if entryCount > 0 { cursor.moveInLeaf(to: Int32(truncatingIfNeeded: index - 1)) }
    return cursor.next() ? take() : finish()
  }

  /// Adopts the current entry of the cursor.
  private mutating func take() -> Bool {
    key = cursor.key
    value = cursor.value
    if let frame = cursor.leafFrame() {
      leaf = frame.page
      index = Int(frame.index)
      entryCount = Int(frame.count)
      if let later = cursor.leafAddress(ahead: 2) {
        self.later = later
        share = TableLeaf.share(of: pageSize, for: entryCount)
      } else {
        share = 0
      }
    }
    return true
  }

  private mutating func finish() -> Bool {
    key = UnsafeRawBufferPointer(start: nil, count: 0)
    value = key
    entryCount = 0
    index = 0
    cursor.position = .end
    return false
  }
}

extension TableReader {
  /// Returns a walk over a table with byte keys, on no entry yet.
  package func keyScan(_ table: Table) -> KeyScanCursor { KeyScanCursor(cursor(table)) }
}

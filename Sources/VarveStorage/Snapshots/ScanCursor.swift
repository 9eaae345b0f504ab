/// A walk over the rows of a table with integer keys, forwards only, as fast as memory gives them.
///
/// Thread safety: one thread at a time; several scans may walk one snapshot at once.
@usableFromInline
package struct ScanCursor: ~Copyable {
  /// The key of the current entry.
  @usableFromInline package var id: UInt64 = 0
  /// The first byte of the current value.
  @usableFromInline package var base: UnsafeRawPointer
  /// The number of bytes of the current value.
  @usableFromInline package var count = 0

  @usableFromInline var leaf: UnsafeRawPointer
  @usableFromInline var index = 0
  @usableFromInline var entryCount = 0
  @usableFromInline let pageSize: Int
  /// Finds the leaves, and everything where no pages are read.
  var cursor: EntryCursor
  private var start: UInt64?
  /// What the transaction that is read has changed; nil for a snapshot, and where all is read through LMDB.
  private let changes: ChangedRows?
  /// Whether the last row was a changed one: the cursor is on the entry behind it already, if `hasNext`.
  private var isOnChange = false
  private var hasNext = false

  init(_ cursor: consuming EntryCursor, from id: UInt64, changes: ChangedRows? = nil) {
    base = cursor.pages.base
    leaf = cursor.pages.base
    pageSize = cursor.pages.pageSize
    start = id
    self.cursor = cursor
    self.changes = changes
  }

  /// The value of the current entry.
  @inlinable package var value: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base, count: count)
  }

  /// Goes to the next entry; the first time, to the first one.
  ///
  /// - Returns: Whether there is one.
  /// - Complexity: O(1) amortised.
  @inlinable @inline(__always)
  package mutating func next() -> Bool {
    index &+= 1
    if index < entryCount {
      let offset = Int(leaf.u16(PageLayout.headerSize &+ 2 &* index))
      // An entry has a header and a key of 8 bytes before its value.
      if offset &+ 16 <= pageSize {
        let node = leaf + offset
        let byteCount = Int(node.u32(0))
        // Flags and key size in one load: no flags, a key of 8 bytes.
        if node.u32(PageLayout.nodeFlags) == 8 << 16, offset &+ 16 &+ byteCount <= pageSize {
          id = node.u64(PageLayout.nodeHeaderSize)
          base = node + 16
          count = byteCount
          return true
        }
      }
    }
    return nextSlowly()
  }

  /// The next entry where it lies in another leaf, is a large value, is damaged, or comes from LMDB.
  @usableFromInline @inline(never)
  mutating func nextSlowly() -> Bool {
    let isPresent = isOnChange ? hasNext : moveCursor()
    if let changes { return next(of: changes, hasEntry: isPresent) }
    return isPresent ? land(before: nil) : finish()
  }

  /// Goes to the first entry, or to the one behind that which was read last.
  private mutating func moveCursor() -> Bool {
    if let first = start {
      start = nil
      return cursor.seek(id: first)
    }
    // Brings the cursor to the entry before the wanted one.
    if cursor.engine == nil, entryCount > 0 { cursor.moveInLeaf(to: index - 1) }
    return cursor.next()
  }

  /// The entry of the cursor, or the changed one before it.
  private mutating func next(of changes: ChangedRows, hasEntry: Bool) -> Bool {
    var hasEntry = hasEntry
    while let changed = changes.id {
      let id = hasEntry ? cursor.id : nil
      if let id, id < changed { return land(before: changed) }
      changes.moveNext()
      if id == changed { hasEntry = cursor.next() }
      guard let value = changes.value(of: changed) else { continue }
      self.id = changed
      base = value.baseAddress ?? base
      count = value.count
      entryCount = 0
      index = 0
      isOnChange = true
      hasNext = hasEntry
      return true
    }
    return hasEntry ? land(before: nil) : finish()
  }

  /// Takes the entry of the cursor, and those of its leaf that come before an id.
  private mutating func land(before end: UInt64?) -> Bool {
    isOnChange = false
    let key = cursor.key
    let value = cursor.value
    guard key.count == 8, let keyBase = key.baseAddress else {
      cursor.noteDamage()
      return finish()
    }
    // A value without bytes may have no address.
    id = keyBase.u64(0)
    base = value.baseAddress ?? keyBase
    count = value.count
    if let place = cursor.leafPlace {
      leaf = place.page
      index = place.index
      entryCount = end.flatMap { cursor.pages.lowerBound(place.page, id: $0) } ?? place.count
    }
    return true
  }

  private mutating func finish() -> Bool {
    entryCount = 0
    index = 0
    isOnChange = false
    cursor.stop()
    return false
  }
}

extension EntryCursor {
  /// The leaf that the cursor stands in.
  var leafPlace: (page: UnsafeRawPointer, index: Int, count: Int)? {
    guard engine == nil, place == .entry else { return nil }
    let frame = frames[depth - 1]
    return (frame.page, Int(frame.index), Int(frame.count))
  }

  /// Moves within the leaf that the cursor stands in.
  mutating func moveInLeaf(to index: Int) {
    frames[depth - 1].index = Int32(truncatingIfNeeded: index)
  }

  fileprivate func noteDamage() {
    snapshot?.noteDamage(page: UInt64(node - pages.base) >> pages.shift)
  }

  /// Makes every later `next()` end at once.
  mutating func stop() {
    place = .end
  }
}

extension Snapshot {
  /// A scan of the rows of a table with integer keys, from an id on.
  package func scan(_ table: Table, from id: UInt64 = 0) -> ScanCursor {
    ScanCursor(cursor(table), from: id)
  }
}

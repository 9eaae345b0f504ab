/// A cursor over the entries of a table, in key order.
///
/// A new cursor is on no entry: `next()` then moves to the first one, `previous()` to the last one.
/// A cursor that ran off an end stays there, and can move back. A cursor walks the pages of a
/// snapshot. In a write transaction that has changed the table it uses LMDB's cursor: keys and
/// values are then valid until the next write of the transaction only, and the cursor is
/// invalidated when the transaction ends or a nested one begins or ends.
///
/// Thread safety: one thread at a time; several cursors may walk one snapshot concurrently.
@usableFromInline
package struct EntryCursor: ~Copyable {
  /// One page on the path from the root to the entry.
  @usableFromInline
  struct Frame {
    @usableFromInline var page: UnsafeRawPointer
    @usableFromInline var index: Int32
    @usableFromInline var count: Int32
  }

  /// The snapshot that the cursor walks; nil in a table that a transaction has changed.
  @usableFromInline let snapshot: Snapshot?
  /// LMDB's cursor, which is read instead of the pages if it is not nil. A walk of a range sets it
  /// for an entry that a transaction has changed.
  @usableFromInline var engine: EngineCursor?
  @usableFromInline let pages: PageMap
  @usableFromInline let root: UInt64
  /// The number of levels; 0 without pages.
  @usableFromInline let depth: Int
  let hasIntegerKeys: Bool
  @usableFromInline var frames: InlineArray<32, Frame>
  @usableFromInline var position = CursorPosition.unset
  /// The entry, when `position` is `.entry`.
  @usableFromInline var node: UnsafeRawPointer

  /// Creates a cursor over pages.
  @inline(__always)
  init(snapshot: Snapshot, record: UnsafeRawPointer?) {
    self.snapshot = snapshot
    self.engine = nil
    self.pages = snapshot.pages
    let root = record?.u64(PageLayout.recordRoot) ?? PageLayout.noPage
    self.root = root
    self.depth =
      root == PageLayout.noPage ? 0 : Int(record?.u16(PageLayout.recordDepth) ?? 0)
    self.hasIntegerKeys =
      (record?.u16(PageLayout.recordFlags) ?? 0) & PageLayout.integerKeyFlag != 0
    self.node = snapshot.pages.base
    self.frames = .init(
      repeating: Frame(page: snapshot.pages.base, index: 0, count: 0))
  }

  /// Creates a cursor of a transaction.
  init(engine: EngineCursor, base: Snapshot) {
    self.snapshot = nil
    self.engine = engine
    self.pages = base.pages
    self.root = PageLayout.noPage
    self.depth = 0
    self.hasIntegerKeys = false
    self.node = base.pages.base
    self.frames = .init(repeating: Frame(page: base.pages.base, index: 0, count: 0))
  }

  /// Whether the cursor is on an entry.
  @inlinable package var isOnEntry: Bool {
    if let engine { return engine.key.baseAddress != nil }
    return position == .entry
  }

  /// The key of the entry; empty when the cursor is on no entry.
  @inlinable package var key: UnsafeRawBufferPointer {
    if let engine { return engine.key }
    return position == .entry ? pages.key(node) : UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// The key of the entry of a table with integer keys; 0 when the cursor is on no entry.
  @inlinable package var id: UInt64 {
    let key = self.key
    guard key.count == 8, let base = key.baseAddress else { return 0 }
    return base.u64(0)
  }

  /// The value of the entry; empty when the cursor is on no entry.
  @inlinable package var value: UnsafeRawBufferPointer {
    if let engine { return engine.value }
    guard position == .entry else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    if let value = pages.value(node) { return value }
    _ = snapshot?.damagedValue(node)
    return UnsafeRawBufferPointer(start: nil, count: 0)
  }
}

extension Snapshot {
  package func changedEntries(
    _ table: Table, lower: [UInt8]?, upper: [UInt8]?, isForward: Bool
  ) -> ChangedEntries? { nil }

  /// Returns a cursor that is on no entry yet.
  // Inlined, because a cursor is large and would be moved to the caller.
  @inline(__always)
  package func cursor(_ table: Table) -> EntryCursor {
    EntryCursor(snapshot: self, record: tree(table))
  }
}

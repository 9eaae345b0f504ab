/// A walk over the entries of a range of keys, in one direction.
///
/// In a write transaction it reads the unchanged entries from the pages of the previous version and
/// the changed ones through LMDB. Keys and values are then valid until the next write only.
///
/// Thread safety: one thread at a time.
@usableFromInline
package struct RangeCursor: ~Copyable {
  @usableFromInline var cursor: EntryCursor
  @usableFromInline let isForward: Bool
  @usableFromInline var state = State.between
  /// The last entry of the walk over pages; with changes, the last one before the next changed key.
  @usableFromInline var lastPage: UnsafeRawPointer
  @usableFromInline var lastIndex: Int32 = 0
  /// The end of the walk through LMDB: the upper bound of a forward walk, the lower bound of a
  /// backward walk.
  @usableFromInline let bound: [UInt8]?
  /// The changes of the transaction being read; nil for a snapshot, and if all entries are read
  /// through LMDB.
  @usableFromInline let changes: ChangedEntries?
  private let table: Table

  @usableFromInline
  enum State {
    /// Before the first entry, which the cursor is on already.
    case fresh
    case onEntry
    /// Before the next changed key.
    case between
    case ended
  }

  /// Creates a walk over the entries from `lower` up to, but not including, `upper`.
  ///
  /// - Parameters:
  ///   - table: A table with byte keys.
  ///   - lower: The least key; nil means the first entry.
  ///   - upper: The exclusive upper bound; nil means the end of the table.
  package init(
    _ reader: any TableReader, _ table: Table, lower: [UInt8]?, upper: [UInt8]?,
    isForward: Bool = true
  ) {
    self.isForward = isForward
    self.table = table
    bound = isForward ? upper : lower
    changes = reader.changedEntries(table, lower: lower, upper: upper, isForward: isForward)
    cursor = changes?.base.cursor(table) ?? reader.cursor(table)
    lastPage = cursor.pages.base
    let (lower, upper) = changes?.segment ?? (lower, upper)
    if open(lower, upper) {
      state = .fresh
    } else if changes == nil {
      state = .ended
    }
  }

  /// Moves to the first entry of a part of the range without changes.
  ///
  /// - Returns: Whether there is one.
  private mutating func open(_ lower: [UInt8]?, _ upper: [UInt8]?) -> Bool {
    guard isForward ? Self.seekStart(&cursor, lower) : Self.seekEnd(&cursor, upper) else {
      return false
    }
    if let bound = isForward ? upper : lower,
      !Self.isWithin(bound, cursor.key, isForward: isForward)
    {
      return false
    }
    guard let snapshot = cursor.snapshot else { return true }
    var last = snapshot.cursor(table)
    guard isForward ? Self.seekEnd(&last, upper) : Self.seekStart(&last, lower) else {
      return false
    }
    let frame = last.frames[last.depth - 1]
    lastPage = frame.page
    lastIndex = frame.index
    return true
  }

  /// Moves to the first entry that is not less than a bound.
  private static func seekStart(_ cursor: inout EntryCursor, _ lower: [UInt8]?) -> Bool {
    guard let lower else { return cursor.seekFirst() }
    return lower.withUnsafeBytes { cursor.seek(key: $0) }
  }

  /// Moves to the last entry that is less than a bound.
  private static func seekEnd(_ cursor: inout EntryCursor, _ upper: [UInt8]?) -> Bool {
    guard let upper, upper.withUnsafeBytes({ cursor.seek(key: $0) }) else {
      return cursor.seekLast()
    }
    return cursor.previous()
  }

  /// Moves to the next entry of the walk, or to the first one on the first call.
  ///
  /// - Returns: Whether there is one.
  /// - Complexity: O(1) amortized; O(log n) next to a changed key.
  @inlinable
  package mutating func advance() -> Bool {
    guard state == .onEntry else { return begin() }
    if cursor.engine == nil {
      let frame = cursor.frames[cursor.depth &- 1]
      if frame.index != lastIndex || frame.page != lastPage {
        if isForward ? cursor.next() : cursor.previous() { return true }
      }
    } else if changes == nil {
      if isForward ? cursor.next() : cursor.previous(), isWithinBound { return true }
    }
    return continueScan()
  }

  @usableFromInline
  mutating func begin() -> Bool {
    switch state {
    case .fresh:
      state = .onEntry
      return true
    case .between: return continueScan()
    case .onEntry, .ended: return false
    }
  }

  /// Moves to the next changed key that exists, or to the first entry after one.
  @usableFromInline
  mutating func continueScan() -> Bool {
    while let changes {
      if changes.isOnKey {
        cursor.engine = nil
        changes.leaveKey()
        let (lower, upper) = changes.segment
        if open(lower, upper) {
          state = .onEntry
          return true
        }
      } else if changes.next() {
        if changes.find() {
          cursor.engine = changes.cursor
          state = .onEntry
          return true
        }
      } else {
        break
      }
    }
    state = .ended
    return false
  }

  /// The key of the entry.
  @inlinable package var key: UnsafeRawBufferPointer { cursor.key }

  /// The value of the entry.
  @inlinable package var value: UnsafeRawBufferPointer { cursor.value }

  @usableFromInline
  var isWithinBound: Bool {
    guard let bound else { return true }
    return Self.isWithin(bound, cursor.key, isForward: isForward)
  }

  private static func isWithin(
    _ bound: [UInt8], _ key: UnsafeRawBufferPointer, isForward: Bool
  ) -> Bool {
    let order = bound.withUnsafeBytes { PageMap.compare(key, $0) }
    return isForward ? order < 0 : order >= 0
  }
}

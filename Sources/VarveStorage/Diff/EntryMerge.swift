/// The changes between two versions of a table, found by walking all entries of both.
///
/// Thread safety: one thread at a time.
final class EntryMerge {
  private let from: Snapshot
  private let to: Snapshot
  private let bounds: KeyBounds?
  private let hasIntegerKeys: Bool
  private var old: EntryCursor
  private var new: EntryCursor
  private var isOnOld = false
  private var isOnNew = false
  private var hasStarted = false

  init(_ from: Snapshot, _ to: Snapshot, _ table: Table, _ bounds: KeyBounds?) {
    self.from = from
    self.to = to
    self.bounds = bounds
    hasIntegerKeys = table.hasIntegerKeys
    old = from.cursor(table)
    new = to.cursor(table)
  }

  /// As `TableDiff.next()`.
  func next() throws(StorageError) -> EntryChange? {
    if !hasStarted {
      hasStarted = true
      isOnOld = try start(&old)
      isOnNew = try start(&new)
    }
    while isOnOld || isOnNew {
      let order = !isOnOld ? 1 : !isOnNew ? -1 : compare(old.key, new.key)
      let change: EntryChange?
      if order < 0 {
        change = EntryChange(key: old.key, old: old.value, new: nil)
      } else if order > 0 {
        change = EntryChange(key: new.key, old: nil, new: new.value)
      } else {
        change = modification()
      }
      if order <= 0 { isOnOld = try advance(&old) }
      if order >= 0 { isOnNew = try advance(&new) }
      if let change {
        try checkDamage()
        return change
      }
    }
    // Cursors end at damaged pages too.
    try checkDamage()
    return nil
  }

  /// The change of an entry that both versions have, or nil when it is the same.
  private func modification() -> EntryChange? {
    let before = old.value
    let after = new.value
    if PageMap.areEqual(before, after) { return nil }
    return EntryChange(key: new.key, old: before, new: after)
  }

  /// Goes to the first entry of the range.
  ///
  /// - Returns: Whether there is one.
  private func start(_ cursor: inout EntryCursor) throws(StorageError) -> Bool {
    guard let lower = bounds?.lower else { return try isInRange(cursor, cursor.seekFirst()) }
    let isFound =
      hasIntegerKeys
      ? cursor.seek(id: lower.u64(PageLayout.nodeHeaderSize))
      : cursor.seek(key: KeyBounds.key(lower))
    return try isInRange(cursor, isFound)
  }

  /// Goes to the next entry of the range. Keys that do not ascend are damage; so the walk ends.
  ///
  /// - Returns: Whether there is one.
  private func advance(_ cursor: inout EntryCursor) throws(StorageError) -> Bool {
    let last = cursor.key
    guard try isInRange(cursor, cursor.next()) else { return false }
    guard compare(last, cursor.key) < 0 else { throw damaged("Keys are out of order.") }
    return true
  }

  private func isInRange(
    _ cursor: borrowing EntryCursor, _ isOnEntry: Bool
  ) throws(StorageError) -> Bool {
    guard isOnEntry else { return false }
    guard !hasIntegerKeys || cursor.key.count == 8 else {
      throw damaged("An integer key has the wrong size.")
    }
    guard let upper = bounds?.upper else { return true }
    return compare(cursor.key, KeyBounds.key(upper)) < 0
  }

  private func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    guard hasIntegerKeys else { return PageMap.compare(left, right) }
    let leftID = left.loadUnaligned(as: UInt64.self)
    let rightID = right.loadUnaligned(as: UInt64.self)
    return leftID < rightID ? -1 : (leftID == rightID ? 0 : 1)
  }

  /// Makes sure that no cursor met damage. It may have been met before, and elsewhere: a cursor does not tell.
  private func checkDamage() throws(StorageError) {
    if let error = from.environment.damageError ?? to.environment.damageError { throw error }
  }

  private func damaged(_ detail: StaticString) -> StorageError {
    let error = StorageError(.corrupted, detail, path: from.environment.path)
    from.environment.markDamaged(error)
    return error
  }
}

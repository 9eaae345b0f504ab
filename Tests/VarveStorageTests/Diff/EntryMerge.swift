@testable import VarveStorage

/// The changes between two versions of a table, found by walking all entries of both: the oracle
/// for `TableDiff`.
final class EntryMerge {
  private let upper: UnsafeRawBufferPointer?
  private let hasIntegerKeys: Bool
  private var old: EntryCursor
  private var new: EntryCursor
  private var isOnOld = false
  private var isOnNew = false
  /// Owns the bytes of `upper`.
  private let bounds: KeyBounds?

  init(_ from: Snapshot, _ to: Snapshot, _ table: Table, _ bounds: KeyBounds?) {
    self.bounds = bounds
    upper = bounds?.upper.map { KeyBounds.key($0) }
    hasIntegerKeys = table.hasIntegerKeys
    old = from.cursor(table)
    new = to.cursor(table)
    isOnOld = isInRange(old, start(&old))
    isOnNew = isInRange(new, start(&new))
  }

  func next() -> EntryChange? {
    while isOnOld || isOnNew {
      let order = !isOnOld ? 1 : !isOnNew ? -1 : compare(old.key, new.key)
      let before = order <= 0 ? old.value : nil
      let after = order >= 0 ? new.value : nil
      let change = EntryChange(key: order < 0 ? old.key : new.key, old: before, new: after)
      if order <= 0 { isOnOld = isInRange(old, old.next()) }
      if order >= 0 { isOnNew = isInRange(new, new.next()) }
      if let before, let after, PageMap.areEqual(before, after) { continue }
      return change
    }
    return nil
  }

  /// Moves to the first entry that is not less than the lower bound.
  private func start(_ cursor: inout EntryCursor) -> Bool {
    guard let lower = bounds?.lower else { return cursor.seekFirst() }
    let key = KeyBounds.key(lower)
    return hasIntegerKeys
      ? cursor.seek(id: key.loadUnaligned(as: UInt64.self)) : cursor.seek(key: key)
  }

  private func isInRange(_ cursor: borrowing EntryCursor, _ isOnEntry: Bool) -> Bool {
    guard isOnEntry, let upper else { return isOnEntry }
    return compare(cursor.key, upper) < 0
  }

  private func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    guard hasIntegerKeys else { return PageMap.compare(left, right) }
    let leftID = left.loadUnaligned(as: UInt64.self)
    let rightID = right.loadUnaligned(as: UInt64.self)
    return leftID < rightID ? -1 : (leftID == rightID ? 0 : 1)
  }
}

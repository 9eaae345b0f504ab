/// The rows of a table with integer keys that a write transaction has changed, in the order of their ids.
///
/// Thread safety: one thread at a time, as the transaction.
final class ChangedRows {
  private let changes: RangeChanges
  private let table: Table
  private let transaction: WriteTransaction
  private var place: Int

  init(_ changes: RangeChanges, _ table: Table, _ transaction: WriteTransaction) {
    self.changes = changes
    self.table = table
    self.transaction = transaction
    place = changes.places.lowerBound
  }

  /// The next changed id; nil behind the last one.
  var id: UInt64? {
    place < changes.places.upperBound ? changes.keys.id(at: place) : nil
  }

  func moveNext() { place += 1 }

  /// The row as the transaction has it; nil where it is deleted.
  func value(of id: UInt64) -> UnsafeRawBufferPointer? { transaction.find(table, id: id) }
}

/// Where the rows of a table with integer keys lie: in the pages of a version, but for those that a write transaction has
/// changed.
package struct PagedRows {
  /// The version that has the rows.
  package let snapshot: Snapshot
  /// The ids of the other rows, ascending: changed ones, which the transaction is asked for, and deleted ones.
  package let changedIDs: [UInt64]

  /// - Parameters:
  ///   - snapshot: One that is read by pages.
  ///   - changedIDs: Ascending.
  package init(snapshot: Snapshot, changedIDs: [UInt64]) {
    self.snapshot = snapshot
    self.changedIDs = changedIDs
  }
}

extension Snapshot {
  package func pagedRows(_ table: Table, ids: ClosedRange<UInt64>) -> PagedRows? {
    isPaged ? PagedRows(snapshot: self, changedIDs: []) : nil
  }
}

extension WriteTransaction {
  package func pagedRows(_ table: Table, ids: ClosedRange<UInt64>) -> PagedRows? {
    guard base.isPaged, !ProcessFork.isChild else { return nil }
    guard readHandle(table) != nil else { return PagedRows(snapshot: base, changedIDs: []) }
    guard let changes = changes(table, ids) else { return nil }
    return PagedRows(
      snapshot: base, changedIDs: changes.places.map { changes.keys.id(at: $0) })
  }

  /// A scan of the rows of a table with integer keys, from an id on. The table must not be changed during the scan.
  package func scan(_ table: Table, from id: UInt64 = 0) -> ScanCursor {
    guard base.isPaged, !ProcessFork.isChild else { return ScanCursor(cursor(table), from: id) }
    guard readHandle(table) != nil else { return base.scan(table, from: id) }
    guard let changes = changes(table, id...UInt64.max) else {
      return ScanCursor(cursor(table), from: id)
    }
    return ScanCursor(
      base.cursor(table), from: id, changes: ChangedRows(changes, table, self))
  }

  private func changes(_ table: Table, _ ids: ClosedRange<UInt64>) -> RangeChanges? {
    let end = ids.upperBound == .max ? nil : ids.upperBound + 1
    return ChangedKeys.withBounds(ids.lowerBound, end) { lower, upper in
      changes(table, lower: lower, upper: upper) {
        base.estimateRange(table, lower: ids.lowerBound, upper: end)
      }
    }
  }
}

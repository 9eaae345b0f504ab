/// The rows of a table with integer keys that can be read in the pages of a version, and the ids
/// that a write transaction has changed.
package struct PagedRows {
  /// The version that contains the rows.
  package let snapshot: Snapshot
  /// The ids of changed and deleted rows, ascending. Changed rows are read from the transaction.
  package let changedIDs: [UInt64]

  /// - Parameter changedIDs: The ids of changed and deleted rows, ascending.
  package init(snapshot: Snapshot, changedIDs: [UInt64]) {
    self.snapshot = snapshot
    self.changedIDs = changedIDs
  }
}

extension Snapshot {
  package func pagedRows(_ table: Table, ids: ClosedRange<UInt64>) -> PagedRows? {
    PagedRows(snapshot: self, changedIDs: [])
  }
}

extension WriteTransaction {
  package func pagedRows(_ table: Table, ids: ClosedRange<UInt64>) -> PagedRows? {
    guard !ProcessFork.isChild else { return nil }
    guard readHandle(table) != nil else { return PagedRows(snapshot: base, changedIDs: []) }
    let range = KeyRange.ids(
      from: ids.lowerBound, below: ids.upperBound == .max ? nil : ids.upperBound + 1)
    let changes = changes(table, range) { base.estimateRange(table, range) }
    guard let changes else { return nil }
    return PagedRows(
      snapshot: base, changedIDs: changes.indices.map { changes.keys.id(at: $0) })
  }
}

extension TableReader {
  /// Returns the ids of a range in a table with integer keys, in ascending order.
  ///
  /// - Complexity: O(ids); O(log n) for each id that a transaction has changed.
  package func ids(_ table: Table, in range: ClosedRange<UInt64>) -> [UInt64] {
    var ids: [UInt64] = []
    // Capped, because a damaged file may contain any count.
    if range == 0...UInt64.max { ids.reserveCapacity(min(count(table), 1 << 16)) }
    guard let rows = pagedRows(table, ids: range) else {
      var cursor = cursor(table)
      var isPresent = cursor.seek(id: range.lowerBound)
      while isPresent, cursor.id <= range.upperBound {
        ids.append(cursor.id)
        isPresent = cursor.next()
      }
      return ids
    }
    var changed = rows.changedIDs[...]
    func takeChanged(through last: UInt64) {
      while let id = changed.first, id <= last {
        changed.removeFirst()
        if find(table, id: id) != nil { ids.append(id) }
      }
    }
    var leaves = rows.snapshot.leaves(
      table, from: range.lowerBound, through: range.upperBound)
    while leaves.next() {
      for index in leaves.leaf.start..<leaves.leaf.end {
        guard let id = leaves.leaf.plainRow(at: index)?.id ?? leaves.entry(at: index)?.id else {
          return ids
        }
        if let next = changed.first, next <= id {
          if id > 0 { takeChanged(through: id - 1) }
          if changed.first == id {
            takeChanged(through: id)
            continue
          }
        }
        ids.append(id)
      }
    }
    takeChanged(through: range.upperBound)
    return ids
  }
}

import VarveEncoding
import VarveStorage

/// A walk over the results of a query in one version.
///
/// Thread safety: none; each walk makes its own.
package final class ObjectWalk {
  private let context: ReadContext
  package let binding: ClassBinding
  private let snapshot: Snapshot?
  private var scan: Scan?
  private var ids: [UInt64] = []
  private var place = 0

  /// Boxes the cursor, which cannot be copied.
  private final class Scan {
    var cursor: ScanCursor
    init(_ cursor: consuming ScanCursor) { self.cursor = cursor }
  }

  package init(_ cell: ResultsCell) {
    context = cell.context.forked()
    binding = context.binding(for: cell.query.model)
    if context.transaction != nil {
      snapshot = nil
      ids = cell.objectIDs
      return
    }
    let snapshot = context.snapshot
    self.snapshot = snapshot
    if cell.query.isWholeTable {
      if let schema = binding.schema { scan = Scan(snapshot.scan(schema.table, from: 0)) }
    } else {
      ids = cell.objectIDs(pinned: snapshot)
    }
  }

  /// Ties a cell to the next object.
  ///
  /// - Returns: false at the end; the cell then stays empty.
  package func next(_ cell: borrowing RowCell) -> Bool {
    if let scan { return nextScanned(scan, cell) }
    guard place < ids.count else { return false }
    let id = ids[place]
    place += 1
    cell.tie(
      to: context.context(forObject: id, table: binding.table), binding: binding, id: id)
    return true
  }

  private func nextScanned(_ scan: Scan, _ cell: borrowing RowCell) -> Bool {
    guard scan.cursor.next(), let snapshot else { return false }
    if let row = binding.rowAddress(scan.cursor.value) {
      cell.tie(
        to: context, binding: binding, id: scan.cursor.id, row: row, serial: snapshot.serial)
    } else {
      cell.tie(to: context, binding: binding, id: scan.cursor.id)
    }
    return true
  }
}

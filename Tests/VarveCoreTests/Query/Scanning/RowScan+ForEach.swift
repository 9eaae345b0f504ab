import VarveEncoding
import VarveStorage

@testable import VarveCore

extension RowScan {
  /// Calls a closure with each matching row and the id of its object, until the closure returns
  /// false.
  ///
  /// The closure is called on the current thread only.
  func forEach(_ body: (RowReader, UInt64) throws(Failure) -> Bool) throws(Failure) {
    // Safe because the sink is released when the scan ends.
    try withoutActuallyEscaping(body) { (body) throws(Failure) in
      _ = try run(ClosureSink(body: body), isShared: false)
    }
  }
}

/// Passes each row to a closure.
private struct ClosureSink: RowSink {
  let body: (RowReader, UInt64) throws(Failure) -> Bool

  mutating func take(
    _ rows: SelectedRows, of layout: RowLayout, _ reader: any TableReader
  ) throws(Failure) -> Bool {
    for index in 0..<rows.count {
      let row = try RowReader(checked: rows.row(index), layout: layout)
      if try !body(row, rows.id(index)) { return false }
    }
    return true
  }

  mutating func take(
    _ row: RowReader, id: UInt64, _ reader: any TableReader
  ) throws(Failure) -> Bool {
    try body(row, id)
  }
}

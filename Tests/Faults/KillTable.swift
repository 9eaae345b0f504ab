import CTestFaults
import Glibc

/// The words of the processes of a kill run; see `CTestKillTable.h`.
final class KillTable {
  let path: String
  // Safe because the table stays mapped as long as this object lives, and its words are accessed
  // atomically.
  private let table: UnsafeMutableRawPointer
  /// The rows in use.
  private(set) var rowCount = 0

  init(path: String) {
    self.path = path
    guard let table = kill_table_map(path) else { preconditionFailure("\(path) is not mapped.") }
    self.table = table
  }

  deinit { kill_table_unmap(table) }

  /// A row for a new process.
  func newRow() -> Int {
    precondition(rowCount < Int(kill_row_count), "The table is full.")
    rowCount += 1
    return rowCount - 1
  }

  subscript(row: Int, word: kill_word) -> Int {
    get { kill_load(table, row, word) }
    set { kill_store(table, row, word, newValue) }
  }

  func sum(_ word: kill_word) -> Int { (0..<rowCount).reduce(0) { $0 + self[$1, word] } }
  func maximum(_ word: kill_word) -> Int { (0..<rowCount).map { self[$0, word] }.max() ?? 0 }
}

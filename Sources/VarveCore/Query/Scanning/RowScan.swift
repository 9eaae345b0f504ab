import Foundation
package import VarveEncoding
package import VarveStorage

/// A scan of the rows of a class that pass a filter, in id order.
///
/// A scan reads pages directly. It divides a large table into parts that several threads share; the
/// result does not depend on the number of threads. In a write transaction, it reads the pages of
/// the previous version, and the changed rows through LMDB. If the transaction has changed most
/// rows, the scan reads row by row with a cursor. A malformed page is recorded in the environment
/// and ends the scan, as it ends the scan of a cursor.
///
/// Thread safety: not thread-safe, like its reader.
package struct RowScan {
  let reader: any TableReader
  let schema: ClassSchema
  let test: RowTest?
  let ids: ClosedRange<UInt64>
  let maxThreads: Int

  /// The number of rows below which a table is scanned on the caller's thread, because waking other
  /// threads would take longer.
  package static let leastSharedRows = 32_768
  /// The number of parts of a large table, independent of the number of threads.
  package static let partCount = 16
  /// The number of changed rows above which one thread scans, because each change splits a part in
  /// two.
  static let mostSharedChanges = 512
  /// The default number of threads of a scan.
  package static let defaultThreads = min(partCount, ProcessInfo.processInfo.activeProcessorCount)

  /// - Parameters:
  ///   - reader: A snapshot, or the reader of the running write transaction of this thread.
  ///   - schema: The class, as `reader` contains it.
  ///   - test: A filter created with `schema`, or nil to accept all rows.
  ///   - ids: The range of ids to scan.
  ///   - maxThreads: The maximum number of threads, including the caller's thread.
  package init(
    _ reader: any TableReader, _ schema: ClassSchema, test: RowTest? = nil,
    ids: ClosedRange<UInt64> = 0...UInt64.max, maxThreads: Int = RowScan.defaultThreads
  ) {
    self.reader = reader
    self.schema = schema
    self.test = test
    self.ids = ids
    self.maxThreads = test?.isShareable ?? true ? maxThreads : 1
  }

  /// The number of matching rows.
  ///
  /// - Throws: `.corrupted` if a row is damaged.
  /// - Complexity: O(rows), or O(1) without a filter and a range of ids.
  package func count() throws(Failure) -> Int {
    if test == nil, ids == 0...UInt64.max { return reader.count(schema.table) }
    let parts = try run(CountSink())
    return parts.reduce(0) { $0 + $1.count }
  }

  /// The ids of the objects whose rows match, ascending.
  ///
  /// - Parameter limit: The maximum number of ids. A limited scan uses one thread.
  /// - Throws: `.corrupted` if a row is damaged.
  /// - Complexity: O(rows).
  package func ids(limit: Int = .max) throws(Failure) -> [UInt64] {
    guard limit > 0 else { return [] }
    let parts = try run(IDSink(limit: limit), isShared: limit == .max)
    if parts.count == 1 { return parts[0].ids }
    var ids: [UInt64] = []
    ids.reserveCapacity(parts.reduce(0) { $0 + $1.ids.count })
    for part in parts { ids += part.ids }
    return ids
  }
}

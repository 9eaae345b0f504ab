import Foundation
package import VarveEncoding
package import VarveStorage

/// A scan of the rows of a class that pass a filter, in the order of their ids.
///
/// It reads the pages, and a large table in parts, which several threads share: what it answers does not depend on their
/// number. In a write it reads the pages of the version before, and the rows that the transaction has changed through
/// LMDB. A write that has changed most rows is scanned from row to row with a cursor. A page that is not what it must be is
/// noted in the environment and ends the scan, as it does that of a cursor.
///
/// Thread safety: one thread at a time, as the reader.
package struct RowScan {
  let reader: any TableReader
  let schema: ClassSchema
  let test: RowTest?
  let ids: ClosedRange<UInt64>
  let maxThreads: Int

  /// Tables with fewer rows are scanned on the caller's thread: others would take longer to wake up.
  package static let leastSharedRows = 32_768
  /// The number of parts of a large table. It is the same whatever the number of threads.
  package static let partCount = 16
  /// Where a transaction has changed more rows than this, one thread scans: each of them cuts a part in two.
  static let mostSharedChanges = 512
  /// The threads that a scan takes if nobody says otherwise.
  package static let defaultThreads = min(partCount, ProcessInfo.processInfo.activeProcessorCount)

  /// - Parameters:
  ///   - reader: a snapshot, or what the running transaction of this thread reads.
  ///   - schema: the class, as `reader` has it.
  ///   - test: a filter made with `schema`; nil lets all rows pass.
  ///   - ids: the objects that are looked at.
  ///   - maxThreads: how many threads may read, this one included.
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

  /// How many rows pass.
  ///
  /// - Throws: `.corrupted` when a row is damaged.
  /// - Complexity: O(rows); O(1) without anything that a row could fail.
  package func count() throws(Failure) -> Int {
    if test == nil, ids == 0...UInt64.max { return reader.count(schema.table) }
    let parts = try run(CountSink())
    return parts.reduce(0) { $0 + $1.count }
  }

  /// The ids of the objects whose rows pass, ascending.
  ///
  /// - Parameter limit: ends the scan after so many; one thread scans then.
  /// - Returns: the ids.
  /// - Throws: `.corrupted` when a row is damaged.
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

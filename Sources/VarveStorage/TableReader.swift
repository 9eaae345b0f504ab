/// A source of entries: a snapshot, or a write transaction. For code that is not hot.
package protocol TableReader: AnyObject, Sendable {
  /// Returns the value of an entry of a table with integer keys.
  func find(_ table: Table, id: UInt64) -> UnsafeRawBufferPointer?

  /// Returns the value of an entry of a table with byte keys.
  func find(_ table: Table, key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer?

  /// Returns the number of entries.
  func count(_ table: Table) -> Int

  /// Returns the number of entries in a range.
  func countRange(_ table: Table, _ range: KeyRange) -> Int

  /// Estimates `countRange` at a cost that does not grow with the range.
  func estimateRange(_ table: Table, _ range: KeyRange) -> Int

  /// Returns the changes in a range of a table with byte keys, for a walk that reads the other
  /// entries over pages.
  ///
  /// - Returns: nil for a snapshot, and in a write with many changes, where ``cursor(_:)`` reads
  ///   all entries.
  func changedEntries(
    _ table: Table, lower: [UInt8]?, upper: [UInt8]?, isForward: Bool
  ) -> ChangedEntries?

  /// Returns a cursor that is on no entry yet.
  func cursor(_ table: Table) -> EntryCursor

  /// Returns the rows with the given ids in a table with integer keys that can be read in pages.
  ///
  /// - Returns: nil in a write with many changes, where ``cursor(_:)`` reads all entries.
  func pagedRows(_ table: Table, ids: ClosedRange<UInt64>) -> PagedRows?
}

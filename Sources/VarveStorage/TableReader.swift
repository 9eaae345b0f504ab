/// What can be read from: a snapshot, or a write transaction. For code that is not hot.
package protocol TableReader: AnyObject, Sendable {
  /// The value of an entry of a table with integer keys.
  func find(_ table: Table, id: UInt64) -> UnsafeRawBufferPointer?

  /// The value of an entry of a table with byte keys.
  func find(_ table: Table, key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer?

  /// The number of entries.
  func count(_ table: Table) -> Int

  /// The number of entries in a range.
  func countRange(_ table: Table, _ range: KeyRange) -> Int

  /// About as many entries as `countRange` would count, at a cost that does not grow with the range.
  func estimateRange(_ table: Table, _ range: KeyRange) -> Int

  /// What has been changed in a range of a table with byte keys, for a walk that reads the other entries over pages.
  ///
  /// - Returns: nil for a snapshot, and in a write that has changed much, where ``cursor(_:)`` reads all entries.
  func changedEntries(
    _ table: Table, lower: [UInt8]?, upper: [UInt8]?, isForward: Bool
  ) -> ChangedEntries?

  /// A cursor that is not yet on any entry.
  func cursor(_ table: Table) -> EntryCursor

  /// Where the rows of a table with integer keys lie that have some ids.
  ///
  /// - Returns: nil in a write that has changed much, where ``cursor(_:)`` reads all entries.
  func pagedRows(_ table: Table, ids: ClosedRange<UInt64>) -> PagedRows?
}

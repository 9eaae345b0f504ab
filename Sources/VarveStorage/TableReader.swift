/// What can be read from: a snapshot, or a write transaction. For code that is not hot.
package protocol TableReader: AnyObject, Sendable {
  /// The value of an entry of a table with integer keys.
  func find(_ table: Table, id: UInt64) -> UnsafeRawBufferPointer?

  /// The value of an entry of a table with byte keys.
  func find(_ table: Table, key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer?

  /// The number of entries.
  func count(_ table: Table) -> Int

  /// A cursor that is not yet on any entry.
  func cursor(_ table: Table) -> EntryCursor

  /// A scan of a table with integer keys, from an id on.
  func scan(_ table: Table, from id: UInt64) -> ScanCursor
}

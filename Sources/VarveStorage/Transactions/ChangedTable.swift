/// The state of a table that a transaction changes.
struct ChangedTable {
  /// 0 for a table without changes.
  var handle: EngineTable = 0
  /// LMDB's cursor at the end of the table, if entries were appended. Any other change of the table
  /// closes it.
  var appendCursor: OpaquePointer?
  /// The changed keys of a table that is read in ranges; nil for others.
  var keys: ChangedKeys?
}

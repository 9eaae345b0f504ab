/// A table that a transaction changes.
struct ChangedTable {
  /// 0 for a table that is not changed.
  var handle: EngineTable = 0
  /// LMDB's cursor on the end of the table, if entries were appended. Any other change of the table closes it.
  var appendCursor: OpaquePointer?
  /// The keys that were changed, of a table that is read in ranges; nil for others.
  var keys: ChangedKeys?
}

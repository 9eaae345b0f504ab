import VarveStorage

extension Snapshot {
  /// Returns the result of `changes(to:in:_:)`, with this module's error type.
  func differences(
    to new: Snapshot, in table: Table, _ range: KeyRange = .all
  ) throws(Failure) -> TableDiff {
    try Failure.translating(try changes(to: new, in: table, range))
  }
}

extension TableDiff {
  /// Returns the result of `next()`, with this module's error type.
  mutating func nextEntry() throws(Failure) -> EntryChange? {
    try Failure.translating(try next())
  }
}

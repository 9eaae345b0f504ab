import VarveStorage

extension Snapshot {
  /// As `changes(to:in:_:)`, with the failures of this module.
  func differences(
    to new: Snapshot, in table: Table, _ range: KeyRange = .all
  ) throws(Failure) -> TableDiff {
    try Failure.translating(try changes(to: new, in: table, range))
  }
}

extension TableDiff {
  /// As `next()`, with the failures of this module.
  mutating func nextEntry() throws(Failure) -> EntryChange? {
    try Failure.translating(try next())
  }
}

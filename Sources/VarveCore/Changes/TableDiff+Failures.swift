import VarveStorage

extension Snapshot {
  /// As `changes(to:in:_:)`, with the failures of this module.
  func differences(
    to new: Snapshot, in table: Table, _ range: KeyRange = .all
  ) throws(Failure) -> TableDiff {
    do throws(StorageError) {
      return try changes(to: new, in: table, range)
    } catch {
      throw Failure(error)
    }
  }
}

extension TableDiff {
  /// As `next()`, with the failures of this module.
  mutating func nextEntry() throws(Failure) -> EntryChange? {
    do throws(StorageError) {
      return try next()
    } catch {
      throw Failure(error)
    }
  }
}

extension Snapshot {
  /// What leads from this version of a table to another one.
  ///
  /// - Parameters:
  ///   - new: The other version, which may be the earlier one.
  ///   - table: Which table.
  ///   - range: Which of its entries.
  /// - Returns: The changes in the order of their keys.
  /// - Throws: `corrupted` when a table cannot be found because of a damaged page.
  /// - Complexity: O(1) here; for the walk see `TableDiff.next()`.
  /// - Precondition: Both versions are of one environment: elsewhere a page number means another page.
  ///   `range` suits the keys of the table.
  package func changes(
    to new: Snapshot, in table: Table, _ range: KeyRange = .all
  ) throws(StorageError) -> TableDiff {
    precondition(environment === new.environment, "The versions are not of one environment.")
    return try TableDiff(self, new, table, range)
  }

  /// The tables in which another version may differ from this one, in the order of their names.
  ///
  /// A table that is not among them is the same in both. One that is may be the same too: it was written to,
  /// and nothing came of it.
  ///
  /// - Throws: `corrupted` when a page is not what it must be.
  /// - Complexity: As `changes(to:in:_:)` of the unnamed table.
  package func changedTables(to new: Snapshot) throws(StorageError) -> [Table] {
    var tables: [Table] = []
    var changes = try changes(to: new, in: .main)
    while let change = try changes.next() {
      if let table = Table(name: change.key) { tables.append(table) }
    }
    return tables
  }

  /// Whether a table may be another one in another version. No, when nothing was written to it.
  ///
  /// - Complexity: O(1) once the table has been looked up in both versions.
  package func mayDiffer(from other: Snapshot, in table: Table) -> Bool {
    if self === other { return false }
    if table == .main { return true }
    if let left = tree(table), let right = other.tree(table) {
      return left.u64(PageLayout.recordRoot) != right.u64(PageLayout.recordRoot)
    }
    return contains(table) != other.contains(table) || environment.damageError != nil
  }

  /// Where the tree of a table starts.
  ///
  /// - Throws: `corrupted` when the way to it is damaged. `tree(_:)` says then that there is no table.
  func treeRoot(_ table: Table) throws(StorageError) -> TreeRoot {
    guard let record = tree(table) else {
      guard environment.damageError != nil else { return TreeRoot() }
      let main = TreeWords.mainRecord(trees)
      switch table.withName({ pages.find(main, key: $0) }) {
      case .missing: return TreeRoot()
      case .damaged(let page): throw damagedTree(page)
      case .found(let node): throw damagedTree(UInt64(node - pages.base) >> pages.shift)
      }
    }
    // Read once and checked here, for the walk relies on it.
    let root = TreeRoot(
      number: record.u64(PageLayout.recordRoot), depth: Int(record.u16(PageLayout.recordDepth)))
    if root.number == PageLayout.noPage { return TreeRoot() }
    guard (1...PageLayout.maximumDepth).contains(root.depth),
      record.u16(PageLayout.recordFlags) & ~PageLayout.integerKeyFlag == 0
    else { throw damagedTree(root.number) }
    return root
  }

  private func damagedTree(_ page: UInt64) -> StorageError {
    noteDamage(page: page)
    return StorageError(
      .corrupted, "The tree of a table cannot be found.", path: environment.path, page: page)
  }
}

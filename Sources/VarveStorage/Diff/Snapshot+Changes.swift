extension Snapshot {
  /// Returns the difference between this version of a table and another one.
  ///
  /// - Parameters:
  ///   - new: The other version, which may be the earlier one.
  ///   - range: The entries to compare.
  /// - Returns: The changes in key order.
  /// - Throws: `corrupted` when a table cannot be found because of a damaged page.
  /// - Complexity: O(1); for the walk see `TableDiff.next()`.
  /// - Precondition: Both versions belong to one environment: in another one a page number means
  ///   another page. `range` has the kind of keys of the table.
  package func changes(
    to new: Snapshot, in table: Table, _ range: KeyRange = .all
  ) throws(StorageError) -> TableDiff {
    precondition(environment === new.environment, "The versions are not of one environment.")
    return try TableDiff(self, new, table, range)
  }

  /// Returns the tables that may differ between this version and another one, ordered by name.
  ///
  /// A table that is not returned is equal in both versions. A returned table may be equal too: it
  /// was written to without a lasting change.
  ///
  /// - Throws: `corrupted` when a page is damaged.
  /// - Complexity: That of `changes(to:in:_:)` for the unnamed table.
  package func changedTables(to new: Snapshot) throws(StorageError) -> [Table] {
    var tables: [Table] = []
    var changes = try changes(to: new, in: .main)
    while let change = try changes.next() {
      if let table = Table(name: change.key) { tables.append(table) }
    }
    return tables
  }

  /// Whether a table may differ between two versions; false if it was not written to.
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

  /// Returns the root of a table's tree.
  ///
  /// - Throws: `corrupted` when the path to the table is damaged. `tree(_:)` reports a missing
  ///   table in that case.
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
    // Read once and checked here, because the walk relies on it.
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

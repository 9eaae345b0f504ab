extension WriteTransaction {
  /// Opens a table for changes. The handle is published in the process by the commit.
  ///
  /// - Parameter create: Whether to create the table if it does not exist.
  /// - Returns: Whether the table exists now.
  /// - Throws: `badTransaction` in a nested transaction (a handle opened there and rolled back
  ///   would give its number to another table), `tablesFull`, or the failure of the transaction.
  package func openTable(_ table: Table, create: Bool) throws(StorageError) -> Bool {
    try checkUsable()
    if handle(table) != nil { return true }
    guard outer.isEmpty else {
      throw StorageError(
        .badTransaction, "A table cannot be opened in a nested transaction.",
        path: environment.path)
    }
    var handle: EngineTable = 0
    var status = current.open(table, create: false, &handle)
    if status == Engine.notFound {
      guard create else { return false }
      status = current.open(table, create: true, &handle)
      if status == 0 { isChanged = true }
    }
    if status == Engine.tablesFull {
      throw StorageError.engine(status, path: environment.path, "There is no room for a table.")
    }
    guard status == 0 else { throw recordFailure(status) }
    let index = Int(table.index)
    if index >= handles.count {
      handles.append(contentsOf: repeatElement(0, count: index + 1 - handles.count))
    }
    handles[index] = handle
    opened.append((table, handle))
    return true
  }

  /// Returns the handle of a usable table, or nil.
  @inline(__always)
  func handle(_ table: Table) -> EngineTable? {
    let index = Int(table.index)
    guard index < handles.count else { return nil }
    let handle = handles[index]
    return handle == 0 ? nil : handle
  }

  /// Whether this transaction has changed a table, or was about to. An unchanged table reads as in
  /// `base`.
  @inline(__always)
  package func hasChanged(_ table: Table) -> Bool { changedHandle(table) != nil }

  /// Returns the handle of a table that this transaction has changed, or nil.
  @inline(__always)
  func changedHandle(_ table: Table) -> EngineTable? {
    let index = Int(table.index)
    guard index < changed.count else { return nil }
    let handle = changed[index].handle
    return handle == 0 ? nil : handle
  }

  /// Returns the handle of a table to be changed. An existing table is opened, if that is allowed.
  @inline(__always)
  func handleForWriting(_ table: Table) throws(StorageError) -> EngineTable {
    if let handle = changedHandle(table) { return handle }
    return try handleForFirstChange(table)
  }

  private func handleForFirstChange(_ table: Table) throws(StorageError) -> EngineTable {
    if handle(table) == nil, outer.isEmpty { _ = try openTable(table, create: false) }
    guard let handle = handle(table) else {
      throw StorageError(
        .tableNotOpen, "The table must be opened before it is changed.", path: environment.path)
    }
    let index = Int(table.index)
    changed.reserveCapacity(index + 1)
    while changed.count <= index { changed.append(ChangedTable()) }
    changed[index].handle = handle
    if table.isReadInRanges { changed[index].keys = ChangedKeys() }
    return handle
  }
}

extension WriteTransaction {
  /// Makes a table usable for changes. The handle becomes known to the process with the commit.
  ///
  /// - Parameters:
  ///   - table: Which one.
  ///   - create: Whether to make it when the store does not have it.
  /// - Returns: Whether the table exists now.
  /// - Throws: `badTransaction` in a nested transaction (a handle opened there and rolled back would give
  ///   its number to another table), `tablesFull`, or the failure of the transaction.
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

  /// The handle of a table that can be used, or nil.
  @inline(__always)
  func handle(_ table: Table) -> EngineTable? {
    let index = Int(table.index)
    guard index < handles.count else { return nil }
    let handle = handles[index]
    return handle == 0 ? nil : handle
  }

  /// Whether this transaction has changed a table, or was about to. One that it has not reads as in `base`.
  @inline(__always)
  package func hasChanged(_ table: Table) -> Bool { changedHandle(table) != nil }

  /// The handle of a table that this transaction has changed, or nil.
  @inline(__always)
  func changedHandle(_ table: Table) -> EngineTable? {
    let index = Int(table.index)
    guard index < changed.count else { return nil }
    let handle = changed[index].handle
    return handle == 0 ? nil : handle
  }

  /// The handle of a table that is to be changed. One that exists is opened, where that is allowed.
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
    if index >= changed.count {
      changed.append(
        contentsOf: repeatElement(ChangedTable(), count: index + 1 - changed.count))
    }
    changed[index].handle = handle
    if table.isReadInRanges { changed[index].keys = ChangedKeys() }
    return handle
  }
}

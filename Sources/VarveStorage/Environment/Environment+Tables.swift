/// Handles of tables. LMDB's rule (`mdb_dbi_open`): “This function must not be called from multiple
/// concurrent transactions in the same process.” So they are opened in write transactions, of which there
/// is one at a time; and, where snapshots are read through LMDB, in short read transactions that exclude
/// a write.
extension Environment {
  /// The handle of a table, if it is known to the whole process.
  func handle(of table: Table) -> EngineTable? {
    state.withLock { state in
      let index = Int(table.index)
      guard index < state.handles.count, state.handles[index] != 0 else { return nil }
      return state.handles[index]
    }
  }

  /// All handles known to the whole process, by index of the table.
  func allHandles() -> [EngineTable] {
    state.withLock { $0.handles }
  }

  /// Makes handles known after the commit of the transaction that opened them.
  func publish(_ handles: [(Table, EngineTable)]) {
    guard !handles.isEmpty else { return }
    state.withLock { state in
      for (table, handle) in handles { Self.publish(table, handle, &state) }
    }
  }

  private static func publish(_ table: Table, _ handle: EngineTable, _ state: inout State) {
    let index = Int(table.index)
    if index >= state.handles.count {
      state.handles.append(
        contentsOf: repeatElement(0, count: index + 1 - state.handles.count))
    }
    if state.handles[index] == 0, table != .main { state.handleCount += 1 }
    state.handles[index] = handle
  }

  /// Opens the handles of all tables of the newest version. Under `state`.
  ///
  /// While a write transaction of this process runs there is nothing to open: its begin has opened all
  /// tables, and no other process can make one before it ends.
  func openMissingTables(_ state: inout State) throws(StorageError) {
    guard !state.isWriting else { return }
    try checkUsable()
    var begun: EngineTransaction?
    let status = engine.begin(parent: nil, readOnly: true, &begun)
    if status == Engine.mapResized {
      // The caller meets the same and knows what to do.
      return
    }
    guard status == 0, let transaction = begun else {
      throw error(status, "A read transaction could not begin.")
    }
    let missing = try missingTables(transaction, state)
    guard !missing.isEmpty else {
      transaction.abort()
      return
    }
    var opened: [(Table, EngineTable)] = []
    for table in missing {
      var handle: EngineTable = 0
      let status = transaction.open(table, create: false, &handle)
      guard status == 0 else {
        transaction.abort()
        throw error(status, "A table could not be opened.")
      }
      opened.append((table, handle))
    }
    let committed = transaction.commit()
    guard committed == 0 else { throw error(committed, "The tables could not be opened.") }
    for (table, handle) in opened { Self.publish(table, handle, &state) }
  }

  private func missingTables(
    _ transaction: EngineTransaction, _ state: State
  ) throws(StorageError) -> [Table] {
    // The unnamed table holds the root record and one entry for each table, and tables are never dropped.
    var count = 0
    let status = transaction.entryCount(mainTable, &count)
    guard status == 0 else {
      transaction.abort()
      throw error(status, "The tables could not be counted.")
    }
    guard count - 1 > state.handleCount else { return [] }
    return tables(in: transaction).filter { table in
      let index = Int(table.index)
      return index >= state.handles.count || state.handles[index] == 0
    }
  }

  /// The tables that a transaction sees.
  func tables(in transaction: EngineTransaction) -> [Table] {
    var cursor: OpaquePointer?
    guard transaction.openCursor(mainTable, &cursor) == 0, let cursor else { return [] }
    defer { EngineCursorCalls.close(cursor) }
    var tables: [Table] = []
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    var key = none
    var value = none
    var status = EngineCursorCalls.move(cursor, .first, seeking: none, &key, &value)
    while status == 0 {
      if let table = Table(name: key) { tables.append(table) }
      status = EngineCursorCalls.move(cursor, .next, seeking: none, &key, &value)
    }
    return tables
  }
}

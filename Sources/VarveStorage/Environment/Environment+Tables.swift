import VarveLocks

/// Table handles.
///
/// LMDB's rule (`mdb_dbi_open`): “This function must not be called from multiple concurrent
/// transactions in the same process.” Handles are therefore opened together with the file, and in
/// write transactions, of which only one runs at a time.
extension Environment {
  /// Publishes handles after the commit of the transaction that opened them.
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
    state.handles[index] = handle
  }
}

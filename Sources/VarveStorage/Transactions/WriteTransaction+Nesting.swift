extension WriteTransaction {
  /// Begins a nested transaction, which can be rolled back alone. Cursors are invalidated.
  ///
  /// - Throws: The failure of the transaction.
  package func beginNested() throws(StorageError) {
    try checkUsable()
    invalidateCursors()
    var nested: EngineTransaction?
    let status = environment.engine.begin(parent: current, readOnly: false, &nested)
    guard status == 0, let nested else { throw recordFailure(status) }
    outer.append(current)
    current = nested
    savepoints.append(Savepoint(root: root, isRootChanged: isRootChanged, isChanged: isChanged))
  }

  /// Ends the innermost nested transaction and keeps its changes. Cursors are invalidated.
  ///
  /// - Throws: `badTransaction` when none is open, or the failure of the transaction.
  package func commitNested() throws(StorageError) {
    try checkUsable()
    try checkNested()
    invalidateCursors()
    savepoints.removeLast()
    let nested = current
    current = outer.removeLast()
    let status = nested.commit()
    guard status == 0 else { throw recordFailure(status) }
  }

  /// Rolls the innermost nested transaction back, including its changes of `root`. Cursors are
  /// invalidated. Allowed after a failure.
  ///
  /// - Throws: `badTransaction` when none is open.
  package func abortNested() throws(StorageError) {
    try checkNested()
    invalidateCursors()
    current.abort()
    current = outer.removeLast()
    let savepoint = savepoints.removeLast()
    root = savepoint.root
    isRootChanged = savepoint.isRootChanged
    isChanged = savepoint.isChanged
    for index in changed.indices { changed[index].keys?.forgetPresence() }
  }

  private func checkNested() throws(StorageError) {
    guard !isEnded, !outer.isEmpty else {
      throw StorageError(
        .badTransaction, "No nested transaction is open.", path: environment.path)
    }
  }
}

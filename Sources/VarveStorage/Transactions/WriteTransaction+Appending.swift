extension WriteTransaction {
  /// The maximum number of append cursors kept open.
  private static let maximumAppendCursors = 16

  /// Puts an entry with a new greatest key into a table with integer keys, usually as one of a run
  /// of new entries.
  ///
  /// A cursor is kept at the end of the table for the next call.
  ///
  /// - Throws: The errors of `put(_:id:_:append:)`.
  /// - Complexity: O(1); O(log n) at the beginning of a run, and for an id that is not the greatest
  ///   after all.
  package func append(
    _ table: Table, id: UInt64, _ value: UnsafeRawBufferPointer
  ) throws(StorageError) {
    if try withUnsafeBytes(
      of: id,
      { (key) throws(StorageError) in
        try appendIfLast(table, key, value)
      })
    {
      return noteKey(table, id: id, isPresent: true)
    }
    try put(table, id: id, value)
  }

  /// Puts an entry into a table with byte keys if its key is greater than all others. Pages filled
  /// this way stay full.
  ///
  /// A cursor is kept at the end of the table for the next call.
  ///
  /// - Returns: Whether the entry was put.
  /// - Throws: The errors of `put(_:key:_:append:)`.
  /// - Complexity: That of `append(_:id:_:)`.
  package func tryAppend(
    _ table: Table, key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) throws(StorageError) -> Bool {
    try check(key)
    let isAppended = try appendIfLast(table, key, value)
    if isAppended { noteKey(table, key, isPresent: true) }
    return isAppended
  }

  /// Puts an entry with the append cursor of a table, if its key is greater than all others.
  private func appendIfLast(
    _ table: Table, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) throws(StorageError) -> Bool {
    try checkUsable()
    let status = EngineCursorCalls.append(try appendCursor(table), key, value)
    if status == Engine.keyExists { return false }
    guard status == 0 else { throw recordFailure(status) }
    isChanged = true
    return true
  }

  @inline(__always)
  private func appendCursor(_ table: Table) throws(StorageError) -> OpaquePointer {
    let index = Int(table.index)
    if index < changed.count, let cursor = changed[index].appendCursor { return cursor }
    return try openAppendCursor(table)
  }

  private func openAppendCursor(_ table: Table) throws(StorageError) -> OpaquePointer {
    if appendCursorCount >= Self.maximumAppendCursors { closeAppendCursors() }
    var opened: OpaquePointer?
    let handle = try handleForWriting(table)
    try checkEnd(table, isFirst: false)
    let status = current.openCursor(handle, &opened)
    guard status == 0, let opened else { throw recordFailure(status) }
    changed[Int(table.index)].appendCursor = opened
    appendCursorCount += 1
    return opened
  }

  /// Closes the append cursor of a table that is changed in another way than by appending. The
  /// cursor assumes that it is at the end, and would not notice the change.
  @inline(__always)
  func closeAppendCursor(_ table: Table) {
    let index = Int(table.index)
    if index < changed.count, let cursor = changed[index].appendCursor { close(cursor, index) }
  }

  /// Closes the append cursors of all tables.
  func closeAppendCursors() {
    guard appendCursorCount > 0 else { return }
    for index in changed.indices {
      if let cursor = changed[index].appendCursor { close(cursor, index) }
    }
  }

  private func close(_ cursor: OpaquePointer, _ index: Int) {
    EngineCursorCalls.close(cursor)
    changed[index].appendCursor = nil
    appendCursorCount -= 1
  }
}

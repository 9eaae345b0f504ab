extension WriteTransaction {
  /// More cursors than this are not kept open.
  private static let maximumAppendCursors = 16

  /// Puts an entry with a new greatest key into a table with integer keys, as most of a run of new ones.
  ///
  /// A cursor is kept on the end of the table for the next call.
  /// - Throws: As `put(_:id:_:append:)`.
  /// - Complexity: O(1); O(log n) at the begin of a run, and for an id that is not the greatest after all.
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

  /// Puts an entry into a table with byte keys, if its key is greater than all others. Pages that are filled so stay full.
  ///
  /// A cursor is kept on the end of the table for the next call.
  /// - Returns: Whether the entry was put.
  /// - Throws: As `put(_:key:_:append:)`.
  /// - Complexity: As `append(_:id:_:)`.
  package func tryAppend(
    _ table: Table, key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) throws(StorageError) -> Bool {
    try check(key)
    let isAppended = try appendIfLast(table, key, value)
    if isAppended { noteKey(table, key, isPresent: true) }
    return isAppended
  }

  /// Puts an entry by the cursor on the end of a table, if its key is greater than all others.
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
    let status = current.openCursor(try handleForWriting(table), &opened)
    guard status == 0, let opened else { throw recordFailure(status) }
    changed[Int(table.index)].appendCursor = opened
    appendCursorCount += 1
    return opened
  }

  /// Closes the cursor on the end of a table that is changed in another way than by appending: it takes itself to be
  /// at the end, and would not see that.
  @inline(__always)
  func closeAppendCursor(_ table: Table) {
    let index = Int(table.index)
    if index < changed.count, let cursor = changed[index].appendCursor { close(cursor, index) }
  }

  /// Closes the cursors on the ends of all tables.
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

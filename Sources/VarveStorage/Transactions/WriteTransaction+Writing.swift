extension WriteTransaction {
  /// Puts an entry into a table with integer keys, and replaces an existing one.
  ///
  /// - Parameters:
  ///   - value: The bytes, copied at once.
  ///   - append: Whether the id is expected to be greater than all others; only a hint.
  /// - Throws: `tableNotOpen`, or the failure of the transaction.
  /// - Complexity: O(log n); O(1) for an append.
  package func put(
    _ table: Table, id: UInt64, _ value: UnsafeRawBufferPointer, append: Bool = false
  ) throws(StorageError) {
    if append { return try self.append(table, id: id, value) }
    try checkUsable()
    let handle = try handleForChanging(table)
    let status = try withUnsafeBytes(of: id) { (key) throws(StorageError) in
      try checkPath(table, key, .put(value.count))
      return put(handle, key, value)
    }
    guard status == 0 else { throw recordFailure(status) }
    noteKey(table, id: id, isPresent: true)
  }

  /// Puts an entry into a table with byte keys, and replaces an existing one.
  ///
  /// - Throws: `keyTooLong` (the transaction stays usable), `tableNotOpen`, or the failure of the
  ///   transaction.
  /// - Complexity: O(log n) comparisons; O(1) for an append.
  package func put(
    _ table: Table, key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer,
    append: Bool = false
  ) throws(StorageError) {
    // With the append cursor; a key that is not the greatest after all is put like any other.
    if append, try tryAppend(table, key: key, value) { return }
    try checkUsable()
    try check(key)
    let handle = try handleForChanging(table)
    try checkPath(table, key, .put(value.count))
    let status = put(handle, key, value)
    guard status == 0 else { throw recordFailure(status) }
    noteKey(table, key, isPresent: true)
  }

  /// Puts an entry into a table with byte keys, unless the key exists.
  ///
  /// - Returns: Whether the entry was put.
  /// - Throws: The errors of `put(_:key:_:append:)`.
  package func insert(
    _ table: Table, key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) throws(StorageError) -> Bool {
    try checkUsable()
    try check(key)
    let handle = try handleForChanging(table)
    try checkPath(table, key, .read)
    let status = current.put(handle, key, value, noOverwrite: true)
    if status == Engine.keyExists { return false }
    guard status == 0 else { throw recordFailure(status) }
    isChanged = true
    noteKey(table, key, isPresent: true)
    return true
  }

  /// Deletes the entry of an integer key.
  ///
  /// - Returns: Whether it existed.
  /// - Throws: The failure of the transaction.
  @discardableResult
  package func delete(_ table: Table, id: UInt64) throws(StorageError) -> Bool {
    try checkUsable()
    guard let handle = try handleForDeleting(table) else { return false }
    let status = try withUnsafeBytes(of: id) { (key) throws(StorageError) in
      try checkPath(table, key, .delete)
      return current.delete(handle, key)
    }
    let isDeleted = try deleted(status)
    if isDeleted { noteKey(table, id: id, isPresent: false) }
    return isDeleted
  }

  /// Deletes the entry of a byte key.
  ///
  /// - Returns: Whether it existed.
  /// - Throws: The failure of the transaction.
  @discardableResult
  package func delete(
    _ table: Table, key: UnsafeRawBufferPointer
  ) throws(StorageError) -> Bool {
    try checkUsable()
    guard !key.isEmpty, key.count <= environment.maximumKeySize,
      let handle = try handleForDeleting(table)
    else { return false }
    try checkPath(table, key, .delete)
    let isDeleted = try deleted(current.delete(handle, key))
    if isDeleted { noteKey(table, key, isPresent: false) }
    return isDeleted
  }

  /// A table that does not exist contains nothing to delete.
  private func handleForDeleting(_ table: Table) throws(StorageError) -> EngineTable? {
    if handle(table) == nil, !base.contains(table) { return nil }
    return try handleForChanging(table)
  }

  /// Returns the handle of a table that is changed in another way than by ``append(_:id:_:)``.
  @inline(__always)
  private func handleForChanging(_ table: Table) throws(StorageError) -> EngineTable {
    closeAppendCursor(table)
    return try handleForWriting(table)
  }

  @inline(__always)
  private func put(
    _ handle: EngineTable, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) -> Engine.Status {
    isChanged = true
    return current.put(handle, key, value)
  }

  private func deleted(_ status: Engine.Status) throws(StorageError) -> Bool {
    if status == Engine.notFound { return false }
    guard status == 0 else { throw recordFailure(status) }
    isChanged = true
    return true
  }

  func check(_ key: UnsafeRawBufferPointer) throws(StorageError) {
    guard !key.isEmpty, key.count <= environment.maximumKeySize else {
      throw StorageError(
        .keyTooLong, "A key is empty or too long for a table.", path: environment.path)
    }
  }
}

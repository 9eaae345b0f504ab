extension WriteTransaction {
  /// The value of an entry of a table with integer keys.
  ///
  /// - Returns: Bytes valid until the next change in this transaction; nil when there is no such entry.
  ///   After a failure, what the entry was before the transaction.
  /// - Complexity: O(log n).
  package func find(_ table: Table, id: UInt64) -> UnsafeRawBufferPointer? {
    guard let handle = readHandle(table) else { return base.find(table, id: id) }
    return withUnsafeBytes(of: id) { find(handle, $0) } ?? failedFind(table, id)
  }

  /// The value of an entry of a table with byte keys.
  ///
  /// - Returns: As `find(_:id:)`.
  /// - Complexity: O(log n) comparisons.
  package func find(_ table: Table, key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard let handle = readHandle(table) else { return base.find(table, key: key) }
    guard !key.isEmpty, key.count <= environment.maximumKeySize else { return nil }
    if let value = find(handle, key) { return value }
    return !hasFailed ? nil : base.find(table, key: key)
  }

  /// The number of entries.
  ///
  /// - Complexity: O(1).
  package func count(_ table: Table) -> Int {
    guard let handle = readHandle(table) else { return base.count(table) }
    var count = 0
    let status = current.entryCount(handle, &count)
    guard status == 0 else {
      recordFailure(status)
      return base.count(table)
    }
    return count
  }

  /// The number of entries in a range of a table with byte keys.
  ///
  /// - Returns: As of a snapshot.
  /// - Complexity: As of a snapshot for a table that this transaction has not changed; else one
  ///   step for each entry.
  package func countRange(
    _ table: Table, lower: UnsafeRawBufferPointer?, upper: UnsafeRawBufferPointer?
  ) -> Int {
    readHandle(table) == nil
      ? base.countRange(table, lower: lower, upper: upper)
      : countStepping(table, lower: lower, upper: upper)
  }

  /// As `countRange(_:lower:upper:)`, for a table with integer keys.
  package func countRange(_ table: Table, lower: UInt64, upper: UInt64?) -> Int {
    readHandle(table) == nil
      ? base.countRange(table, lower: lower, upper: upper)
      : countStepping(table, lower: lower, upper: upper)
  }

  /// About as many entries as `countRange` would count.
  ///
  /// - Complexity: O(depth) pages, or a few hundred entries.
  package func estimateRange(
    _ table: Table, lower: UnsafeRawBufferPointer?, upper: UnsafeRawBufferPointer?
  ) -> Int {
    readHandle(table) == nil
      ? base.estimateRange(table, lower: lower, upper: upper)
      : estimateStepping(table, lower: lower, upper: upper)
  }

  /// As `estimateRange(_:lower:upper:)`, for a table with integer keys.
  package func estimateRange(_ table: Table, lower: UInt64, upper: UInt64?) -> Int {
    readHandle(table) == nil
      ? base.estimateRange(table, lower: lower, upper: upper)
      : estimateStepping(table, lower: lower, upper: upper)
  }

  /// A cursor that is not yet on any entry. It sees later changes of this transaction, and is dead once
  /// the transaction ends or a nested one begins or ends.
  package func cursor(_ table: Table) -> EntryCursor {
    // Also that of a table which has not been changed: it may yet be.
    guard isReadable, let handle = handle(table) else { return base.cursor(table) }
    var raw: OpaquePointer?
    let status = current.openCursor(handle, &raw)
    guard status == 0, let raw else {
      recordFailure(status)
      return base.cursor(table)
    }
    let cursor = EngineCursor(raw, transaction: self)
    cursors.append(.passUnretained(cursor))
    return EntryCursor(engine: cursor, base: base)
  }

  /// A scan of the rows of a table with integer keys, from an id on. As `cursor(_:)`.
  package func scan(_ table: Table, from id: UInt64 = 0) -> ScanCursor {
    ScanCursor(cursor(table), from: id)
  }

  /// The handle to read through. A table without one has not been changed in this transaction, so the
  /// version before it is right, and is read without the engine; and after a failure, and in a fork, that version
  /// is what is left.
  @inline(__always)
  private func readHandle(_ table: Table) -> EngineTable? {
    isReadable ? changedHandle(table) : nil
  }

  private var isReadable: Bool { !hasFailed && !isEnded && !ProcessFork.isChild }

  private func find(
    _ handle: EngineTable, _ key: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer? {
    var value = UnsafeRawBufferPointer(start: nil, count: 0)
    let status = current.get(handle, key, &value)
    if status == 0 { return value }
    if status != Engine.notFound { recordFailure(status) }
    return nil
  }

  private func failedFind(_ table: Table, _ id: UInt64) -> UnsafeRawBufferPointer? {
    !hasFailed ? nil : base.find(table, id: id)
  }
}

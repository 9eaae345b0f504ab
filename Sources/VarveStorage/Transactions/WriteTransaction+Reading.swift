extension WriteTransaction {
  /// Returns the value of an entry of a table with integer keys.
  ///
  /// - Returns: Bytes valid until the next change in this transaction; nil when there is no such
  ///   entry. After a failure, the value before the transaction.
  /// - Complexity: O(log n).
  package func find(_ table: Table, id: UInt64) -> UnsafeRawBufferPointer? {
    guard let handle = readHandle(table), mayHaveChanged(table, id: id) else {
      return base.find(table, id: id)
    }
    return withUnsafeBytes(of: id) { find(table, handle, $0) } ?? failedFind(table, id)
  }

  /// Returns the value of an entry of a table with byte keys.
  ///
  /// - Returns: Bytes valid until the next change, or nil. See `find(_:id:)`.
  /// - Complexity: O(log n) comparisons.
  package func find(_ table: Table, key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard let handle = readHandle(table) else { return base.find(table, key: key) }
    guard !key.isEmpty, key.count <= environment.maximumKeySize else { return nil }
    if let value = find(table, handle, key) { return value }
    return !hasFailed ? nil : base.find(table, key: key)
  }

  /// Returns the number of entries.
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

  /// Returns the number of entries in a range.
  ///
  /// - Complexity: That of a snapshot, and two lookups for each key of the range that this
  ///   transaction has changed; one move for each entry if most are changed, or if the table has
  ///   more changed keys than are recorded.
  package func countRange(_ table: Table, _ range: KeyRange) -> Int {
    guard readHandle(table) != nil else { return base.countRange(table, range) }
    let difference = countDifference(table, range) { base.estimateRange(table, range) }
    guard let difference else { return countStepping(table, range) }
    return max(0, base.countRange(table, range) + difference)
  }

  /// Estimates `countRange`.
  ///
  /// - Complexity: O(depth) pages, and O(changed keys of the range); or a few hundred entries.
  package func estimateRange(_ table: Table, _ range: KeyRange) -> Int {
    let size = base.estimateRange(table, range)
    guard readHandle(table) != nil else { return size }
    let difference = countDifference(table, range) { size }
    guard let difference else { return estimateStepping(table, range) }
    let estimate = size + difference
    // Only an empty range has an estimate of 0.
    return estimate > 0 ? estimate : countRange(table, range)
  }

  package func changedEntries(
    _ table: Table, lower: [UInt8]?, upper: [UInt8]?, isForward: Bool
  ) -> ChangedEntries? {
    guard !ProcessFork.isChild else { return nil }
    guard let handle = readHandle(table) else {
      return ChangedEntries(
        nil, base: base, cursor: nil, lower: lower, upper: upper, isForward: isForward)
    }
    let changes = (lower ?? []).withUnsafeBytes { first in
      withBytes(of: upper) { end in
        let range = KeyRange.keys(from: first, below: end)
        return self.changes(table, range) { base.estimateRange(table, range) }
      }
    }
    guard let changes else { return nil }
    var cursor: EngineCursor?
    if !changes.indices.isEmpty {
      guard let opened = engineCursor(table, handle) else { return nil }
      cursor = opened
    }
    return ChangedEntries(
      changes, base: base, cursor: cursor, lower: lower, upper: upper, isForward: isForward)
  }

  private func withBytes<R>(
    of bound: [UInt8]?, _ body: (UnsafeRawBufferPointer?) -> R
  ) -> R {
    bound.map { $0.withUnsafeBytes { body($0) } } ?? body(nil)
  }

  /// Returns a cursor that is on no entry yet.
  ///
  /// In a table that this transaction has changed, the cursor sees later changes too, and is
  /// invalidated when the transaction ends or a nested one begins or ends. In an unchanged table,
  /// it reads the version before, regardless of later changes.
  package func cursor(_ table: Table) -> EntryCursor {
    guard let handle = readHandle(table), let cursor = engineCursor(table, handle) else {
      return base.cursor(table)
    }
    return EntryCursor(engine: cursor, base: base)
  }

  private func engineCursor(_ table: Table, _ handle: EngineTable) -> EngineCursor? {
    var raw: OpaquePointer?
    let status = current.openCursor(handle, &raw)
    guard status == 0, let raw else {
      recordFailure(status)
      return nil
    }
    let cursor = EngineCursor(raw, table, transaction: self)
    cursors.append(.passUnretained(cursor))
    return cursor
  }

  /// Returns the handle to read through. A table without one has not been changed in this
  /// transaction, so the version before it is current and is read without the engine. After a
  /// failure, and in a fork, only that version is left.
  @inline(__always)
  func readHandle(_ table: Table) -> EngineTable? {
    isReadable ? changedHandle(table) : nil
  }

  private var isReadable: Bool { !hasFailed && !isEnded && !ProcessFork.isChild }

  private func find(
    _ table: Table, _ handle: EngineTable, _ key: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer? {
    // The transaction has recorded the failure.
    guard (try? checkPath(table, key, .read)) != nil else { return nil }
    var value = UnsafeRawBufferPointer(start: nil, count: 0)
    var status = current.get(handle, key, &value)
    if status == 0, room?.contains(value, keyCount: key.count) == false {
      status = Engine.corrupted
    }
    if status == 0 { return value }
    if status != Engine.notFound { recordFailure(status) }
    return nil
  }

  func isPresent(
    _ table: Table, _ handle: EngineTable, _ key: UnsafeRawBufferPointer
  ) -> Bool {
    find(table, handle, key) != nil
  }

  private func failedFind(_ table: Table, _ id: UInt64) -> UnsafeRawBufferPointer? {
    !hasFailed ? nil : base.find(table, id: id)
  }
}

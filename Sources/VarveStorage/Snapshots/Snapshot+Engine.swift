/// Reads through LMDB, where the pages are not read.
///
/// lmdb.h, “Caveats”: “A thread can only use one transaction at a time” and a transaction serves one
/// thread at a time; so each call is made under the snapshot's lock.
extension Snapshot {
  @usableFromInline @inline(never)
  func findThroughEngine(_ table: Table, id: UInt64) -> UnsafeRawBufferPointer? {
    withUnsafeBytes(of: id) { findThroughEngine(table, key: $0) }
  }

  @usableFromInline @inline(never)
  func findThroughEngine(
    _ table: Table, key: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer? {
    guard let handle = environment.handle(of: table) else { return nil }
    return engineLock.withLock { () -> UnsafeRawBufferPointer? in
      var value = UnsafeRawBufferPointer(start: nil, count: 0)
      let status = transaction.get(handle, key, &value)
      note(status)
      return status == 0 ? value : nil
    }
  }

  @usableFromInline @inline(never)
  func countThroughEngine(_ table: Table) -> Int {
    guard let handle = environment.handle(of: table) else { return 0 }
    return engineLock.withLock { () -> Int in
      var count = 0
      note(transaction.entryCount(handle, &count))
      return count
    }
  }

  func existsThroughEngine(_ table: Table) -> Bool {
    guard let handle = environment.handle(of: table) else { return false }
    return engineLock.withLock { () -> Bool in
      var count = 0
      return transaction.entryCount(handle, &count) == 0
    }
  }

  /// A cursor of LMDB on this snapshot, or nil when there is no such table.
  func engineCursor(_ table: Table) -> EngineCursor? {
    guard !isPaged, let handle = environment.handle(of: table) else { return nil }
    return engineLock.withLock { () -> EngineCursor? in
      var cursor: OpaquePointer?
      let status = transaction.openCursor(handle, &cursor)
      note(status)
      guard status == 0, let cursor else { return nil }
      return EngineCursor(cursor, snapshot: self)
    }
  }

  /// A table that an older version does not have is reported in three ways, by version of LMDB.
  func note(_ status: Engine.Status) {
    switch status {
    case Engine.success, Engine.notFound, Engine.badTable, 22: break
    default:
      environment.markDamaged(
        StorageError.engine(status, path: environment.path, "A read failed."))
    }
  }
}

/// The lock of one snapshot's transaction.
///
/// Thread safety: any thread.
final class EngineLock: Sendable {
  private let lock = Lock<Void>(())

  /// What snapshots share that never call LMDB.
  static let unused = EngineLock()

  func withLock<Result>(_ body: () -> Result) -> Result {
    lock.withLock { _ in body() }
  }
}

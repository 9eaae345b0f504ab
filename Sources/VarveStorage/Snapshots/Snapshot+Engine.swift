import Glibc

/// Reads through LMDB, where the pages are not read.
///
/// lmdb.h, “Caveats”: “A thread can only use one transaction at a time” and a transaction serves one
/// thread at a time; and the map must not change under a read. So each call is made under the lock of the
/// environment's `EngineMap`.
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
    var value: UnsafeRawBufferPointer?
    let status = readThroughEngine { map in
      var found = UnsafeRawBufferPointer(start: nil, count: 0)
      let status = transaction.get(handle, key, &found)
      guard status == 0 else { return status }
      value = map.own(found)
      return value == nil ? Engine.corrupted : 0
    }
    note(status)
    return value
  }

  @usableFromInline @inline(never)
  func countThroughEngine(_ table: Table) -> Int {
    guard let handle = environment.handle(of: table) else { return 0 }
    var count = 0
    note(readThroughEngine { _ in transaction.entryCount(handle, &count) })
    return count
  }

  func existsThroughEngine(_ table: Table) -> Bool {
    guard let handle = environment.handle(of: table) else { return false }
    var count = 0
    return readThroughEngine { _ in transaction.entryCount(handle, &count) } == 0
  }

  /// A cursor of LMDB on this snapshot, or nil when there is no such table.
  func engineCursor(_ table: Table) -> EngineCursor? {
    guard !isPaged, let handle = environment.handle(of: table) else { return nil }
    var cursor: EngineCursor?
    let status = readThroughEngine { map in
      var raw: OpaquePointer?
      let status = transaction.openCursor(handle, &raw)
      if status == 0, let raw {
        cursor = EngineCursor(raw, snapshot: self, generation: map.generation)
      }
      return status
    }
    note(status)
    return cursor
  }

  /// Runs a read of LMDB. No other one runs meanwhile, and the map does not change.
  func readThroughEngine(_ body: (EngineMap.Window) -> Engine.Status) -> Engine.Status {
    guard let map = environment.engineMap else { return Engine.panic }
    // LMDB's map holds the file in a fork too, and its lock may be held for ever.
    if ProcessFork.isChild { return Engine.notFound }
    return map.read(self, body)
  }

  /// A table that an older version does not have is reported in three ways, by version of LMDB.
  func note(_ status: Engine.Status) {
    switch status {
    case Engine.success, Engine.notFound, Engine.badTable, EINVAL: break
    default:
      environment.markDamaged(
        StorageError.engine(status, path: environment.path, "A read failed."))
    }
  }
}

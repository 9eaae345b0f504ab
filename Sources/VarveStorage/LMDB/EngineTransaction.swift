import CLMDB

/// An LMDB table handle.
typealias EngineTable = UInt32

/// An LMDB transaction, one wrapper per call.
///
/// Thread safety: one thread at a time; a write transaction ends on the thread that began it.
struct EngineTransaction: @unchecked Sendable {
  // Safe because it is only a pointer; its users hold the locks that LMDB requires.

  typealias Status = Engine.Status

  let pointer: OpaquePointer

  /// The corresponding LMDB function is `mdb_txn_id`.
  var id: UInt64 { UInt64(truncatingIfNeeded: mdb_txn_id(pointer)) }

  /// The corresponding LMDB function is `mdb_txn_commit`.
  func commit() -> Status { mdb_txn_commit(pointer) }

  /// The corresponding LMDB function is `mdb_txn_abort`.
  func abort() { mdb_txn_abort(pointer) }

  /// The corresponding LMDB function is `mdb_txn_reset`.
  func reset() { mdb_txn_reset(pointer) }

  /// The corresponding LMDB function is `mdb_txn_renew`.
  func renew() -> Status { mdb_txn_renew(pointer) }

  /// The corresponding LMDB function is `mdb_dbi_open`.
  func open(_ table: Table, create: Bool, _ handle: inout EngineTable) -> Status {
    var flags = table.hasIntegerKeys ? UInt32(MDB_INTEGERKEY) : 0
    if create { flags |= UInt32(MDB_CREATE) }
    if table == .main { return mdb_dbi_open(pointer, nil, 0, &handle) }
    return table.name.withCString { mdb_dbi_open(pointer, $0, flags, &handle) }
  }

  /// The corresponding LMDB function is `mdb_stat`.
  func entryCount(_ handle: EngineTable, _ count: inout Int) -> Status {
    var statistics = MDB_stat()
    let status = mdb_stat(pointer, handle, &statistics)
    count = statistics.ms_entries
    return status
  }

  /// The corresponding LMDB function is `mdb_get`.
  func get(
    _ handle: EngineTable, _ key: UnsafeRawBufferPointer, _ value: inout UnsafeRawBufferPointer
  ) -> Status {
    var keyValue = MDB_val(key)
    var found = MDB_val()
    let status = mdb_get(pointer, handle, &keyValue, &found)
    if status == 0 { value = found.bytes }
    return status
  }

  /// The corresponding LMDB function is `mdb_put`.
  func put(
    _ handle: EngineTable, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer,
    append: Bool = false, noOverwrite: Bool = false
  ) -> Status {
    var keyValue = MDB_val(key)
    var stored = MDB_val(value)
    var flags: UInt32 = 0
    if append { flags |= UInt32(MDB_APPEND) }
    if noOverwrite { flags |= UInt32(MDB_NOOVERWRITE) }
    return mdb_put(pointer, handle, &keyValue, &stored, flags)
  }

  /// The corresponding LMDB function is `mdb_del`.
  func delete(_ handle: EngineTable, _ key: UnsafeRawBufferPointer) -> Status {
    var keyValue = MDB_val(key)
    return mdb_del(pointer, handle, &keyValue, nil)
  }

  /// The table of freed pages, which is always open. Only a read transaction may read it.
  static let freeList: EngineTable = 0

  /// The corresponding LMDB function is `mdb_cursor_open`.
  func openCursor(_ handle: EngineTable, _ cursor: inout OpaquePointer?) -> Status {
    mdb_cursor_open(pointer, handle, &cursor)
  }
}

/// A move of an LMDB cursor.
enum EngineMove {
  case first, last, next, previous
  /// Moves to the first entry whose key is not less than the given one.
  case range
}

/// The raw LMDB cursor, one wrapper per call.
enum EngineCursorCalls {
  /// The corresponding LMDB function is `mdb_cursor_get`.
  static func move(
    _ cursor: OpaquePointer, _ move: EngineMove, seeking target: UnsafeRawBufferPointer,
    _ key: inout UnsafeRawBufferPointer, _ value: inout UnsafeRawBufferPointer
  ) -> Engine.Status {
    var keyValue = MDB_val(target)
    var found = MDB_val()
    let operation: MDB_cursor_op =
      switch move {
      case .first: MDB_FIRST
      case .last: MDB_LAST
      case .next: MDB_NEXT
      case .previous: MDB_PREV
      case .range: MDB_SET_RANGE
      }
    let status = mdb_cursor_get(cursor, &keyValue, &found, operation)
    if status == 0 {
      key = keyValue.bytes
      value = found.bytes
    }
    return status
  }

  /// Appends an entry after all others. The corresponding LMDB function is `mdb_cursor_put` with
  /// `MDB_APPEND`.
  static func append(
    _ cursor: OpaquePointer, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) -> Engine.Status {
    var keyValue = MDB_val(key)
    var stored = MDB_val(value)
    return mdb_cursor_put(cursor, &keyValue, &stored, UInt32(MDB_APPEND))
  }

  /// The corresponding LMDB function is `mdb_cursor_close`.
  static func close(_ cursor: OpaquePointer) { mdb_cursor_close(cursor) }
}

extension MDB_val {
  fileprivate init(_ bytes: UnsafeRawBufferPointer) {
    self.init(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
  }

  fileprivate var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: mv_data, count: mv_size)
  }
}

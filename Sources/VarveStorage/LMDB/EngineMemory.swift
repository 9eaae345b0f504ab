import CLMDB
import CVarve
import Glibc

/// The memory that LMDB allocates for an environment and does not use.
///
/// `mdb_env_open` allocates lists of pages for a transaction of 131,071 pages, 3 MiB, and a record
/// for each table that may be opened; `mdb_txn_begin` another one. If that memory was in use
/// before, `calloc` clears it, so that all of it stays resident: 2.3 MB for a store. What is not in
/// use is given back to the kernel here, and reads as zeros from then on.
///
/// LMDB has no function for it. Its structures are read where version 0.9 has them, and nothing is
/// done unless every field that is known from elsewhere has the expected value.
///
/// Thread safety: a value; it is used while no other thread uses the environment, or the
/// transaction.
struct EngineMemory: @unchecked Sendable {
  // Safe because it contains only pointers, and their memory lives as long as the environment.

  /// The offsets of `MDB_env` on 64-bit Linux.
  private enum Environment {
    static let descriptor = 0
    static let pageSize = 16
    static let readers = 24
    static let openTables = 32
    static let tables = 36
    static let process = 40
    static let map = 56
    static let lockFile = 64
    static let metas = 72
    static let transaction = 104
    static let mapSize = 112
    static let tableInfos = 136
    static let freedPages = 200
    static let changedPages = 208
    static let end = 216
  }

  /// The offsets of `MDB_txn`.
  private enum Transaction {
    static let environment = 32
    static let tableInfos = 80
    static let trees = 88
    /// The trees follow the structure.
    static let end = 136
  }

  /// The sizes of `MDB_dbx` and `MDB_db`, one for each table.
  private static let tableInfoSize = 48
  private static let treeSize = 48
  /// The entries of LMDB's lists of pages, `MDB_IDL_UM_MAX`, of 8 and 16 bytes each.
  private static let listCount = 131_071

  private let environment: UnsafeRawPointer
  private let tableCount: Int

  /// Examines an environment that has just been opened.
  ///
  /// - Returns: nil if its structures are not as expected.
  init?(_ engine: Engine) {
    let base = UnsafeRawPointer(engine.pointer)
    guard varve_heap_block_size(UnsafeMutableRawPointer(mutating: base)) >= Environment.end
    else { return nil }
    func word(_ offset: Int) -> UInt { base.load(fromByteOffset: offset, as: UInt.self) }
    func number(_ offset: Int) -> Int { Int(base.load(fromByteOffset: offset, as: Int32.self)) }
    environment = base
    tableCount = number(Environment.tables)
    let page = engine.pageSize
    let map = word(Environment.map)
    guard number(Environment.descriptor) == Int(engine.fileDescriptor),
      number(Environment.pageSize) == page, number(Environment.readers) == engine.maximumReaders,
      number(Environment.process) == Int(getpid()),
      word(Environment.mapSize) == UInt(engine.mapSize), map != 0,
      word(Environment.metas) == map + UInt(PageLayout.headerSize),
      word(Environment.metas + 8) == map + UInt(page + PageLayout.headerSize),
      (2...(1 << 20)).contains(tableCount),
      (2...tableCount).contains(number(Environment.openTables)),
      let infos = pointer(Environment.tableInfos),
      varve_heap_block_size(infos) >= tableCount * Self.tableInfoSize
    else { return nil }
    let freed = pointer(Environment.freedPages)
    let changed = pointer(Environment.changedPages)
    // An environment for reading has no lists.
    if freed == nil, changed == nil { return }
    guard let freed, (freed - 8).load(as: Int.self) == Self.listCount,
      freed.load(as: Int.self) == 0, let changed,
      varve_heap_block_size(changed) >= (Self.listCount + 1) * 16
    else { return nil }
  }

  /// LMDB's map of its lock file; nil if it has none.
  var lockFileMap: UnsafeRawPointer? {
    guard let map = pointer(Environment.lockFile),
      UInt(bitPattern: map) & UInt(getpagesize() - 1) == 0
    else { return nil }
    return UnsafeRawPointer(map)
  }

  private func pointer(_ offset: Int) -> UnsafeMutableRawPointer? {
    environment.load(fromByteOffset: offset, as: UnsafeMutableRawPointer?.self)
  }

  /// The number of tables that have been opened, and as many again, which may be opened next.
  private var usedTableCount: Int {
    min(
      tableCount, 2 * Int(environment.load(fromByteOffset: Environment.openTables, as: Int32.self)))
  }

  /// Gives back what the environment does not use. No write transaction may be running.
  func releaseUnused() {
    // The first words of a list are its length.
    if let freed = pointer(Environment.freedPages) {
      Self.release(freed + 8, freed + Self.listCount * 8)
    }
    if let changed = pointer(Environment.changedPages) {
      Self.release(changed + 16, changed + (Self.listCount + 1) * 16)
    }
    if let infos = pointer(Environment.tableInfos) {
      Self.release(
        infos + usedTableCount * Self.tableInfoSize, infos + tableCount * Self.tableInfoSize)
    }
    if let transaction = pointer(Environment.transaction) { releaseTrees(transaction) }
  }

  /// Gives back what a transaction does not use that has just begun.
  func releaseUnused(of transaction: EngineTransaction) {
    releaseTrees(UnsafeMutableRawPointer(transaction.pointer))
  }

  /// The records of the trees of tables that are not open.
  private func releaseTrees(_ transaction: UnsafeMutableRawPointer) {
    let trees = transaction + Transaction.end
    guard varve_heap_block_size(transaction) >= Transaction.end + tableCount * Self.treeSize,
      transaction.load(fromByteOffset: Transaction.environment, as: UnsafeRawPointer?.self)
        == environment,
      transaction.load(
        fromByteOffset: Transaction.tableInfos, as: UnsafeMutableRawPointer?.self)
        == pointer(Environment.tableInfos),
      transaction.load(fromByteOffset: Transaction.trees, as: UnsafeMutableRawPointer?.self)
        == trees
    else { return }
    Self.release(trees + usedTableCount * Self.treeSize, trees + tableCount * Self.treeSize)
  }

  /// Gives back the whole pages of a range.
  private static func release(_ start: UnsafeMutableRawPointer, _ end: UnsafeMutableRawPointer) {
    let page = UInt(getpagesize())
    let first = (UInt(bitPattern: start) + page - 1) & ~(page - 1)
    let last = UInt(bitPattern: end) & ~(page - 1)
    guard first < last else { return }
    // Memory that cannot be given back, such as locked memory, stays as it is.
    madvise(UnsafeMutableRawPointer(bitPattern: first), Int(last - first), MADV_DONTNEED)
  }
}

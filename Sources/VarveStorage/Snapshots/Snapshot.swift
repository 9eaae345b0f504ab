import CVarve
import Glibc
import Synchronization

/// One committed version of the store, pinned: nothing that it refers to changes while it lives.
///
/// The bytes it returns are valid as long as the snapshot is retained. It ends with its last
/// reference, on any thread.
///
/// Thread safety: any number of threads may read at once. Processes: a snapshot keeps the pages of
/// its version from being reused by any process.
@usableFromInline
package final class Snapshot: TableReader, @unchecked Sendable {
  // Safe because everything is immutable after init, except the words of `trees`, which are atomic.
  // The transaction is not used before the end.

  /// Unique in the process, never reused, greater than 0.
  @usableFromInline package let serial: UInt64
  @usableFromInline package let root: RootRecord
  /// The LMDB transaction id of the version.
  @usableFromInline package let transactionID: UInt64
  /// The LMDB transaction id of the reader slot. It is one more than that of the version while the
  /// next one was not durable yet.
  package let slotID: UInt64
  @usableFromInline package let environment: Environment

  @inlinable package var version: Version { root.version }

  @usableFromInline let pages: PageMap

  /// One word per table: 0 not looked up yet, 1 absent, else the address of the tree's record.
  /// After the words of the first tables follow pointers to segments with the words of the others.
  @usableFromInline let trees: UnsafeMutableRawPointer

  /// Retains objects that are read without reference counting until this snapshot ends.
  package let retainer = SnapshotRetainer()

  /// The number of bytes of the file that the version uses; everything beyond was added later.
  package let fileBytes: UInt64

  let mapping: ReadMapping
  private let transaction: EngineTransaction
  /// A copy of the environment's property, which saves a load.
  private let visibleVersion: VisibleVersion?

  private static let serials = Atomic<UInt64>(0)

  /// Takes ownership of a read transaction that has just begun.
  ///
  /// - Throws: `corrupted`, `notADatabase` or `newerFormat` when the root record cannot be read.
  ///   The caller then still owns the transaction.
  init(
    environment: Environment, transaction: EngineTransaction, transactionID: UInt64,
    mapping: ReadMapping, meta: MetaPage
  ) throws(StorageError) {
    let trees = TreeWords.allocate(mainRecord: meta.mainRecord)
    let wanted = (Int(clamping: meta.lastPage) &+ 1).multipliedReportingOverflow(
      by: environment.pageSize)
    let length = mapping.readableLength(wanted.overflow ? Int.max : wanted.partialValue)
    let pages = PageMap(
      base: mapping.base, pageSize: environment.pageSize,
      limit: UInt64(length / environment.pageSize))
    do throws(StorageError) {
      root = try Self.readRoot(pages: pages, record: TreeWords.mainRecord(trees), environment.path)
    } catch {
      TreeWords.deallocate(trees)
      throw error
    }
    self.environment = environment
    self.transaction = transaction
    self.transactionID = transactionID
    slotID = transaction.id
    visibleVersion = environment.visibleVersion
    self.mapping = mapping
    self.trees = trees
    self.pages = pages
    fileBytes = pages.limit << pages.shift
    // Assigned last: an init that throws with every property set would run deinit.
    self.serial = Self.serials.add(1, ordering: .relaxed).newValue
  }

  deinit {
    retainer.end()
    TreeWords.deallocate(trees)
    environment.snapshotEnded(transaction)
  }

  private static func readRoot(
    pages: PageMap, record: UnsafeRawPointer, _ path: String
  ) throws(StorageError) -> RootRecord {
    guard TreeWords.isPlausible(record) else {
      throw StorageError(.corrupted, "The record of the unnamed table is damaged.", path: path)
    }
    switch pages.find(record, key: RootRecord.keyBytes) {
    case .found(let node):
      guard let value = pages.value(node) else {
        throw StorageError(.corrupted, "The root record reaches outside its page.", path: path)
      }
      return try RootRecord(decoding: value, path: path)
    case .missing:
      throw StorageError.noRootRecord(path)
    case .damaged(let page):
      throw StorageError(.corrupted, "The tree of tables is damaged.", path: path, page: page)
    }
  }

  /// Whether no later version is durable, and visible to readers. If LMDB's word for that is not
  /// found, it may become false too early, but never too late.
  @inline(__always)
  var isNewest: Bool {
    let visible =
      visibleVersion?.id
      ?? MetaPage.newestTransactionID(base: pages.base, pageSize: pages.pageSize)
    // Until the next version is durable, this one is the newest for readers.
    return visible == transactionID
      || visible == transactionID &+ 1
        && environment.durableID(ofVisible: visible) == transactionID
  }
}

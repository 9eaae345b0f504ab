import CVarve
import Glibc
import Synchronization

/// A read-only map of the data file, apart from LMDB's own.
///
/// Snapshots hold the mapping that they were made with. When the map grows, a new mapping is made and the
/// old one stays until its last snapshot ends; so growing never waits for a frozen snapshot.
///
/// Thread safety: any thread.
/// Processes: each has its own mapping of the same pages. A child made by `fork` has zeros in its place,
/// since nothing pins the pages there: every page is then found not to be what it must be.
final class ReadMapping: Sendable {
  // Safe because the memory is only ever read, and unmapped when nobody holds this object.
  nonisolated(unsafe) let base: UnsafeRawPointer
  let byteCount: Int
  private let descriptor: Int32
  // Safe because the record is only handed back.
  nonisolated(unsafe) private let forkRecord: UnsafeMutablePointer<varve_mapping>

  /// The length of the file as last seen; it may only have grown since.
  private let knownLength = Atomic<Int>(0)

  /// Maps the file.
  ///
  /// - Throws: `addressSpaceExhausted`, or what the system reports.
  init(descriptor: Int32, byteCount: Int, path: String) throws(StorageError) {
    let memory = mmap(
      nil, byteCount, PROT_READ, MAP_SHARED | MAP_NORESERVE, descriptor, 0)
    guard let memory, memory != MAP_FAILED else {
      throw StorageError.system(errno, path: path, "The file could not be mapped for reading.")
    }
    guard let record = varve_mapping_note(memory, byteCount) else {
      munmap(memory, byteCount)
      throw StorageError.system(
        ENOMEM, path: path, "The file could not be mapped for reading.")
    }
    self.forkRecord = record
    self.base = UnsafeRawPointer(memory)
    self.byteCount = byteCount
    self.descriptor = descriptor
  }

  deinit {
    varve_mapping_forget(forkRecord)
    munmap(UnsafeMutableRawPointer(mutating: base), byteCount)
  }

  /// Replaces the file by zeros: from then on no page is found valid.
  ///
  /// For a file whose version nothing pins any more, so that its pages may be reused.
  func empty() {
    varve_mapping_empty(forkRecord)
  }

  /// How many bytes can be read when `wanted` are asked for: never more than the file or the map has.
  ///
  /// - Complexity: O(1); a system call when the file is longer than last seen.
  func readableLength(_ wanted: Int) -> Int {
    let known = knownLength.load(ordering: .acquiring)
    if wanted <= known { return min(wanted, byteCount) }
    var file = stat()
    guard fstat(descriptor, &file) == 0 else { return min(known, byteCount) }
    knownLength.store(Int(file.st_size), ordering: .releasing)
    return min(wanted, Int(file.st_size), byteCount)
  }
}

/// What a meta page says about one committed version.
struct MetaPage {
  let transactionID: UInt64
  let lastPage: UInt64
  /// The record of the free list: 48 bytes.
  let freeRecord: InlineArray<6, UInt64>
  /// The record of the unnamed table: 48 bytes.
  let mainRecord: InlineArray<6, UInt64>

  /// The address of one of the two meta pages.
  static func address(_ index: UInt64, base: UnsafeRawPointer, pageSize: Int) -> UnsafeRawPointer {
    base + Int(truncatingIfNeeded: index & 1) * pageSize
  }

  /// The transaction id of the newest meta page. A commit may be seen here a little before LMDB gives it
  /// to readers, and may still fail.
  static func newestTransactionID(base: UnsafeRawPointer, pageSize: Int) -> UInt64 {
    max(
      varve_load64(base + PageLayout.metaTransactionID),
      varve_load64(base + pageSize + PageLayout.metaTransactionID))
  }

  /// Copies the meta page of a transaction, or nil when the page belongs to another one.
  ///
  /// The caller proves, after the copy, that no commit has ended since the transaction began: then no
  /// writer can have started on this page.
  static func read(
    _ transactionID: UInt64, base: UnsafeRawPointer, pageSize: Int
  ) -> MetaPage? {
    let page = address(transactionID, base: base, pageSize: pageSize)
    guard varve_load64(page + PageLayout.metaTransactionID) == transactionID else { return nil }
    var free: InlineArray<6, UInt64> = .init(repeating: 0)
    var main: InlineArray<6, UInt64> = .init(repeating: 0)
    for word in main.indices {
      free[word] = page.u64(PageLayout.metaFreeRecord + 8 * word)
      main[word] = page.u64(PageLayout.metaMainRecord + 8 * word)
    }
    let lastPage = page.u64(PageLayout.metaLastPage)
    varve_load_fence()
    guard varve_load64(page + PageLayout.metaTransactionID) == transactionID else { return nil }
    return MetaPage(
      transactionID: transactionID, lastPage: lastPage, freeRecord: free, mainRecord: main)
  }
}

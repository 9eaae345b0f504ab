import CVarve
import Glibc
import Synchronization

/// A read-only mapping of the data file, separate from LMDB's own.
///
/// Snapshots retain the mapping that they were created with. When the map grows, a new mapping is
/// created and the old one stays until its last snapshot ends, so that growing never waits for a
/// frozen snapshot.
///
/// Thread safety: any thread. Processes: each has its own mapping of the same pages. A child
/// created by `fork` has zeros in its place, because nothing pins the pages there: every page is
/// then found to be damaged.
final class ReadMapping: Sendable {
  // Safe because the memory is only ever read, and is unmapped in deinit.
  nonisolated(unsafe) let base: UnsafeRawPointer
  let byteCount: Int
  private let descriptor: Int32
  // Safe because the record is only passed back.
  nonisolated(unsafe) private let forkRecord: UnsafeMutablePointer<varve_mapping>

  /// The length of the file as last read; it may only have grown since.
  private let cachedLength = Atomic<Int>(0)

  /// Maps the file.
  ///
  /// - Throws: `addressSpaceExhausted`, or a system error.
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

  /// Replaces the file by zeros: from then on no page is valid.
  ///
  /// For a file whose version is no longer pinned, so that its pages may be reused.
  func empty() {
    varve_mapping_empty(forkRecord)
  }

  /// Returns the number of readable bytes, at most `wanted`, limited by the file and the map.
  ///
  /// - Complexity: O(1); a system call when the file is longer than last seen.
  func readableLength(_ wanted: Int) -> Int {
    let cached = cachedLength.load(ordering: .acquiring)
    if wanted <= cached { return min(wanted, byteCount) }
    var file = stat()
    guard fstat(descriptor, &file) == 0 else { return min(cached, byteCount) }
    cachedLength.store(Int(file.st_size), ordering: .releasing)
    return min(wanted, Int(file.st_size), byteCount)
  }
}

/// The meta page of one committed version.
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

  /// Returns the transaction id of the newest meta page. A commit may be visible here slightly
  /// before LMDB gives it to readers, and may still fail.
  static func newestTransactionID(base: UnsafeRawPointer, pageSize: Int) -> UInt64 {
    max(
      varve_load64(base + PageLayout.metaTransactionID),
      varve_load64(base + pageSize + PageLayout.metaTransactionID))
  }

  /// Copies the meta page of a transaction, or returns nil when the page belongs to another one.
  ///
  /// After the copy, the caller must verify that no commit has ended since the transaction began:
  /// then no writer can have started to overwrite this page.
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

  /// Returns one more than the last page, limited to what a file of some bytes can have: a page
  /// beyond its end is free, so that its number is in the file.
  func end(byteCount: Int, pageSize: Int) -> UInt64 {
    min(lastPage, UInt64(byteCount / pageSize + byteCount / 8)) + 1
  }

  /// Whether another meta page may be that of the version before: each commit overwrites the older
  /// page.
  func mayFollow(_ other: UInt64) -> Bool {
    other &+ 1 == transactionID || other == 0 && transactionID == 0
  }

  /// Returns the damage of two meta pages that are not those of consecutive versions: one changed
  /// bit in a transaction id can make an older version the newest one.
  ///
  /// The numbers of pages are not compared: a power failure may leave that of a commit without its
  /// transaction id, which is written last.
  ///
  /// - Returns: nil also when a later commit has overwritten this page or the other one.
  func damageOfPair(base: UnsafeRawPointer, pageSize: Int) -> PageDamage? {
    let other = Self.address(transactionID &+ 1, base: base, pageSize: pageSize)
    let id = varve_load64(other + PageLayout.metaTransactionID)
    guard id != transactionID &+ 1, !mayFollow(id) else { return nil }
    // Commits that ended meanwhile leave two pages that are both later than this one.
    varve_load_fence()
    let page = Self.address(transactionID, base: base, pageSize: pageSize)
    guard varve_load64(page + PageLayout.metaTransactionID) == transactionID else { return nil }
    return PageDamage(
      page: transactionID & 1, detail: "The meta pages are not those of consecutive versions.")
  }
}

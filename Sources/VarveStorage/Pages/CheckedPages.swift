/// The pages of a file that a process has checked before LMDB touches them in a write.
///
/// The set begins with the version before the first write. A page that was beyond the end of that
/// version was written by LMDB later, and needs no check. A page that was checked and is reused
/// later is not checked again: LMDB has written it from checked pages, in this process or in
/// another one that checks too. A page that another process has reused, and this one has not
/// checked, is checked once.
///
/// Damage that a page suffers after its check is therefore not found before LMDB touches it.
///
/// Thread safety: one thread at a time, which holds the write lock.
final class CheckedPages: @unchecked Sendable {
  // Safe because only the holder of the write lock uses it.

  private let checked: PageSet
  /// One more than the last page of the version.
  private let end: UInt64
  /// The LMDB transaction id of the version with the reserved pages.
  private(set) var reservedVersion: UInt64
  /// The pages that no tree except the unnamed table can have below its root: the free ones, those
  /// of the free list and of the unnamed table, and the other roots.
  private var reserved: PageSet
  private var reservedEnd: UInt64

  /// - Parameters:
  ///   - meta: The meta page of the version.
  ///   - reserved: The pages found by a check of the free list.
  /// - Returns: nil when the memory cannot be allocated.
  init?(_ meta: MetaPage, reserved: PageSet) {
    end = meta.lastPage &+ 1
    guard let checked = PageSet(limit: end) else { return nil }
    self.checked = checked
    reservedVersion = meta.transactionID
    self.reserved = reserved
    reservedEnd = end
  }

  /// Replaces the reserved pages by those of a later version.
  func reserve(_ pages: PageSet, of meta: MetaPage) {
    reservedVersion = meta.transactionID
    reserved = pages
    reservedEnd = meta.lastPage &+ 1
  }

  /// Whether a page needs no check.
  @inline(__always)
  func contains(_ page: UInt64) -> Bool { page >= end || checked.contains(page) }

  /// Records that a page is valid.
  func insert(_ page: UInt64) {
    if page < end { _ = checked.insert(page) }
  }

  /// Whether a page that belongs to a tree is in use elsewhere, or free, in the version
  /// ``reservedVersion``.
  func isReserved(_ page: UInt64) -> Bool { page < reservedEnd && reserved.contains(page) }
}

/// The check of the pages that LMDB touches, in a file whose pages have not all been checked.
///
/// Every call of LMDB that reads or changes an entry of a table follows a call of these functions.
/// The free list, the unnamed table and the records in it were checked before the first write.
extension WriteTransaction {
  /// Checks the pages that LMDB touches for a key.
  ///
  /// - Throws: `corrupted` with the page, and the file is not written any more;
  ///   `addressSpaceExhausted` without memory for the check. The transaction has failed.
  @inline(__always)
  func checkPath(
    _ table: Table, _ key: UnsafeRawBufferPointer, _ use: PathCheck.Use
  ) throws(StorageError) {
    if _slowPath(paths != nil) {
      try checkPages { (paths) throws(PageDamage) in try paths.check(table, key, use) }
    }
  }

  /// Checks the pages on the path to the first or the last entry of a table.
  @inline(__always)
  func checkEnd(_ table: Table, isFirst: Bool) throws(StorageError) {
    if _slowPath(paths != nil) {
      try checkPages { (paths) throws(PageDamage) in try paths.checkEnd(table, isFirst: isFirst) }
    }
  }

  @inline(never)
  private func checkPages(
    _ check: (PathCheck) throws(PageDamage) -> Void
  ) throws(StorageError) {
    guard let paths else { return }
    do throws(PageDamage) {
      try check(paths)
    } catch {
      throw recordFailure(
        ofCheck: paths.failure
          ?? StorageError(.corrupted, error.detail, path: environment.path, page: error.page))
    }
    guard paths.needsWalk else { return }
    do throws(StorageError) {
      try environment.checkAllPages(of: base)
    } catch {
      throw recordFailure(ofCheck: error)
    }
    self.paths = nil
  }
}

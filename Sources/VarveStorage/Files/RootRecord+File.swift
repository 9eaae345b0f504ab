import Glibc

extension RootRecord {
  /// Reads the root record of a file's newest complete version without opening the store: no file
  /// is created, nothing is written, and no reader slot is taken.
  ///
  /// - Throws: `fileNotFound`, `notADatabase`, `corrupted`, `newerFormat`, `busy` when commits
  ///   follow each other too quickly, or a system error.
  package static func read(path: String) throws(StorageError) -> RootRecord {
    for _ in 0..<1000 {
      let before = try DataFile(path: path)
      let found = try attempt(before, path: path)
      // Nothing pins the pages: the second commit after the version may reuse them.
      guard try DataFile(path: path).newestTransactionID == before.newestTransactionID else {
        continue
      }
      guard let found else {
        throw StorageError.noRootRecord(path)
      }
      return try found.withUnsafeBytes { bytes in
        Result { () throws(StorageError) in try RootRecord(decoding: bytes, path: path) }
      }.get()
    }
    throw StorageError(.busy, "Commits followed each other too quickly for a check.", path: path)
  }

  /// Returns the bytes of the record; nil when there are none, or the pages are damaged.
  private static func attempt(
    _ file: DataFile, path: String
  ) throws(StorageError) -> [UInt8]? {
    let opened = try OpenFile(path: path, flags: O_RDONLY)
    let pages = UInt64(file.byteCount / file.pageSize)
    guard pages >= 2 else { return nil }
    let mapping = try ReadMapping(
      descriptor: opened.descriptor, byteCount: file.byteCount, path: path)
    let id = UnfinishedCommit.completeID(
      newest: file.newestTransactionID, base: mapping.base, pageSize: file.pageSize,
      byteCount: file.byteCount)
    guard let meta = MetaPage.read(id, base: mapping.base, pageSize: file.pageSize) else {
      return nil
    }
    let map = PageMap(
      base: mapping.base, pageSize: file.pageSize, limit: min(meta.lastPage &+ 1, pages))
    var record = meta.mainRecord
    return withUnsafeBytes(of: &record) { record in
      guard let base = record.baseAddress, case .found(let node) = map.find(base, key: keyBytes)
      else { return nil }
      return map.value(node).map { Array($0) }
    }
  }
}

import CVarve
import Glibc

/// Copies of data files, byte by byte or by LMDB, before they are renamed into place.
enum StoreCopy {
  /// Copies the newest complete version of a file that other processes may write to.
  ///
  /// A copy is consistent if no commit has ended while it was made: pages of the newest version are
  /// not reused before the next commit.
  ///
  /// - Parameters:
  ///   - source: A data file.
  ///   - target: Another open file, whose content is overwritten.
  ///   - path: The path of the target.
  ///   - observer: Observes the copy, and may stop it.
  /// - Throws: `cancelled` when the observer stops it, `busy` when the source is written to all the
  ///   time, `notADatabase` and similar errors for a source that is not a store, or a system error.
  static func copyVersion(
    of source: String, to target: borrowing OpenFile, path: String,
    observer: WorkObserver? = nil
  ) throws(StorageError) {
    for _ in 0..<50 {
      let before = try DataFile(path: source).newestTransactionID
      let isEmpty =
        ftruncate(target.descriptor, 0) == 0 && lseek(target.descriptor, 0, SEEK_SET) == 0
      try StorageError.check(isEmpty, path: path, "The copy could not be written.")
      try copyBytes(of: source, to: target, path: path, observer)
      if try DataFile(path: source).newestTransactionID == before,
        try DataFile(path: path).newestTransactionID == before
      {
        return try UnfinishedCommit.remove(fromCopy: path, isCompacted: false)
      }
    }
    throw StorageError(.busy, "The store is written to too often to be copied.", path: source)
  }

  private static func copyBytes(
    of source: String, to target: borrowing OpenFile, path: String, _ observer: WorkObserver?
  ) throws(StorageError) {
    let input = try OpenFile(path: source, flags: O_RDONLY)
    let size = Int(try input.status(path: source).st_size)
    try observer?.note(CopyProgress(completedBytes: 0, totalBytes: size), path: path)
    if varve_clone_file(target.descriptor, input.descriptor) == 0 {
      try observer?.note(CopyProgress(completedBytes: size, totalBytes: size), path: path)
      return
    }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
    defer { buffer.deallocate() }
    var offset = 0
    while true {
      let count = try input.read(buffer, at: offset, path: source)
      if count == 0 { return }
      try target.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), path: path)
      offset += count
      let progress = CopyProgress(completedBytes: offset, totalBytes: max(offset, size))
      try observer?.note(progress, path: path)
    }
  }

  /// Checks the pages of a file that no process writes to.
  ///
  /// - Parameter path: The path to report in errors.
  /// - Throws: `corrupted`; `cancelled` when the observer stops it.
  static func check(
    _ file: String, tellingOf path: String, _ observer: WorkObserver? = nil
  ) throws(StorageError) {
    do throws(StorageError) {
      try check(file, observer)
    } catch {
      throw error.telling(path, insteadOf: file)
    }
  }

  private static func check(
    _ path: String, _ observer: WorkObserver?
  ) throws(StorageError) {
    let file = try DataFile(path: path)
    let opened = try OpenFile(path: path, flags: O_RDONLY)
    let mapping = try ReadMapping(
      descriptor: opened.descriptor, byteCount: max(file.byteCount, 2 * file.pageSize), path: path)
    guard
      let meta = MetaPage.read(
        file.newestTransactionID, base: mapping.base, pageSize: file.pageSize)
    else { throw StorageError(.corrupted, "The copy has no version.", path: path) }
    try StructureWalk.check(
      meta, mapping: mapping, pageSize: file.pageSize, path: path, observer: observer)
  }
}

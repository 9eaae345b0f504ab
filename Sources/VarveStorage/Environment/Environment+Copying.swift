import CVarve
import Glibc

extension Environment {
  /// Writes a copy of the newest version to a new file, durably and checked. Writers go on meanwhile.
  ///
  /// The copy is another history: its incarnation is new.
  ///
  /// - Throws: `fileExists` when there is something at the path, `badTransaction` when this thread is in a
  ///   write transaction, `diskFull`, or what the system reports. Nothing is then left at the path.
  /// - Complexity: O(pages).
  package func copy(to path: String) throws(StorageError) {
    let target = try StorePaths(path: path)
    try target.checkDirectory(isReadOnly: false)
    guard FileIdentity(path: target.data) == nil else {
      throw StorageError(.fileExists, "There is a file at the path of the copy.", path: path)
    }
    let temporary = StoreCreation.temporaryPath(target)
    do throws(StorageError) {
      try writeCopy(temporary)
      try StoreCreation.renewIncarnation(path: temporary)
      try Self.checkCopy(temporary)
      let result = varve_rename_exclusively(temporary, target.data)
      guard result == 0 else {
        throw StorageError.system(result, path: path, "The copy could not be placed.")
      }
    } catch {
      unlink(temporary)
      throw error
    }
    try target.syncDirectory()
  }

  /// Has LMDB write the copy onto a descriptor of ours: its own way neither synchronises nor sets modes.
  private func writeCopy(_ temporary: String) throws(StorageError) {
    try state.withLock { (state) throws(StorageError) in
      try checkUsable()
      guard !state.isClosed else {
        throw StorageError(.closed, "The store is closed.", path: path)
      }
      // The map must not move under the copy.
      state.copyCount += 1
      state.snapshotCount += 1
    }
    defer {
      endUse { state in
        state.copyCount -= 1
        state.snapshotCount -= 1
      }
    }
    // LMDB takes its write lock for a moment: a thread that holds it would wait for itself.
    guard writingThread != UInt(pthread_self()) else {
      throw StorageError(.badTransaction, "A copy cannot be made inside a write.", path: path)
    }
    let opened = try OpenFile(
      path: temporary, flags: O_RDWR | O_CREAT | O_EXCL, mode: options.fileMode)
    _ = fchmod(opened.descriptor, mode_t(options.fileMode))
    let status = engine.copy(to: opened.descriptor)
    guard status == 0 else {
      throw StorageError.engine(status, path: temporary, "The copy could not be written.")
    }
    try opened.sync(path: temporary)
  }

  private static func checkCopy(_ path: String) throws(StorageError) {
    let file = try DataFile(path: path)
    let opened = try OpenFile(path: path, flags: O_RDONLY)
    let mapping = try ReadMapping(
      descriptor: opened.descriptor, byteCount: max(file.byteCount, 2 * file.pageSize), path: path)
    guard MetaPage.hasKnownLayout(base: mapping.base, pageSize: file.pageSize) else { return }
    guard
      let meta = MetaPage.read(
        file.newestTransactionID, base: mapping.base, pageSize: file.pageSize)
    else { throw StorageError(.corrupted, "The copy has no version.", path: path) }
    try StructureWalk.check(meta, mapping: mapping, pageSize: file.pageSize, path: path)
  }
}

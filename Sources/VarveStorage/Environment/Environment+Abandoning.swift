import CVarve
import Synchronization
import VarveLocks

/// Reopening a file after a commit that could not be finished.
extension Environment {
  /// Closes LMDB's environment although snapshots are retained, if a commit could not be finished
  /// and the store is closed.
  ///
  /// After such a commit nothing can be written until the file is opened again, and a
  /// process must not open a file twice. Retained snapshots would therefore prevent the file from
  /// being opened as long as the process runs. Once LMDB has closed the file, nothing pins their
  /// versions: their mappings are filled with zeros, so that reads through them find damaged pages
  /// instead of the pages of another version.
  ///
  /// - Returns: Whether the files were closed.
  func closeUnderSnapshots() -> Bool {
    guard isPanicked.load(ordering: .relaxed) || canRecoverFromSyncFailure, varve_is_forked() == 0
    else {
      return false
    }
    let abandoned = state.withLock { state -> ([EngineTransaction], [ReadMapping])? in
      guard state.isClosed, !state.isTornDown, state.lockUserCount == 0, state.copyCount == 0
      else {
        return nil
      }
      state.isTornDown = true
      defer {
        state.idle = []
        state.reserve = nil
        state.mapping = nil
        state.olderMappings = []
      }
      return (
        state.idle + [takeProbe(), state.reserve].compactMap { $0 },
        state.olderMappings.compactMap(\.mapping) + [state.mapping].compactMap { $0 }
      )
    }
    guard let (transactions, mappings) = abandoned else { return false }
    markDamaged(
      StorageError(
        .panicked, "The file was opened again after a commit that could not be finished.",
        path: path))
    for mapping in mappings { mapping.empty() }
    // The read transactions of the retained snapshots are never ended: LMDB frees their reader
    // slots here, and their memory stays allocated.
    tearDown(transactions)
    return true
  }
}

import Synchronization

/// How many bytes of a copy are written.
///
/// Thread safety: a value.
package struct CopyProgress: Sendable, Equatable {
  package var completedBytes: Int
  package var totalBytes: Int
}

/// Follows a copy of a data file, and may stop it.
///
/// Thread safety: any thread.
package final class CopyObserver: Sendable {
  /// Who is called; nobody after `end`. The lock is not held during the call.
  private let report: Lock<(@Sendable (CopyProgress) -> Bool)?>
  private let stopped = Atomic<Bool>(false)

  /// - Parameter report: Is called on the thread that writes, at the beginning and after each part; false stops
  ///   the copy.
  package init(_ report: @escaping @Sendable (CopyProgress) -> Bool) {
    self.report = Lock(report)
  }

  package var isStopped: Bool { stopped.load(ordering: .acquiring) }

  /// Has a copy that is running, or begins later, fail with `cancelled`, and leave no file.
  package func stop() { stopped.store(true, ordering: .releasing) }

  /// Forgets whom to call: options that name the observer live as long as the store.
  package func end() { report.withLock { $0 = nil } }

  func note(_ progress: CopyProgress, path: String) throws(StorageError) {
    let report = report.withLock { $0 }
    if report?(progress) == false { stop() }
    try check(path: path)
  }

  /// - Throws: `cancelled` when the copy is to stop.
  func check(path: String) throws(StorageError) {
    guard isStopped else { return }
    throw StorageError(.cancelled, "The copy was cancelled.", path: path)
  }
}

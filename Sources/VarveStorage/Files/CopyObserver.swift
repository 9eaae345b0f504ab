import Synchronization

/// How many bytes of a copy are written.
///
/// Thread safety: a value.
package struct CopyProgress: Sendable, Equatable {
  package var completedBytes: Int
  package var totalBytes: Int
}

/// Follows a copy of a data file, and may stop it, or the opening that makes it.
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

  /// Has a copy or an opening that is running, or begins later, fail with `cancelled`. A copy leaves no file.
  package func stop() { stopped.store(true, ordering: .releasing) }

  /// Forgets whom to call: options that name the observer live as long as the store.
  package func end() { report.withLock { $0 = nil } }

  func note(_ progress: CopyProgress, path: String) throws(StorageError) {
    let report = report.withLock { $0 }
    if report?(progress) == false { stop() }
    try check(path: path)
  }

  /// - Throws: `cancelled` when it is to stop.
  package func check(path: String) throws(StorageError) {
    guard isStopped else { return }
    throw StorageError(.cancelled, "It was cancelled.", path: path)
  }
}

import Synchronization
import VarveLocks

/// The progress of a copy in bytes, or of another long operation in units.
package struct CopyProgress: Sendable, Equatable {
  package var completedBytes: Int
  package var totalBytes: Int
}

/// Observes a copy, a check or a salvage of a data file, and may stop it, or the opening that makes it.
///
/// Thread safety: any thread.
package final class WorkObserver: Sendable {
  /// The callback; nil after `end`. The lock is not held during the call.
  private let report: Lock<(@Sendable (CopyProgress) -> Bool)?>
  private let stopped = Atomic<Bool>(false)

  /// - Parameter report: A closure that is called on the writing thread, at the beginning and after
  ///   each part. Returning false stops the operation.
  package init(_ report: @escaping @Sendable (CopyProgress) -> Bool) {
    self.report = Lock(report)
  }

  package var isStopped: Bool { stopped.load(ordering: .acquiring) }

  /// Makes an operation that is running, or begins later, fail with `cancelled`. A stopped copy or
  /// salvage leaves no file.
  package func stop() { stopped.store(true, ordering: .releasing) }

  /// Releases the callback: options that contain the observer live as long as the store.
  package func end() { report.withLock { $0 = nil } }

  func note(_ progress: CopyProgress, path: String) throws(StorageError) {
    let report = report.withLock { $0 }
    if report?(progress) == false { stop() }
    try check(path: path)
  }

  /// - Throws: `cancelled` when the observer has been stopped.
  package func check(path: String) throws(StorageError) {
    guard isStopped else { return }
    throw StorageError(.cancelled, "The operation was cancelled.", path: path)
  }
}

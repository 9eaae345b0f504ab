import Dispatch
import Synchronization
import VarveLocks
import VarveStorage

/// Runs a part of a task on a thread of its own.
///
/// Thread safety: a lock guards the failure.
private final class OwnThreadExecutor: TaskExecutor {
  private let name: String
  /// The reason why the thread could not be created.
  private let failure = Lock<Failure?>(nil)

  init(_ name: String) { self.name = name }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let run = { @Sendable in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    do throws(StorageError) {
      try OwnThread.start(name, run)
    } catch {
      failure.withLock { $0 = Failure(error) }
      // The task receives the failure.
      DispatchQueue.global().async(execute: run)
    }
  }

  func check() throws(Failure) {
    if let failure = failure.withLock({ $0 }) { throw failure }
  }
}

/// Runs blocking work on a thread of its own, as a part of the calling task.
///
/// Dispatch's global queues are not suitable: on Linux they share their threads with tasks, so that
/// blocking work keeps tasks from running.
///
/// - Parameters:
///   - name: The name of the thread for the system, at most 15 bytes.
///   - body: The work. Cancellation, priority and task-local values are those of the task.
/// - Returns: The result of the work.
/// - Throws: The error of the work, or `.fail` when no thread can be created.
package func onOwnThread<R: Sendable>(
  _ name: String, _ body: @Sendable () throws -> R
) async throws -> R {
  let executor = OwnThreadExecutor(name)
  return try await withTaskExecutorPreference(executor) {
    try executor.check()
    return try body()
  }
}

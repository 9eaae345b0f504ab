import VarveStorage

/// Runs work that waits for disks and locks on a thread of its own, while the task is suspended.
///
/// Not on a global queue of Dispatch: on Linux these have the threads that tasks run on, so that work which waits there
/// keeps tasks from running.
///
/// - Parameters:
///   - name: what the system calls the thread: 15 bytes at most.
///   - body: the work. It does not see whether the task is cancelled.
/// - Returns: what the work returns.
/// - Throws: what the work throws; `.fail` when there can be no more threads.
package func onOwnThread<R: Sendable>(
  _ name: String, _ body: @escaping @Sendable () throws -> R
) async throws -> R {
  try await withCheckedThrowingContinuation { continuation in
    startOwnThread(name) {
      continuation.resume(with: Result(catching: body))
    } failure: {
      continuation.resume(throwing: $0)
    }
  }
}

/// Starts a thread for work, or calls with why there can be none.
package func startOwnThread(
  _ name: String, _ body: @escaping @Sendable () -> Void, failure: (Failure) -> Void
) {
  do throws(StorageError) {
    try OwnThread.start(name, body)
  } catch {
    failure(Failure(error))
  }
}

import VarveStorage

/// Runs blocking work on a thread of its own, while the task is suspended.
///
/// Dispatch's global queues are not suitable: on Linux they share their threads with tasks, so that
/// blocking work keeps tasks from running.
///
/// - Parameters:
///   - name: The name of the thread for the system, at most 15 bytes.
///   - body: The work. It does not see whether the task is cancelled.
/// - Returns: The result of the work.
/// - Throws: The error of the work, or `.fail` when no thread can be created.
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

/// Starts a thread for work, or calls `failure` with the error when no thread can be created.
package func startOwnThread(
  _ name: String, _ body: @escaping @Sendable () -> Void, failure: (Failure) -> Void
) {
  do throws(StorageError) {
    try OwnThread.start(name, body)
  } catch {
    failure(Failure(error))
  }
}

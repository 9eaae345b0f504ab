import Dispatch
import Synchronization
import VarveLocks

/// Runs the closure of an awaited write as a part of the waiting task, on the writer thread.
///
/// The task prefers this executor from the request of its write to the end. What the executor
/// receives first, it does not run, but requests the write. At the write's turn, the writer thread
/// runs the task up to the end of the closure; there, the task waits for the commit. Cancellation,
/// priority and task-local values inside the closure are therefore those of the task.
///
/// ```
///   task               enqueue                                              returns to its executor
///   queue of writes             waits …
///   writer thread                         run: closure | other closures, commit | finish
/// ```
///
/// Thread safety: a lock guards the state. One thread at a time runs the task.
final class AwaitedWrite: TaskExecutor {
  private struct State: @unchecked Sendable {
    // Safe because only the thread that runs the write uses the transaction, and only during `run`.
    var transaction: Transaction?
    /// The next part of the task.
    var job: UnownedJob?
    var isRequested = false
    var isCancelled = false
    /// The error of the closure.
    var error: (any Error)?
    /// The outcome of the write.
    var result: Result<Void, any Error>?
    /// Resumes the task after the end of the closure.
    var continuation: CheckedContinuation<Void, Never>?
  }
  /// Guards the state.
  private let state = Lock(State())
  /// Whether a thread requests the write. It cannot run the task meanwhile, which it has just left.
  private let isRequesting = Atomic<Bool>(false)
  private let store: Store
  private let mayShare: Bool
  private let id: UInt64

  init(_ store: Store, mayShare: Bool) {
    self.store = store
    self.mayShare = mayShare
    id = store.asyncWrites.newID()
  }

  // MARK: Called by the task

  /// Runs the closure inside the transaction of the write, and waits for the commit.
  ///
  /// - Throws: The error of the closure or of the write; `CancellationError` when the task is
  ///   cancelled before the closure returns.
  func callAsFunction<R>(_ body: (Transaction) throws -> R) async throws -> R {
    let result = Result { try body(try transaction()) }
    if case .failure(let error) = result { state.withLock { $0.error = error } }
    await end()
    try state.withLock { $0.result }?.get()
    return try result.get()
  }

  private func transaction() throws -> Transaction {
    let (transaction, result) = state.withLock { ($0.transaction, $0.result) }
    try result?.get()
    guard let transaction else { throw Failure(.fail, "An asynchronous write had no turn.") }
    return transaction
  }

  /// Waits for the end of the write, unless it ended before its turn.
  private func end() async {
    guard state.withLock({ $0.result }) == nil else { return }
    await withCheckedContinuation { continuation in
      state.withLock { $0.continuation = continuation }
    }
  }

  // MARK: Called by the runtime

  func enqueue(_ job: consuming ExecutorJob) {
    // The task owns the executor, and may end before this call does.
    let owned = Unmanaged.passRetained(self)
    defer { owned.release() }
    let job = UnownedJob(job)
    let isFirst = state.withLock { state in
      state.job = job
      defer { state.isRequested = true }
      return !state.isRequested
    }
    if isFirst { request() }
  }

  private func request() {
    isRequesting.store(true, ordering: .releasing)
    store.enqueue(
      AsyncWrite(
        id: id, mayShare: mayShare, requestedAt: .now, run: { try self.run($0) },
        finish: { self.finish($0) }))
    isRequesting.store(false, ordering: .releasing)
    // A cancellation that came before the write was enqueued found nothing to remove.
    if state.withLock({ $0.isCancelled }) { removeCancelled() }
  }

  /// Ends the wait of a write whose task was cancelled.
  func cancel() {
    state.withLock { $0.isCancelled = true }
    removeCancelled()
  }

  private func removeCancelled() {
    guard store.cancelEnqueuedWrite(id) else { return }
    // The runtime calls `cancel` under a lock of the task.
    DispatchQueue.global().async { self.finishHere(.failure(CancellationError())) }
  }

  // MARK: Called by the queue of writes

  /// Runs the task up to the end of the closure.
  private func run(_ transaction: Transaction) throws {
    state.withLock { $0.transaction = transaction }
    runJob()
    let error = state.withLock { state in
      state.transaction = nil
      return state.error
    }
    if let error { throw error }
  }

  private func finish(_ result: Result<Void, any Error>) {
    guard isRequesting.load(ordering: .acquiring) else { return finishHere(result) }
    DispatchQueue.global().async { self.finishHere(result) }
  }

  /// Runs the rest of the task, up to its return to its own executor.
  private func finishHere(_ result: Result<Void, any Error>) {
    let continuation = state.withLock { state in
      state.result = result
      defer { state.continuation = nil }
      return state.continuation
    }
    // Passes the rest to `enqueue`. A write that had no turn has not begun its first part.
    continuation?.resume()
    runJob()
  }

  private func runJob() {
    let job = state.withLock { state in
      defer { state.job = nil }
      return state.job
    }
    guard let job else { preconditionFailure("The task waits for its executor.") }
    job.runSynchronously(on: asUnownedTaskExecutor())
  }
}

import CVarve
import Glibc
import Synchronization

/// A thread that runs jobs one after the other, in the order in which they came.
///
/// It is started by the first job, and ends when the store is closed; jobs that came before still run.
///
/// Thread safety: any thread.
package final class WriterThread: Sendable {
  /// The part that the thread itself holds.
  private final class Queue: Sendable {
    struct Content {
      var jobs: [@Sendable () -> Void] = []
      var isStarted = false
      var isStopped = false
    }

    let content = Lock(Content())
    /// The thread, as a number; 0 before it runs.
    let thread = Atomic<UInt>(0)

    func run() {
      thread.store(UInt(pthread_self()), ordering: .relaxed)
      while let jobs = next() {
        for job in jobs { job() }
      }
    }

    /// The jobs that wait; nil when no more can come.
    private func next() -> [@Sendable () -> Void]? {
      content.wait { content -> [@Sendable () -> Void]?? in
        if content.jobs.isEmpty { return content.isStopped ? .some(nil) : .none }
        defer { content.jobs = [] }
        return content.jobs
      }
    }
  }

  private let queue = Queue()

  init() {}

  deinit { stop() }

  /// Whether the caller runs on this thread.
  package var isCurrent: Bool {
    queue.thread.load(ordering: .relaxed) == UInt(pthread_self())
  }

  /// Runs a job after those that came before.
  ///
  /// - Throws: `closed` after `stop`; `forked`; `io` when the thread cannot be started. The job then never runs.
  package func enqueue(_ job: @escaping @Sendable () -> Void) throws(StorageError) {
    // The thread was not forked with the process: the job would wait for ever.
    guard varve_is_forked() == 0 else {
      throw StorageError(.forked, "The process is a fork of the one that opened the store.")
    }
    try queue.content.withLock { (content) throws(StorageError) in
      guard !content.isStopped else { throw StorageError(.closed, "The store is closed.") }
      if !content.isStarted {
        try OwnThread.start("varve.writer") { [queue] in queue.run() }
        content.isStarted = true
      }
      content.jobs.append(job)
    }
    queue.content.notify()
  }

  /// Runs a job after those that came before, and waits for its result. On this thread itself, runs it at
  /// once.
  ///
  /// - Throws: As `enqueue`, or what the job throws.
  package func runAndWait<Result: Sendable>(
    _ job: @escaping @Sendable () throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    if isCurrent { return try job() }
    let completion = Completion<Result>()
    try enqueue {
      do throws(StorageError) {
        completion.finish(.success(try job()))
      } catch {
        completion.finish(.failure(error))
      }
    }
    return try completion.wait().get()
  }

  /// Ends the thread after the jobs that are waiting.
  func stop() {
    queue.content.withLock { $0.isStopped = true }
    queue.content.notify()
  }
}

/// The result of a job that another thread waits for.
private final class Completion<Value: Sendable>: Sendable {
  private let result = Lock<Result<Value, StorageError>?>(nil)

  func finish(_ value: Result<Value, StorageError>) {
    result.withLock { $0 = value }
    result.notify()
  }

  func wait() -> Result<Value, StorageError> {
    result.wait { $0 }
  }
}

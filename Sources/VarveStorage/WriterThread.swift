import CVarve
import VarveLocks

/// A thread that runs jobs one after the other, in the order of their submission.
///
/// A job starts the thread, which ends when no job has been submitted for a while, or when the
/// store is closed; jobs submitted before still run. A job must therefore leave nothing behind that
/// belongs to a thread, such as a lock of LMDB.
///
/// Thread safety: any thread.
package final class WriterThread: Sendable {
  /// The state that the thread itself retains.
  private final class Queue: Sendable {
    struct Content {
      var jobs: [@Sendable () -> Void] = []
      var isStarted = false
      var isStopped = false
    }

    let content = Lock(Content())
    let idleLimit: Duration

    init(idleLimit: Duration) { self.idleLimit = idleLimit }

    func run() {
      // A commit waits for the disk several times, and all writers wait for the commit.
      varve_prefer_short_turns()
      while let jobs = next() {
        for job in jobs { job() }
      }
    }

    /// Returns the waiting jobs; nil when the thread is to end.
    private func next() -> [@Sendable () -> Void]? {
      if let jobs = content.wait(for: idleLimit, until: { take(&$0) }) { return jobs }
      return content.withLock { content in
        if let jobs = take(&content) { return jobs }
        return end(&content)
      }
    }

    /// Returns the waiting jobs, or nil after the last one; `.none` when more may follow.
    private func take(_ content: inout Content) -> [@Sendable () -> Void]?? {
      if content.jobs.isEmpty { return content.isStopped ? .some(end(&content)) : .none }
      defer { content.jobs = [] }
      return content.jobs
    }

    /// Records that the next job needs another thread.
    private func end(_ content: inout Content) -> [@Sendable () -> Void]? {
      content.isStarted = false
      return nil
    }
  }

  private let queue: Queue

  /// - Parameter idleLimit: The time without a job after which the thread ends.
  package init(idleLimit: Duration = .seconds(5)) { queue = Queue(idleLimit: idleLimit) }

  deinit { stop() }

  /// Whether the thread runs; it may be between two jobs.
  package var isRunning: Bool { queue.content.withLock { $0.isStarted } }

  /// Runs a job after the jobs submitted before.
  ///
  /// - Throws: `closed` after `stop`; `forked`; `io` when the thread cannot be started. The job
  ///   then never runs.
  package func enqueue(_ job: @escaping @Sendable () -> Void) throws(StorageError) {
    // The thread was not forked with the process: the job would wait indefinitely.
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

  /// Ends the thread after the waiting jobs.
  func stop() {
    queue.content.withLock { $0.isStopped = true }
    queue.content.notify()
  }
}

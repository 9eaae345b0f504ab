import CVarve

/// A thread that runs jobs one after the other, in the order in which they came.
///
/// A job starts it, and it ends when none has come for a while, or when the store is closed; jobs that came before still
/// run. So a job leaves nothing behind that belongs to a thread, such as a lock of LMDB.
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
    let idleLimit: Duration

    init(idleLimit: Duration) { self.idleLimit = idleLimit }

    func run() {
      // A commit waits for the disk several times; all writers wait for the commit.
      varve_prefer_short_turns()
      while let jobs = next() {
        for job in jobs { job() }
      }
    }

    /// The jobs that wait; nil when the thread is to end.
    private func next() -> [@Sendable () -> Void]? {
      if let jobs = content.wait(for: idleLimit, until: { take(&$0) }) { return jobs }
      return content.withLock { content in
        if let jobs = take(&content) { return jobs }
        return end(&content)
      }
    }

    /// The jobs that wait, or nil after the last one; `.none` when there may be more to come.
    private func take(_ content: inout Content) -> [@Sendable () -> Void]?? {
      if content.jobs.isEmpty { return content.isStopped ? .some(end(&content)) : .none }
      defer { content.jobs = [] }
      return content.jobs
    }

    /// Notes that the next job needs another thread.
    private func end(_ content: inout Content) -> [@Sendable () -> Void]? {
      content.isStarted = false
      return nil
    }
  }

  private let queue: Queue

  /// - Parameter idleLimit: After how long without a job the thread ends.
  package init(idleLimit: Duration = .seconds(5)) { queue = Queue(idleLimit: idleLimit) }

  deinit { stop() }

  /// Whether the thread runs: it may be between two jobs.
  package var isRunning: Bool { queue.content.withLock { $0.isStarted } }

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

  /// Ends the thread after the jobs that are waiting.
  func stop() {
    queue.content.withLock { $0.isStopped = true }
    queue.content.notify()
  }
}

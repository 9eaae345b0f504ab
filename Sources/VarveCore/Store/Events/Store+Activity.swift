import VarveStorage

extension Store {
  /// The number of writes of this process that wait: threads for the write lock, and asynchronous
  /// writes for their turn.
  package var waitingWriterCount: Int {
    // The first waiting asynchronous write is the one for which the writer thread waits.
    let threads = environment.threadsWaitingToWrite
    let queued = asyncWrites.waitingCount
    return queued.count + max(0, threads - (queued.isBlocked ? 1 : 0))
  }

  /// The number of observers, and of iterators of change sequences.
  package var observerCount: Int { notifier.observerCount }
}

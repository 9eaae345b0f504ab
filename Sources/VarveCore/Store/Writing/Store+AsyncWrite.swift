import Foundation
import Synchronization
import VarveLocks
import VarveStorage

extension Store {
  /// The largest number of closures that share one transaction.
  static let maximumGroup = 32

  /// The number of asynchronous writes that wait for their turn.
  package var waitingWriteCount: Int { asyncWrites.count }

  /// Runs a write on the store's writer thread, after those requested earlier, as a part of the
  /// calling task.
  ///
  /// Waiting writes are grouped into one transaction with one commit, each in a nested transaction,
  /// so that a write that throws or cancels itself is rolled back alone.
  ///
  /// - Throws: The errors of ``write(view:_:_:)``; `.busy` also when a single other write of this
  ///   process has occupied the writer thread for as long as a write waits; and `CancellationError`
  ///   when the task was cancelled before `body` returned.
  package func asyncWrite<R: Sendable>(
    view: View?, grouping: Bool, _ body: @Sendable (Transaction) throws -> R
  ) async throws -> R {
    try Task.checkCancellation()
    let write = AwaitedWrite(self, mayShare: grouping)
    return try await withTaskCancellationHandler {
      try await withTaskExecutorPreference(write) {
        try await write { transaction in
          try Task.checkCancellation()
          if let view { transaction.join(view) }
          let result = try body(transaction)
          try Task.checkCancellation()
          return result
        }
      }
    } onCancel: {
      write.cancel()
    }
  }

  /// Enqueues a write to run on the writer thread, after those requested earlier, and returns at
  /// once.
  ///
  /// - Parameters:
  ///   - view: Takes part in the write.
  ///   - grouping: Whether the write may share its transaction with others.
  ///   - body: The closure of the write.
  ///   - finish: Called on an arbitrary thread, which it must not block, when the write was
  ///     committed or has failed. Not called for a write that ``cancelEnqueuedWrite(_:)`` removes.
  /// - Returns: The id of the write.
  package func enqueueWrite(
    view: View?, grouping: Bool, _ body: @escaping @Sendable (Transaction) throws -> Void,
    _ finish: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> UInt64 {
    let id = asyncWrites.newID()
    enqueue(
      AsyncWrite(
        id: id, mayShare: grouping, requestedAt: .now,
        run: { transaction in
          if let view { transaction.join(view) }
          try body(transaction)
        }, finish: finish))
    return id
  }

  /// Removes a write that waits for its turn.
  ///
  /// - Returns: False when it is running or done.
  package func cancelEnqueuedWrite(_ id: UInt64) -> Bool { asyncWrites.remove(id: id) != nil }

  /// Whether an asynchronous write is waiting or running.
  package var isWritingAsynchronously: Bool { asyncWrites.isBusy }

  /// Refuses asynchronous writes from now on, before the store is closed, or no longer.
  package func refuseAsyncWrites(_ isRefusing: Bool) {
    asyncWrites.isRefusing.store(isRefusing, ordering: .relaxed)
  }

  func enqueue(_ write: AsyncWrite) {
    if asyncWrites.isRefusing.load(ordering: .relaxed) {
      return write.finish(.failure(closedFailure))
    }
    if asyncWrites.append(write) { startDraining() }
  }

  /// Starts draining the queue on the writer thread.
  private func startDraining() {
    do throws(StorageError) {
      try environment.writer.enqueue { self.drainAsyncWrites() }
    } catch {
      // The store was closed, so the queue cannot be drained.
      repeat {
        while let write = asyncWrites.takeFirst() { write.finish(.failure(Failure(error))) }
      } while !asyncWrites.endDrain()
    }
  }

  /// Runs on the writer thread until no write waits.
  private func drainAsyncWrites() {
    repeat {
      while !asyncWrites.isEmpty { runGroup() }
    } while !asyncWrites.endDrain()
  }

  /// Runs one transaction with the first waiting write and those that may share it.
  private func runGroup() {
    guard let deadline = asyncWrites.firstDeadline else { return }
    let transaction: Transaction
    do throws(Failure) {
      // The lock is no longer needed once all waiting writes were cancelled.
      transaction = try begin(
        timeout: max(.zero, deadline - .now), isQueued: true,
        isCancelled: { [asyncWrites] in asyncWrites.isEmpty })
    } catch {
      return failWaiting(error)
    }
    guard let first = asyncWrites.takeFirst() else { return transaction.abort() }
    reportWait(of: first)
    asyncWrites.beginTurn()
    defer { asyncWrites.endTurn() }
    setRunning(transaction)
    do {
      try first.run(transaction)
      if transaction.isCancelled {
        rollBack(transaction)
        return transaction.takeDeferredMoves().runElsewhere { first.finish(.success(())) }
      }
      if let failure = transaction.failure { throw failure }
    } catch {
      rollBack(transaction)
      return transaction.takeDeferredMoves().runElsewhere { first.finish(.failure(error)) }
    }
    var members = [first]
    if first.mayShare || transaction.mayBeShared { runMembers(transaction, &members) }
    let result: Result<Void, any Error>
    do throws(Failure) {
      try transaction.commit()
      result = .success(())
    } catch {
      result = .failure(error)
    }
    transaction.takeDeferredMoves().runElsewhere { [members] in
      for member in members { member.finish(result) }
    }
  }

  private func reportWait(of write: AsyncWrite) {
    events.report(.wait(.now - write.requestedAt))
  }

  /// Fails waiting writes with the error of beginning the transaction.
  private func failWaiting(_ failure: Failure) {
    switch failure.code {
    case .cancelled: break
    case .busy:
      for write in asyncWrites.takeOverdue() {
        reportWait(of: write)
        write.finish(.failure(failure))
      }
    // Only the write whose turn it was fails; a later one may succeed.
    default: asyncWrites.takeFirst()?.finish(.failure(failure))
    }
  }

  /// Runs waiting writes in nested transactions. A write that throws is finished at once.
  private func runMembers(_ transaction: Transaction, _ members: inout [AsyncWrite]) {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: options.maximumGroupTime)
    while members.count < Store.maximumGroup, clock.now < end,
      let next = asyncWrites.takeFirst(sharing: true)
    {
      reportWait(of: next)
      do {
        try transaction.beginNested()
        do {
          try next.run(transaction)
          if transaction.isCancelled {
            transaction.abortNested()
            next.finish(.success(()))
            continue
          }
          if let failure = transaction.failure { throw failure }
        } catch {
          transaction.abortNested()
          throw error
        }
        try transaction.commitNested()
        members.append(next)
      } catch {
        next.finish(.failure(error))
      }
    }
  }
}

import VarveStorage

/// Marks a transaction as failed without ending the closure that runs in it.
///
/// After a failed operation all others continue, so that loops such as
/// `while !list.isEmpty { list.removeLast() }` end. After a failure of the engine nothing can be
/// stored: the buffered edits are dropped, and reads return the state before the write. For the
/// same reason changes of collections and deletions then continue in memory.
extension FileEditor {
  /// Records a failure. The write throws the first one.
  package func markFailed(_ failure: Failure) {
    if self.failure == nil { self.failure = failure }
  }

  /// Runs one operation. An error marks the transaction as failed.
  ///
  /// `inMemory`: whether the operation continues in memory after a failure of the engine, as
  /// changes of collections and deletions do.
  /// - Returns: The operation's result; nil if it failed or was not run.
  @discardableResult
  package func attempt<R>(
    inMemory: Bool = false, _ operation: () throws(Failure) -> R
  ) -> R? {
    if _slowPath(storage.hasFailed) {
      leaveEngine()
      if !inMemory { return nil }
    }
    changeCount += 1
    do throws(Failure) {
      let result = try operation()
      if _slowPath(!orphans.isEmpty) { try deleteOrphans() }
      if _slowPath(!nestedEmbedded.isEmpty) { try checkEmbeddingDepths() }
      return result
    } catch {
      fail(error)
      return nil
    }
  }

  /// Runs one operation. An error marks the transaction as failed, and is thrown.
  ///
  /// Changes that are not made through ``attempt(inMemory:_:)`` must be made in such an operation: at
  /// its end, embedded objects that lost their parents are deleted.
  @discardableResult
  package func operation<R>(_ body: () throws(Failure) -> R) throws(Failure) -> R {
    changeCount += 1
    do throws(Failure) {
      let result = try body()
      if !orphans.isEmpty { try deleteOrphans() }
      if !nestedEmbedded.isEmpty { try checkEmbeddingDepths() }
      return result
    } catch {
      fail(error)
      throw error
    }
  }

  /// Begins an operation that is not a closure. Its error is passed to ``fail(_:)``.
  ///
  /// - Returns: true if the operation may run; false if the transaction has failed.
  @inline(__always)
  package func beginOperation() -> Bool {
    guard _fastPath(!hasFailure && !storage.hasFailed) else { return false }
    changeCount += 1
    return true
  }

  /// Ends an operation that failed, and marks the transaction as failed.
  package func fail(_ failure: Failure) {
    markFailed(failure)
    orphans.removeAll()
    if storage.hasFailed { leaveEngine() }
  }

  /// Runs an operation that changes nothing. See ``attempt(inMemory:_:)``.
  package func attemptReading<R>(_ operation: () throws(Failure) -> R) -> R? {
    if _slowPath(storage.hasFailed) { leaveEngine() }
    do throws(Failure) {
      return try operation()
    } catch {
      markFailed(error)
      return nil
    }
  }

  /// Makes the transaction, or the running nested one, end in a rollback without an error.
  ///
  /// The transaction is marked as failed: later changes are rolled back together with the earlier
  /// ones. Earlier failures are discarded.
  func cancel() {
    failure = Failure(.cancelled, "The write was cancelled.", path: file.options.path)
  }

  /// Whether the transaction was cancelled. A transaction that has begun fails with this code for
  /// no other reason.
  var isCancelled: Bool { failure?.code == .cancelled }

  /// Returns the ids without the objects that were deleted after the engine failed; a scan still
  /// finds those.
  func withoutDeletedInMemory(_ ids: [UInt64], of model: ClassDescription) -> [UInt64] {
    guard !deletedInMemory.isEmpty, let schema = schema.schema(named: model.name) else {
      return ids
    }
    return ids.filter { exists(schema, $0) }
  }

  /// Records the engine's failure, and drops the edits that can no longer be stored.
  private func leaveEngine() {
    if let failure = storage.failure { markFailed(Failure(failure)) }
    guard !hasLeftEngine else { return }
    hasLeftEngine = true
    discardEdits()
    changeCount += 1
  }
}
